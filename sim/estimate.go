package sim

import (
	"cmp"
	"context"
	"math"
	"runtime"

	"github.com/capplan/capplan/internal/given"
)

// A Paced model says about how many seconds of one core a replication takes, as
// measured on a machine of 2025: within a factor of a few. 0 where it does not know.
type Paced interface {
	Seconds(horizon float64) float64
}

type estimateKey struct{}

// A teller receives bounds on the time of a run in seconds; high is +Inf if no more is known than
// that it takes at least as long as it already has.
type teller func(low, high float64)

// What a model says of its pace before it runs is right within these factors: machines, loads
// and laws differ.
const (
	slowest = 3
	fastest = 0.5
)

// WithEstimate returns a context in which [Run] reports about how many seconds it takes
// at least: before it begins, under a Precision those of the first replications, 0 of a
// model that is not [Paced]; and every two seconds of a run by what is done of it, whatever the
// model. A horizon that was mistyped is seen at once, not after an hour. tell is called
// from other goroutines, one after the other, and no more once Run returns.
func WithEstimate(ctx context.Context, tell func(seconds float64)) context.Context {
	return WithEstimateRange(ctx, func(low, high float64) {
		switch {
		case math.IsInf(high, 1) || low == high:
			tell(low)
		default:
			tell(high / slowest)
		}
	})
}

// WithEstimateRange is [WithEstimate] with how well it is known: from half to three times what a
// model expects; one number once a run shows how fast it is; and up to +Inf where it does not.
func WithEstimateRange(ctx context.Context, tell func(low, high float64)) context.Context {
	return context.WithValue(given.Context(ctx), estimateKey{}, teller(tell))
}

// estimate reports how long a run is about to take.
func estimate(ctx context.Context, m Model, o Options) {
	tell, _ := ctx.Value(estimateKey{}).(teller)
	if tell == nil {
		return
	}
	paced, ok := m.(Paced)
	if !ok {
		tell(0, 0)
		return
	}
	workers := o.Workers
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	s := paced.Seconds(o.Horizon) * float64(turns(o.first(), workers))
	if !finite(s) || s < 0 {
		s = 0
	}
	tell(fastest*s, slowest*s)
}
