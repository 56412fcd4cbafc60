package sim

import (
	"context"
	"runtime"

	"github.com/capplan/capplan/internal/given"
)

// A Paced model says about how many seconds of one core a replication takes, as
// measured on a machine of 2025: within a factor of a few. 0 where it does not know.
type Paced interface {
	Seconds(horizon float64) float64
}

type estimateKey struct{}

// WithEstimate returns a context in which [Run] tells, before it begins, about how
// many seconds it takes at least, of a [Paced] model: a horizon that was mistyped
// is seen at once, not after an hour. Under a Precision it is the time of the
// first replications.
func WithEstimate(ctx context.Context, tell func(seconds float64)) context.Context {
	return context.WithValue(given.Context(ctx), estimateKey{}, tell)
}

// estimate tells how long a run is about to take.
func estimate(ctx context.Context, m Model, o Options) {
	tell, _ := ctx.Value(estimateKey{}).(func(float64))
	paced, ok := m.(Paced)
	if tell == nil || !ok {
		return
	}
	count := o.Replications
	if o.Precision > 0 {
		count = min(firstRound, o.Limit)
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	turns := (count + workers - 1) / workers
	if s := paced.Seconds(o.Horizon) * float64(turns); finite(s) && s > 0 {
		tell(s)
	}
}
