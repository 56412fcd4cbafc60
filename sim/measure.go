package sim

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// measuredEvery is how often a run that is under way is measured.
const measuredEvery = 2 * time.Second

// A measure tells how long a run takes by what is done of it: no estimate is needed
// before it begins, and a precision may turn out to need far more than the first
// replications. A nil one tells nothing.
type measure struct {
	tell         func(seconds float64)
	begun        time.Time
	workers      int
	warming      int          // runs that look for the warm-up
	done, wanted atomic.Int64 // runs, with those
	ended        chan struct{}
	watching     *parallel.Task[struct{}]
}

// newMeasure measures until end, where the context wants to be told.
func newMeasure(ctx context.Context, o Options) *measure {
	tell, _ := ctx.Value(estimateKey{}).(func(float64))
	if tell == nil {
		return nil
	}
	m := &measure{
		tell:    tell,
		begun:   time.Now(),
		workers: o.Workers,
		ended:   make(chan struct{}),
	}
	if m.workers == 0 {
		m.workers = runtime.GOMAXPROCS(0)
	}
	if o.FindWarmUp {
		m.warming = pilots
	}
	m.want(o.first())
	m.watching = parallel.Start(m.watch)
	return m
}

// watch tells until the run ends.
func (m *measure) watch() (none struct{}) {
	ticker := time.NewTicker(measuredEvery)
	defer ticker.Stop()
	for {
		select {
		case <-m.ended:
			return none
		case <-ticker.C:
			m.tell(m.seconds(time.Since(m.begun).Seconds()))
		}
	}
}

// seconds is about how long the whole run takes after so many of it. Of a run of
// which nothing is done it is the least: as many turns of at least that.
func (m *measure) seconds(after float64) float64 {
	done, wanted := float64(m.done.Load()), m.wanted.Load()
	if done == 0 {
		return after * float64(turns(int(wanted), m.workers))
	}
	return after * max(1, float64(wanted)/done)
}

// one run is done.
func (m *measure) one() {
	if m != nil {
		m.done.Add(1)
	}
}

// want says how many replications there are to be.
func (m *measure) want(replications int) {
	if m != nil {
		m.wanted.Store(int64(m.warming + replications))
	}
}

// end ends it: nothing is told any more.
func (m *measure) end() {
	if m != nil {
		close(m.ended)
		m.watching.Value() // a panic of tell goes on here
	}
}

// turns is how often so many workers take one of count runs each.
func turns(count, workers int) int { return (count + workers - 1) / workers }

// first is how many replications there are, under a precision in the first round.
func (o Options) first() int {
	if o.Precision > 0 {
		return min(firstRound, o.Limit)
	}
	return o.Replications
}
