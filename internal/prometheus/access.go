package prometheus

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
)

// Access says how to reach a server, and as whom. Only the URL is needed.
type Access struct {
	URL     string
	Timeout time.Duration // of one answer; 0: DefaultTimeout
	Credentials

	most int64 // bytes of an answer; 0: MostBytes
}

// Credentials are secrets; the zero value has none. They are never part of a message.
type Credentials struct {
	Token          string            // a bearer token, or
	User, Password string            // of basic authentication
	Headers        map[string]string // beside them, such as X-Scope-OrgID
	CA             []byte            // PEM: who signs the server's certificate; nil: those of the system
	Certificate    []byte            // PEM: what this client shows
	Key            []byte            // PEM: its key
	ServerName     string            // in the server's certificate; "": the host of the URL
}

// DefaultTimeout is how long an answer may take.
const DefaultTimeout = 30 * time.Second

// MostBytes is how long one answer may be, unpacked.
const MostBytes = 128 << 20

// A Client asks one server.
type Client struct {
	http     api.Client
	server   string // host and port, for messages
	identity string // of the server and of who asks
	timeout  time.Duration
}

const wantURL = "the address of a Prometheus server such as http://localhost:9090"

// Dial makes a client. It does not connect yet. Errors: *ask.InputError of prometheus,
// prometheus_config or prometheus_timeout. A server that is down is reported at the first question.
func Dial(a *Access) (*Client, error) {
	if a == nil {
		return nil, ask.NoQuestion()
	}
	// The address is checked first, since errors of certificates are about it.
	u, err := address(a.URL)
	if err != nil {
		return nil, err
	}
	tlsConfig, err := a.tls(u)
	if err != nil {
		return nil, err
	}
	// What contradicts itself is refused here, before a secret is sent.
	switch {
	case a.Token != "" && (a.User != "" || a.Password != ""):
		return nil, ask.Inputf("prometheus_config", "a token and a password are both given: want one of them")
	case a.Password != "" && a.User == "":
		return nil, ask.Inputf("prometheus_config", "a password without a user name: want both")
	case a.Timeout < 0:
		return nil, ask.Inputf("prometheus_timeout", "is %v, want a time above 0 such as 30s", a.Timeout)
	}
	// A line break would begin another header.
	for _, secret := range []string{a.Token, a.User, a.Password} {
		if strings.ContainsAny(secret, "\r\n\x00") {
			return nil, ask.Inputf("prometheus_config", "a credential holds a line break: want one line")
		}
	}
	// Times and sizes are bounded against a server that says nothing or never ends.
	door := &door{
		origin: u.Scheme + "://" + u.Host,
		secret: a.Credentials,
		most:   cmp.Or(a.most, MostBytes),
		// Variables such as HTTPS_PROXY hold, as for any client.
		next: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSClientConfig:        tlsConfig,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			ForceAttemptHTTP2:      true,
			DisableKeepAlives:      true, // of what comes behind an answer package http writes to the log
		},
	}
	client, err := api.NewClient(api.Config{
		Address: u.String(),
		Client: &http.Client{
			Transport: door,
			// A place that the server sends on to is named, not asked.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	})
	if err != nil {
		return nil, ask.Inputf("prometheus", "%v, want %s", err, wantURL)
	}
	return &Client{
		http:     client,
		server:   u.Host,
		identity: a.identity(),
		timeout:  cmp.Or(a.Timeout, DefaultTimeout),
	}, nil
}

// Close ends idle connections.
func (c *Client) Close() {
	if idle, ok := c.http.(api.CloseIdler); ok {
		idle.CloseIdleConnections()
	}
}

// address reads the address of a server. A password in it would be seen by all
// users of the machine, and stand in messages. A path of the API at the end is taken off, since
// people copy it along. Errors: *ask.InputError.
func address(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Hostname() == "":
		// What stands before the sign may be a password, and is not repeated.
		if at := strings.LastIndex(text, "@"); at >= 0 {
			text = "...@" + text[at+1:]
		}
		return nil, ask.Inputf("prometheus", "%s is not an address, want %s", spell.Quote(text), wantURL)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, ask.Inputf("prometheus", "%s is not supported, want %s", spell.Quote(u.Scheme), wantURL)
	case u.User != nil:
		return nil, ask.Inputf("prometheus",
			"a password does not belong on a command line: want it in the file of --prometheus-config or in the environment")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, ask.Inputf("prometheus", "%s ends in a query or a fragment, want %s",
			spell.Quote(u.Redacted()), wantURL)
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/api/v1")
	return u, nil
}

// tls returns the certificates, nil where none are given. Errors: *ask.InputError.
func (s *Credentials) tls(u *url.URL) (*tls.Config, error) {
	if s.CA == nil && s.Certificate == nil && s.Key == nil && s.ServerName == "" {
		return nil, nil
	}
	if u.Scheme != "https" {
		return nil, ask.Inputf("prometheus", "certificates are given for %s, which is not encrypted: want https://%s",
			u.Redacted(), u.Host)
	}
	// RFC 8996 gives up the versions before 1.2.
	c := &tls.Config{ServerName: s.ServerName, MinVersion: tls.VersionTLS12}
	if s.CA != nil {
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(s.CA) {
			return nil, ask.Inputf("prometheus_config", "ca_file holds no certificate, want one in PEM")
		}
	}
	if s.Certificate != nil || s.Key != nil {
		pair, err := tls.X509KeyPair(s.Certificate, s.Key)
		if err != nil {
			return nil, ask.Inputf("prometheus_config", "cert_file and key_file: %v, want both in PEM", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// A door is what every request goes through: it adds the credentials, for the one
// server that they are meant for, and bounds what comes back. Redirects and proxies cannot lead a
// credential elsewhere.
type door struct {
	origin string
	secret Credentials
	most   int64
	next   http.RoundTripper
}

// The request is copied, as the contract of a RoundTripper asks.
func (d *door) RoundTrip(r *http.Request) (*http.Response, error) {
	if got := r.URL.Scheme + "://" + r.URL.Host; got != d.origin {
		return nil, fmt.Errorf("a request to %s, not to %s", got, d.origin)
	}
	r = r.Clone(r.Context())
	// Headers of the asker go first, so that the authorization is what was asked for by name.
	for name, value := range d.secret.Headers {
		r.Header.Set(name, value)
	}
	switch {
	case d.secret.Token != "":
		r.Header.Set("Authorization", "Bearer "+d.secret.Token)
	case d.secret.User != "":
		r.SetBasicAuth(d.secret.User, d.secret.Password)
	}
	resp, err := d.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = &bounded{body: resp.Body, left: d.most}
	return resp, nil
}

func (d *door) CloseIdleConnections() {
	if idle, ok := d.next.(interface{ CloseIdleConnections() }); ok {
		idle.CloseIdleConnections()
	}
}
