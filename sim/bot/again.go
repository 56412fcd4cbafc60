package bot

import (
	"slices"
	"sync"

	"github.com/capplan/capplan/sim"
)

// leftRuns holds runs that are over; the next run reuses their memory. Mostly many runs of one case
// are asked for, and allocating anew for each took a third of their time.
var leftRuns = sync.Pool{New: func() any { return new(run) }}

// leftStreams holds the random streams of runs that are over.
var leftStreams = sync.Pool{New: func() any { return new(sim.Streams) }}

// newRun returns a run of a case at its beginning.
func newRun(c *Case, chance Chance, stop func() error) *run {
	r := leftRuns.Get().(*run)
	r.agenda.Clear()
	r.copying.units.Clear()
	*r = run{c: c, rules: c.Rules.WithDefaults(), chance: chance, rand: chance(askEntity), stop: stop,
		agenda:    r.agenda,
		units:     r.units,
		turns:     r.turns[:0],
		saved:     r.saved[:0],
		holders:   r.holders[:0],
		held:      r.held,
		open:      r.open[:0],
		queue:     queue{entries: r.queue.entries[:0]},
		workers:   r.workers,
		idle:      r.idle[:0],
		cloudIdle: r.cloudIdle[:0],
		cloudWoke: r.cloudWoke[:0],
		copying:   copying{units: r.copying.units},
		cloudAll:  r.cloudAll[:0],
		books:     books{r.books.from[:0], r.books.to[:0]},
	}
	return r
}

// over gives the memory of a finished run to others.
func (r *run) over() {
	clear(r.workers) // they hold the courses of machines
	r.c, r.chance, r.rand, r.stop = nil, nil, nil, nil
	r.progress, r.scheduler, r.order = nil, nil, nil
	leftRuns.Put(r)
}

// again returns a slice of n zeros in the memory of another.
func again[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}
