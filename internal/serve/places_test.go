package serve

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// A kernel that goes on alone after its client has left holds the place of its question: clients
// that leave again and again had any number of them computed at a time.
func TestPlaceOfWhatIsLeft(t *testing.T) {
	const question = `{"load": 120, "max_blocking": "1%"}`
	s := newServer(t, Options{Workers: 1})
	s.places.patience = time.Millisecond
	client, leaves := context.WithCancel(t.Context())
	ctx, release, err := s.places.take(client)
	if err != nil {
		t.Fatal(err)
	}
	end := make(chan struct{})
	_, _ = parallel.Await(ctx, func() (int, error) { leaves(); <-end; return 0, nil })
	release()
	if code, text := send(s, "POST", "/v1/size", question); code != http.StatusTooManyRequests {
		t.Errorf("status %d while the kernel of who left goes on: %s", code, text)
	}
	s.places.patience = time.Minute
	close(end)
	if code, text := send(s, "POST", "/v1/size", question); code != http.StatusOK {
		t.Errorf("status %d after its end: %s", code, text)
	}
}
