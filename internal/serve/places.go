package serve

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// places bound how many questions are computed at a time, and how many wait. free has room for as
// many as are computed at a time.
type places struct {
	free     chan struct{}
	waiting  atomic.Int64
	most     int64 // that wait
	patience time.Duration
}

// newPlaces makes n places. 64 that wait a second are more than a page asks at once.
func newPlaces(n int) *places {
	return &places{free: make(chan struct{}, n), most: 64, patience: time.Second}
}

// take waits for a place for a moment, and returns the context of who has it and what gives it back.
// A kernel that goes on alone after its client has left still holds the place: clients that leave
// again and again would else have any number of them computed. Errors: *problem with status 429
// where too many wait or none came free in time; that of the context.
func (p *places) take(ctx context.Context) (_ context.Context, release func(), err error) {
	own, left := parallel.WithLeft(ctx)
	release = func() { left.Then(func() { <-p.free }) }
	select {
	case p.free <- struct{}{}:
		return own, release, nil
	default:
	}
	busy := &problem{
		status: http.StatusTooManyRequests,
		Reason: "as many questions are computed at one time as there are cores; others wait",
	}
	// Adding before looking keeps two that come at once from both being the last.
	if p.waiting.Add(1) > p.most {
		p.waiting.Add(-1)
		return nil, nil, busy
	}
	defer p.waiting.Add(-1)
	late := time.NewTimer(p.patience)
	defer late.Stop()
	select {
	case p.free <- struct{}{}:
		return own, release, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	case <-late.C:
		return nil, nil, busy
	}
}
