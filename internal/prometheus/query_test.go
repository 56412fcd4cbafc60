package prometheus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/capplan/capplan/planner/ask"
)

// What servers answer instead of numbers is told for what it is.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   []string
		input  bool // an error of the question
	}{
		"no token":  {401, "Unauthorized", []string{"401", "CAPPLAN_PROMETHEUS_TOKEN"}, false},
		"forbidden": {403, "", []string{"403", "token"}, false},
		"not there": {404, "404 page not found", []string{"404", "path prefix"}, false},
		"busy": {503, `{"status":"error","errorType":"unavailable","error":"no room"}`,
			[]string{"503", "no room", "later"}, false},
		"internal": {500, `{"status":"error","errorType":"internal","error":"disk"}`, []string{"500", "disk"}, false},
		"too slow": {503, `{"status":"error","errorType":"timeout","error":"query timed out"}`,
			[]string{"timed out", "--since"}, false},
		"bad query": {400, `{"status":"error","errorType":"bad_data","error":"1:3: parse error"}`,
			[]string{"parse error"}, true},
		"too much": {422, `{"status":"error","errorType":"execution","error":"too many samples"}`,
			[]string{"too many samples"}, true},
		"a page":     {200, "<!doctype html><title>Log in</title>", []string{"a page in HTML"}, false},
		"nothing":    {200, "", []string{"nothing"}, false},
		"cut":        {200, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"2"],[3`, []string{"not answer as a Prometheus server"}, false},
		"other JSON": {200, `{"hello":"world"}`, []string{"not answer as a Prometheus server"}, false},
		"a vector":   {200, `{"status":"success","data":{"resultType":"vector","result":[]}}`, []string{`"vector"`}, false},
		"no matrix": {200, `{"status":"success","data":{"resultType":"matrix","result":{"a":1}}}`,
			[]string{"not answer as a Prometheus server"}, false},
		"null series":  {200, `{"status":"success","data":{"resultType":"matrix","result":[null]}}`, []string{"null"}, false},
		"wrong number": {200, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"x"]]}]}}`, []string{"not answer as a Prometheus server"}, false},
		"not asked":    {200, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"2"]]}]}}`, []string{"not asked for"}, false},
		"backward": {200, fmt.Sprintf(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[%d,"2"],[%d,"2"]]}]}}`, int(noon), int(noon-60)),
			[]string{"order of time"}, false},
		"a list":     {200, `[]`, []string{"is a list, not an object"}, false},
		"too deep":   {200, strings.Repeat("[", 20000), []string{"within each other"}, false},
		"bare error": {200, `{"status":"error","errorType":"bad_data","error":"no"}`, []string{"no"}, true},
	} {
		s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) {
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		})
		err := askRate(t, &Access{URL: s.URL})
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: no %q in %v", name, w, err)
			}
		}
		var input *ask.InputError
		if errors.As(err, &input) != c.input || c.input && input.Field != "rate_query" {
			t.Errorf("%s: %T of field %+v", name, err, input)
		}
	}
}

// A server that redirects to another place gets no second request, and that place
// none at all: the token stays where it was meant for.
func TestRedirectsKeepTheToken(t *testing.T) {
	other := 0
	thief := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) { other++ })
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) {
			http.Redirect(w, r, thief.URL+"/login?state=secret", status)
		})
		err := askRate(t, &Access{URL: s.URL, Credentials: Credentials{Token: "token"}})
		if err == nil || !strings.Contains(err.Error(), "sends on to "+thief.URL+"/login,") || strings.Contains(err.Error(),
			"secret") {
			t.Errorf("%d: %v", status, err)
		}
	}
	if other != 0 {
		t.Errorf("the other place was asked %d times", other)
	}
}

// Answers that are too long or too late end.
func TestBounds(t *testing.T) {
	s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) {
		for range 100 {
			fmt.Fprint(w, strings.Repeat(" ", 1000))
		}
		matrix(w, q, []string{""}, func(int, int, float64) string { return "1" })
	})
	if err := askRate(t, &Access{URL: s.URL, most: 50_000}); !errors.Is(err, errTooLong) {
		t.Errorf("%v, want that the answer is too long", err)
	}
	if err := askRate(t, &Access{URL: s.URL, most: 200_000}); err != nil {
		t.Error(err)
	}
	held := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush() // the beginning of an answer
		select {
		case <-held:
		case <-r.Context().Done():
		}
	}))
	defer slow.Close()
	defer close(held)
	err := askRate(t, &Access{URL: slow.URL, Timeout: 50 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "no answer within 50ms") || errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err = dial(t, &Access{URL: slow.URL}).Rate(ctx, "q", Window{End: noon}, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want that of the context", err)
	}
	if err := askRate(t, &Access{URL: "http://127.0.0.1:1"}); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Error(err)
	}
}

// A server that is not there, or no server at all, is named in words that need no
// knowledge of the library that looks for it.
func TestUnreachedInWords(t *testing.T) {
	closes := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
			c.Close()
		}
	}))
	defer closes.Close()
	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, "{")
	}))
	defer cut.Close()
	damaged := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		fmt.Fprint(w, "no compressed data")
	}))
	defer damaged.Close()
	for url, want := range map[string]string{
		damaged.URL:                       "answers compressed data that are damaged",
		says(t, "PRI * HTTP/2.0\r\n\r\n"): "does not answer in HTTP, want ",
		says(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 1<<17)+"\r\n\r\n"):                             "does not answer in HTTP, want ",
		says(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "+strings.Repeat("x", 1<<17)): "does not answer in HTTP, want ",
		says(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"):               "does not answer in HTTP, want ",
		strings.Replace(says(t, "HTTP/1.1 200 OK\r\n\r\n"), "http:", "https:", 1):                           "speaks no TLS, want an address that begins with http://",
		strings.Replace(says(t, "a server of another kind"), "http:", "https:", 1):                          "speaks no TLS, want an address that begins with http://",
		"http://127.0.0.1:1":         "127.0.0.1:1: connection refused",
		"http://localhost:90900000":  "localhost:90900000: invalid port, want ",
		"http://nobody.invalid:9090": "nobody.invalid:9090: ",
		closes.URL:                   "ends the connection before its answer is complete, want ",
		cut.URL:                      "ends the connection before its answer is complete, want ",

		says(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"): "does not answer in HTTP, want ",

		// A deflated block of a kind that there is not.
		says(t, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"+
			"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x07"): "answers compressed data that are damaged",
	} {
		err := askRate(t, &Access{URL: url})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", url, err, want)
			continue
		}
		for _, word := range []string{"dial", "tcp", "lookup", "EOF", "read ", "gzip", "net/http", "http: ", "malformed"} {
			if strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v holds %q", url, err, word)
			}
		}
	}
}

// What a server says behind its answer is not told in words of a library: its log is not ours.
func TestMoreThanAnAnswer(t *testing.T) {
	var said lockedBuffer
	log.SetOutput(&said)
	defer log.SetOutput(os.Stderr)
	for range 20 { // the connection may be closed first
		_ = askRate(t, &Access{URL: says(t, "HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}more of it")})
	}
	time.Sleep(20 * time.Millisecond)
	if text := said.String(); text != "" {
		t.Errorf("%q", text)
	}
}

// A lockedBuffer is written by other goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// says is the address of a server that answers everything with the same bytes.
func says(t *testing.T, text string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1<<16))
			_, _ = io.WriteString(c, text)
			_ = c.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, c) // until the client has read it
			c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

// Points that hold no numbers are refused in words, not in those of the parser.
func TestAnswersWithoutNumbers(t *testing.T) {
	for _, point := range []string{`[1e308,"1"]`, `[0,"x\u001b[2J"]`, `[0,"1_0x"]`, `["a","1"]`, `[null,null]`, `[0,1]`} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[%s]}]}}`, point)
		}))
		err := askRate(t, &Access{URL: s.URL})
		s.Close()
		if err == nil {
			t.Errorf("%s: taken", point)
			continue
		}
		for _, word := range []string{"strconv", "parsing", "syntax", "json:", "float", "\x1b"} {
			if strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v holds %q", point, err, word)
			}
		}
	}
}

// Warnings of the server, such as of a part of the data only, are handed on; a
// server that takes no POST is asked by GET; credentials and headers arrive.
func TestWhatIsSent(t *testing.T) {
	var methods []string
	var seen http.Header
	s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) {
		methods, seen = append(methods, r.Method+" "+r.URL.Path), r.Header
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		fmt.Fprintf(w, `{"status":"success","warnings":["store 2 unreachable"],"infos":["not a counter"],"data":{"resultType":"matrix","result":[{"metric":{},"values":[[%.3f,"1"],[%.3f,"1"]]}]}}`, q.end-q.step, q.end)
	})
	c := dial(t, &Access{URL: s.URL + "/prefix/",
		Credentials: Credentials{User: "me", Password: "pass", Headers: map[string]string{"X-Scope-OrgID": "tenant"}}})
	r, err := c.Rate(context.Background(), "q", Window{End: noon, Since: 3600, Step: 60}, nil)
	if err != nil {
		t.Fatal(err)
	}
	said(t, r.Notes, "says: store 2 unreachable", "says: not a counter")
	if fmt.Sprint(methods) != "[POST /prefix/api/v1/query_range GET /prefix/api/v1/query_range]" {
		t.Error(methods)
	}
	if got := seen.Get("X-Scope-OrgID") + " " + seen.Get("Authorization"); got != "tenant Basic bWU6cGFzcw==" {
		t.Error(got)
	}
	c = dial(t, &Access{URL: s.URL, Credentials: Credentials{Token: "abc"}})
	if _, err := c.Rate(context.Background(), "q", Window{End: noon, Since: 3600, Step: 60},
		nil); err != nil || seen.Get("Authorization") != "Bearer abc" {
		t.Error(err, seen)
	}
}
