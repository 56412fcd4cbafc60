package serve

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Clients that hold all connections and say nothing, half a header, half a body, or one question
// and no other give way; a question that is computed keeps its connection.
func TestCrowd(t *testing.T) {
	const question = `{"load": 120, "max_blocking": "1%"}`
	const head = "POST /v1/size HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	for name, says := range map[string]string{
		"nothing": "", "half a header": head, "half a body": head + "Content-Length: 1000\r\n\r\n{",
		"idle": "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, Options{Workers: 1})
			s.clients, s.grace, s.header, s.places.patience = 4, 20*time.Millisecond, time.Minute, time.Minute
			address, stop := listen(t, s)
			say := func(text string) net.Conn {
				c, err := net.Dial("tcp", address)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { c.Close() })
				_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
				_, _ = io.WriteString(c, text)
				return c
			}
			answered := func(c net.Conn) {
				t.Helper()
				status := make([]byte, len("HTTP/1.1 200"))
				if _, err := io.ReadFull(c, status); err != nil || string(status) != "HTTP/1.1 200" {
					t.Errorf("%v: %q, want 200", err, status)
				}
			}
			s.places.free <- struct{}{}
			computed := say(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(question), question))
			for s.places.waiting.Load() == 0 {
				time.Sleep(time.Millisecond)
			}
			for range 20 {
				say(says)
			}
			answered(say("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"))
			<-s.places.free
			answered(computed)
			stop()
		})
	}
}

// A server that is to stop waits for no client that holds a connection without a whole question.
func TestSilentClientsAtTheEnd(t *testing.T) {
	const head = "POST /v1/size HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	for name, says := range map[string]string{
		"nothing": "", "half a header": head, "half a body": head + "Content-Length: 1000\r\n\r\n{",
		"half a piece": head + "Transfer-Encoding: chunked\r\n\r\n5\r\n{",
		"no body yet":  head + "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, Options{})
			s.header, s.last = time.Minute, time.Minute
			address, stop := listen(t, s)
			for range 20 {
				c, err := net.Dial("tcp", address)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				_, _ = io.WriteString(c, says)
			}
			began := time.Now()
			stop()
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("stopped after %s", took)
			}
		})
	}
}

// A client that does not read its answer holds no place.
func TestSlowReader(t *testing.T) {
	for _, form := range []string{asJSON, asHTML, asEvents} {
		s := newServer(t, Options{Workers: 1})
		slow := &slowReader{ResponseRecorder: httptest.NewRecorder(), writes: make(chan bool), reads: make(chan bool)}
		r := httptest.NewRequest("POST", "http://localhost/v1/size", strings.NewReader(`{"load": 120, "max_blocking": "1%"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", form)
		ended := make(chan bool)
		go func() { s.Handler().ServeHTTP(slow, r); close(ended) }()
		<-slow.writes
		if code, text := send(s, "POST", "/v1/size", `{"load": 120, "max_blocking": "1%"}`); code != http.StatusOK {
			t.Errorf("%s: while a client does not read, another is answered %d: %s", form, code, text)
		}
		close(slow.reads)
		<-ended
	}
}

// A slowReader takes nothing until its client reads.
type slowReader struct {
	*httptest.ResponseRecorder
	writes, reads chan bool
}

func (s *slowReader) Write(b []byte) (int, error) {
	select {
	case s.writes <- true:
	case <-s.reads:
	}
	<-s.reads
	return s.ResponseRecorder.Write(b)
}
