package prometheus

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// Within one piece of work a server is asked once, whoever asks at the same time;
// other questions, and other people, are asked for themselves.
func TestRemember(t *testing.T) {
	var requests atomic.Int64
	server := fake(t, func(w http.ResponseWriter, _ *http.Request, q asked) {
		requests.Add(1)
		if q.query == "broken" {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		matrix(w, q, []string{""}, func(_, i int, _ float64) string { return text(float64(i)) })
	})
	ctx := Remember(context.Background())
	if first := Now(ctx); !Now(ctx).Equal(first) {
		t.Error("the time went on")
	}
	w := Window{End: 1e9, Since: 3600, Step: 60}
	ask := func(ctx context.Context, a *Access, query string) error {
		c := dial(t, a)
		defer c.Close()
		_, err := c.Rate(ctx, query, w, time.UTC)
		return err
	}
	if err := parallel.Each(ctx, 4, 16, func(int) error { return ask(ctx, &Access{URL: server.URL}, "x") }); err != nil {
		t.Fatal(err)
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests for one question", n)
	}
	for i, again := range []struct {
		ctx   context.Context
		a     *Access
		query string
		fails bool
	}{
		{ctx, &Access{URL: server.URL}, "y", false},
		{ctx, &Access{URL: server.URL, Credentials: Credentials{Token: "t"}}, "x", false},
		{context.Background(), &Access{URL: server.URL}, "x", false},
		{ctx, &Access{URL: server.URL}, "broken", true},
		{ctx, &Access{URL: server.URL}, "broken", true}, // a refusal is no answer
	} {
		if err := ask(again.ctx, again.a, again.query); (err != nil) != again.fails {
			t.Errorf("%d: %v", i, err)
		}
		if n := requests.Load(); n != int64(i+2) {
			t.Errorf("%d: %d requests, want %d", i, n, i+2)
		}
	}
}
