package prometheus

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/prometheus/common/model"

	"github.com/capplan/capplan/internal/jsonwords"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
)

// An Error says that a server could not be reached, or did not answer as a
// Prometheus server does.
type Error struct {
	Server  string // host and port
	Problem string
	Want    string // what would help; may be empty
	Err     error  // may be nil
}

func (e *Error) Error() string {
	s := e.Server + ": " + e.Problem
	if e.Want != "" {
		s += ", want " + e.Want
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// A query asks for one expression; field is that of the question it came in.
type query struct {
	field, text string
}

// response is the envelope of all answers of the API. Fields that are not needed are passed over:
// servers add to them.
type response struct {
	Status string `json:"status"`
	Data   struct {
		ResultType string          `json:"resultType"`
		Result     json.RawMessage `json:"result"`
	} `json:"data"`
	ErrorType string   `json:"errorType"`
	Error     string   `json:"error"`
	Warnings  []string `json:"warnings"`
	Infos     []string `json:"infos"`
}

// request sends a query for the values from the first to the last time, and returns
// the series with what the server warns of, and how many bytes it answered. Times are unix seconds.
// Errors: *Error; *ask.InputError for a query that the server cannot read; that of the context.
func (c *Client) request(ctx context.Context, q query, first, last, step float64) (m model.Matrix, notes []string,
	length int64, err error) {
	form := url.Values{
		"query": {q.text},
		"start": {decimal(first)},
		"end":   {decimal(last)},
		"step":  {decimal(step)},
		// The server gets the time that is waited, so that it does not go on for nobody.
		"timeout": {decimal(c.timeout.Seconds())},
	}
	asked, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	resp, body, err := c.send(asked, form)
	switch {
	// The caller's end goes before the error that it caused.
	case ctx.Err() != nil:
		return nil, nil, 0, fmt.Errorf("%s: stopped: %w", c.server, ctx.Err())
	case err != nil:
		return nil, nil, 0, c.unreached(err)
	}
	if vast(body) {
		return nil, nil, 0, c.unreached(errVast)
	}
	// The status is looked at before the fault of the text: an error page of a proxy is no JSON.
	var r response
	malformed := json.Unmarshal(body, &r)
	if resp.StatusCode/100 != 2 || r.Status == "error" {
		return nil, nil, 0, c.refused(q, resp, &r)
	}
	if malformed != nil || r.Status != "success" {
		return nil, nil, 0, c.foreign(body, malformed)
	}
	if r.Data.ResultType != "matrix" {
		return nil, nil, 0, c.foreign(body, fmt.Errorf("a result of type %q, not a matrix", r.Data.ResultType))
	}
	if err := json.Unmarshal(r.Data.Result, &m); err != nil {
		return nil, nil, 0, c.foreign(body, err)
	}
	// Words of a server are cut and cleaned before they are shown.
	for _, w := range append(r.Warnings, r.Infos...) {
		notes = append(notes, c.server+" says: "+source.Shown([]byte(w)))
	}
	return m, notes, int64(len(body)), nil
}

// send posts the question, so that it may be long, and where the server lets
// nobody post it gets the answer, as the client of Prometheus does. Either status means that the
// method is not known.
func (c *Client) send(ctx context.Context, form url.Values) (*http.Response, []byte, error) {
	u := c.http.URL("/api/v1/query_range", nil)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, body, err := c.http.Do(ctx, r)
	if err != nil || resp.StatusCode != http.StatusMethodNotAllowed && resp.StatusCode != http.StatusNotImplemented {
		return resp, body, err
	}
	u.RawQuery = form.Encode()
	if r, err = http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil); err != nil {
		return nil, nil, err
	}
	return c.http.Do(ctx, r)
}

// unreached is the error for a server that gave no answer: what the system says, without the names
// of calls.
func (c *Client) unreached(err error) error {
	e := &Error{Server: c.server, Problem: err.Error(), Err: err}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		e.Problem = wrapped.Err.Error()
	}
	var addr *net.AddrError
	var dns *net.DNSError
	var call syscall.Errno
	var record tls.RecordHeaderError
	var packed flate.CorruptInputError
	switch {
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &record):
		e.Problem, e.Want = "speaks no TLS", "an address that begins with http://, or the port that is asked by https"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &packed):
		e.Problem = "answers compressed data that are damaged"
	case slices.ContainsFunc([]string{"http", "net/http", "malformed", "invalid byte"}, func(name string) bool {
		// The library has no types for what it cannot read, and reports it by its own names.
		return strings.HasPrefix(e.Problem, name)
	}):
		e.Problem, e.Want = "does not answer in HTTP", wantURL
	case errors.As(err, &dns):
		e.Problem = dns.Err
		if dns.IsNotFound {
			e.Problem = "no server has this name"
		}
		if e.Want = wantURL; dns.IsTimeout {
			e.Want = ""
		}
	case errors.As(err, &addr):
		e.Problem, e.Want = addr.Err, wantURL
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Problem, e.Want = "ends the connection before its answer is complete", wantURL
	case errors.As(err, &call): // without the steps of the library that led to it
		e.Problem = call.Error()
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.Problem = fmt.Sprintf("no answer within %v", c.timeout)
		e.Want = "a longer --prometheus-timeout, a shorter --since or a longer --step"
		e.Err = nil // it is not this program that ran out of time
	case errors.Is(err, errTooLong):
		e.Problem = fmt.Sprintf("an answer of more than %d MiB", MostBytes>>20)
		e.Want = wantFewer
	case errors.Is(err, errVast):
		e.Problem = "an answer of too many series, labels or values"
		e.Want = wantFewer
	}
	return e
}

// refused is the error of a server that will not answer. A query that is wrong is the asker's to
// mend; all else is the server's.
func (c *Client) refused(q query, resp *http.Response, r *response) error {
	said := source.Shown([]byte(r.Error))
	status := fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	e := &Error{Server: c.server, Problem: "answers " + status}
	if said != "" {
		e.Problem += ": " + said
	}
	switch code := resp.StatusCode; {
	case code/100 == 3:
		e.Problem = "redirects to another place"
		if to, err := resp.Location(); err == nil {
			// Its query may hold secrets of a login.
			e.Problem = "sends on to " + (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).String()
		}
		e.Want = "the address of the server itself: credentials are not sent elsewhere"
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		e.Want = "a token or a password that it accepts, by --prometheus-config or in CAPPLAN_PROMETHEUS_TOKEN"
	case code == http.StatusNotFound:
		e.Want = wantURL + ", with its path prefix where it has one"
	case said != "" && (r.ErrorType == "bad_data" || r.ErrorType == "execution"):
		return &ask.InputError{Field: q.field, Reason: c.server + " says: " + said}
	case said != "" && r.ErrorType == "timeout", code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		e.Want = "to ask later, a shorter --since or a longer --step"
	}
	return e
}

// foreign is the error of an answer that is none of a Prometheus server. 200 bytes are enough to
// see what it is.
func (c *Client) foreign(body []byte, err error) error {
	e := &Error{Server: c.server, Problem: "does not answer as a Prometheus server does", Want: wantURL, Err: err}
	var number *strconv.NumError
	switch text := strings.TrimSpace(string(body[:min(len(body), 200)])); {
	case errors.As(err, &number):
		e.Problem += ": " + spell.Quote(source.Shown([]byte(number.Num))) + " in place of a number"
	case text == "":
		e.Problem += ": nothing"
	case strings.HasPrefix(text, "<"):
		e.Problem += ": a page in HTML, such as a login"
	case err != nil:
		e.Problem += ": " + jsonwords.Of(err)
	}
	return e
}

// decimal writes a number of seconds to the millisecond, which is as fine as
// times of the server are.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }
