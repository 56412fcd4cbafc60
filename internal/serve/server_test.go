package serve

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// A client that leaves stops its question; nothing stays behind. A server that is
// told to stop does so.
func TestServe(t *testing.T) {
	before := runtime.NumGoroutine()
	s := newServer(t, Options{Workers: 1})
	s.word = time.Minute // this machine may be busy
	address, stop := listen(t, s)
	url := "http://" + address
	ctx := context.Background()

	client := &http.Client{}
	post := func(ctx context.Context, body string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, "POST", url+"/v1/simulate-station", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		return client.Do(r)
	}
	leaving, leave := context.WithTimeout(ctx, 200*time.Millisecond)
	if _, err := post(leaving, long); err == nil {
		t.Error("an answer to a question of minutes")
	}
	leave()
	// Its place is free again: with one place, the next question has an answer.
	s.places.patience = time.Minute
	answer, err := post(ctx, `{"servers": 2, "load": 1, "simulate": {"replications": 2}}`)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		t.Errorf("status %d", answer.StatusCode)
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()

	// A stream that is under way ends with a word of why, and its server without
	// an error.
	r, err := http.NewRequest("POST", url+"/v1/simulate-station", strings.NewReader(long))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	stream, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	first := make([]byte, len("event: progress"))
	if _, err := io.ReadFull(stream.Body, first); err != nil || string(first) != "event: progress" {
		t.Errorf("%v: the stream begins with %q", err, first)
	}
	stop()
	rest, _ := io.ReadAll(stream.Body)
	stream.Body.Close()
	if !strings.Contains(string(rest), "event: error") {
		t.Errorf("the stream ends with %q", rest)
	}
	client.CloseIdleConnections()
	if _, err := post(ctx, "{}"); err == nil {
		t.Error("it still answers")
	}
	settle(t, before)
}

// settle waits for goroutines to end.
func settle(t *testing.T, most int) {
	t.Helper()
	for range 500 {
		if runtime.NumGoroutine() <= most {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), most, stacks[:runtime.Stack(stacks, true)])
}

// A thousand questions at a time of 32 are all answered, and leave nothing behind.
func TestManyQuestions(t *testing.T) {
	before := runtime.NumGoroutine()
	s := newServer(t, Options{})
	s.places.patience = time.Minute
	server := httptest.NewServer(s.Handler())
	transport := &http.Transport{MaxIdleConnsPerHost: 32}
	client := &http.Client{Transport: transport}
	failed := make(chan string, 1000)
	done := make(chan bool)
	for g := range 32 {
		go func() {
			for i := g; i < 1000; i += 32 {
				body := fmt.Sprintf(`{"load": %d, "max_blocking": "1%%"}`, 1+i)
				answer, err := client.Post(server.URL+"/v1/size", "application/json", strings.NewReader(body))
				if err != nil {
					failed <- err.Error()
					continue
				}
				text, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				if err != nil || answer.StatusCode != http.StatusOK {
					failed <- fmt.Sprint(err, answer.StatusCode, string(text))
				}
			}
			done <- true
		}()
	}
	for range 32 {
		<-done
	}
	close(failed)
	for f := range failed {
		t.Error(f)
	}
	_, text := send(s, "GET", "/metrics", "")
	if !strings.Contains(text, `capplan_requests_total{code="200",question="size"} 1000`) || !strings.Contains(text, `capplan_requests_in_flight 1`) {
		t.Errorf("the metrics do not count them:\n%s", text)
	}
	transport.CloseIdleConnections()
	server.Close()
	settle(t, before)
}

// A client that says its header slowly loses its connection.
func TestSlowHeader(t *testing.T) {
	s := newServer(t, Options{})
	s.header = 50 * time.Millisecond
	address, stop := listen(t, s)
	defer stop()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("POST /v1/size HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(c); err != nil || strings.Contains(string(rest), "200 OK") {
		t.Errorf("%v: %s", err, rest)
	}
}

// Ten thousand bodies with something wrong are answered by a status that says so,
// and never by a mistake of capplan.
func TestMutatedBodies(t *testing.T) {
	longtest.Skip(t)
	before := runtime.NumGoroutine()
	var log strings.Builder
	s := newServer(t, Options{Limit: 50 * time.Millisecond, Log: &log})
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"{", "}", "[", "]", ",", ":", `"`, "\x00", "\xff", `"\ud834"`, "NaN", `"load": "1",`, `"explain": true,`, `"samples": 20,`, ""}
	values := []string{
		"null", "true", "-1", "0", "1", "2", "0.5", "3.5", "120", "1e6", "1e12", "1e300", "1e-300", "1e999", "[]", "{}", `""`, `"x"`,
		`"1%"`, `"50%"`, `"100%"`, `"p99"`, `"20s"`, `"5min"`, `"1e9s"`, `"0s"`, `"80..130"`, `"1..2/s"`, `"2/min"`, `"0/s"`, `"1e6/s"`, `"1MB"`, `"100Mbps"`,
	}
	written := regexp.MustCompile(`[:\[,]\s*("[^"]*"|[0-9.e]+)`)
	statuses := map[int]int{}
	all := registry()
	for range 10_000 {
		q := all[rng.IntN(len(all))]
		body := []byte(q.example)
		for range 1 + rng.IntN(2) {
			if places := written.FindAllSubmatchIndex(body, -1); len(places) > 0 && rng.IntN(4) > 0 { // another value
				at := places[rng.IntN(len(places))]
				body = slices.Replace(body, at[2], at[3], []byte(values[rng.IntN(len(values))])...)
				continue
			}
			i := rng.IntN(len(body) + 1)
			j := min(i+rng.IntN(4), len(body))
			body = slices.Replace(body, i, j, []byte(pieces[rng.IntN(len(pieces))])...)
		}
		code, text := send(s, "POST", "/v1/"+q.name, string(body))
		if statuses[code]++; code != 200 && code != 400 && code != 422 && code != 503 || code != 200 && !strings.HasPrefix(text, `{"error":{`) {
			t.Errorf("%s %s: status %d: %.300s", q.name, body, code, text)
		}
	}
	if statuses[200] < 100 || statuses[400] < 1000 || log.Len() > 0 {
		t.Errorf("statuses %v: %s", statuses, log.String())
	}
	settle(t, before)
}

// What HTTP adds to the question itself. On one core: -cpu 1.
func BenchmarkSize(b *testing.B) {
	b.Run("bare", func(b *testing.B) {
		one, load := units.Fraction(0.01), units.Exactly[units.Erlang](120)
		for b.Loop() {
			q := &sizing.SizeQuestion{Traffic: sizing.Traffic{OfferedLoad: load}, Objectives: sizing.Objectives{MaxBlocking: &one}}
			if _, err := sizing.Size(context.Background(), q); err != nil {
				b.Fatal(err)
			}
		}
	})
	s := newServer(b, Options{})
	b.Run("handler", func(b *testing.B) {
		for b.Loop() {
			if code, text := send(s, "POST", "/v1/size", `{"load": 120, "max_blocking": "1%"}`); code != 200 {
				b.Fatal(text)
			}
		}
	})
	b.Run("loopback", func(b *testing.B) {
		server := httptest.NewServer(s.Handler())
		defer server.Close()
		for b.Loop() {
			answer, err := http.Post(server.URL+"/v1/size", "application/json", strings.NewReader(`{"load": 120, "max_blocking": "1%"}`))
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				b.Fatal(answer.Status)
			}
		}
	})
	// Clients that hold their connections, as many at a time as the load test has.
	b.Run("clients=32", func(b *testing.B) {
		s.places.patience = time.Minute
		server := httptest.NewServer(s.Handler())
		defer server.Close()
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}
		defer client.CloseIdleConnections()
		var mu sync.Mutex
		var took []time.Duration
		b.SetParallelism((31 + runtime.GOMAXPROCS(0)) / runtime.GOMAXPROCS(0))
		b.RunParallel(func(pb *testing.PB) {
			var own []time.Duration
			for pb.Next() {
				start := time.Now()
				answer, err := client.Post(server.URL+"/v1/size", "application/json", strings.NewReader(`{"load": 120, "max_blocking": "1%"}`))
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode != http.StatusOK {
					b.Error(answer.Status)
					return
				}
				own = append(own, time.Since(start))
			}
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
		})
		slices.Sort(took)
		b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "answers/s")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	})
}
