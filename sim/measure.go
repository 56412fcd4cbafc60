package sim

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// measuredEvery is how often a run that is under way is measured.
const measuredEvery = 2 * time.Second

// A measure reports how long a run takes from what is done of it: no estimate is needed before it
// begins, and a precision may turn out to need far more than the first replications. A nil measure
// reports nothing.
type measure struct {
	tell     teller
	begun    time.Time
	workers  int
	warming  int          // runs that look for the warm-up
	wanted   atomic.Int64 // runs, with those
	parts    atomic.Int64 // of runs that are done, so many to a run
	expected float64      // s of a run, of a model that is Paced
	ended    chan struct{}
	watching *parallel.Task[struct{}]
}

// parts is how many steps of a replication are counted.
const parts = 1 << 20

// newMeasure measures until end, where the context wants to be told.
func newMeasure(ctx context.Context, model Model, o Options) *measure {
	tell, _ := ctx.Value(estimateKey{}).(teller)
	if tell == nil {
		return nil
	}
	m := &measure{
		tell:    tell,
		begun:   time.Now(),
		workers: o.Workers,
		ended:   make(chan struct{}),
	}
	m.workers = cmp.Or(m.workers, runtime.GOMAXPROCS(0))
	if o.FindWarmUp {
		m.warming = pilots
	}
	if p, ok := model.(Paced); ok {
		m.expected = p.Seconds(o.Horizon)
	}
	m.want(o.first())
	m.watching = parallel.Start(m.watch)
	return m
}

// watch reports until the run ends.
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

// seconds returns bounds on the time of the whole run after a part of it. For a model that does not
// say where it is ([Replication.At]) they are, before the first replication ends, what the model
// expects, and at least as many turns of the time so far.
func (m *measure) seconds(after float64) (low, high float64) {
	done, wanted := float64(m.parts.Load())/parts, m.wanted.Load()
	if done > 0 {
		s := after * max(1, float64(wanted)/done)
		return s, s
	}
	rounds := float64(turns(int(wanted), m.workers))
	high = slowest * m.expected * rounds
	low = max(after, fastest*m.expected) * rounds
	if !(high > low && finite(high)) {
		return after * rounds, math.Inf(1)
	}
	return low, high
}

// want says how many replications there are to be.
func (m *measure) want(replications int) {
	if m != nil {
		m.wanted.Store(int64(m.warming + replications))
	}
}

// end ends the measure: nothing is reported after it.
func (m *measure) end() {
	if m != nil {
		close(m.ended)
		m.watching.Value() // a panic of tell goes on here
	}
}

// turns returns how often the workers take one of count runs each.
func turns(count, workers int) int { return (count + workers - 1) / workers }
