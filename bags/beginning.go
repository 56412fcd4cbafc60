package bags

import (
	"math"

	"github.com/capplan/capplan/law"
)

// mostWaves is the greatest number of tasks per machine that a flow follows cell by cell. Earlier
// tasks are taken to be done at a constant rate.
const mostWaves = 60

// A beginning is where a flow begins.
type beginning struct {
	ahead float64 // s until then, if no machine were gone for good; see [model.ahead]
	left  float64 // tasks not done by then, of which some may not have arrived
	since float64 // s, from when on all machines have worked
}

// begins returns where the flow of a bag with a factor of the tasks begins: the last time at which
// mostWaves tasks wait for each machine. Cells of a flow that begins earlier may be longer than its
// tasks: of 200,000 tasks of 14 s that arrive within an hour on 80 machines the median was 340 times
// too late. Tasks wait if they have arrived and are not done, where all machines work at a constant rate:
//
//	Q(t) = max over s <= t of A(t) − A(s) − rate (t − s)
func (m *model) begins(factor float64) beginning {
	n, most := factor*m.n, factor*math.Ceil(mostWaves*max(1, m.there))
	out := beginning{left: n}
	if n <= most {
		return out
	}
	queue, at, come, since := 0.0, 0.0, 0.0, 0.0
	pass := func(to float64) {
		if more := queue - most; more > 0 {
			span := min(more/m.done, to-at)
			out = beginning{at + span, queue - m.done*span + n*(1-come), since}
		}
	}
	m.eachArrival(func(t, share float64) {
		to := m.working(t)
		pass(to)
		if queue -= m.done * (to - at); queue <= 0 {
			queue, since = 0, t
		}
		queue, at, come = queue+n*(share-come), to, share
	})
	pass(math.Inf(1))
	return out
}

// arrivalSteps is the number of steps in which tasks arrive by a law, for a beginning.
const arrivalSteps = 2000

// eachArrival tells the times at which tasks arrive, in order, and the share that has arrived by then.
func (m *model) eachArrival(tell func(t, share float64)) {
	switch b := &m.s.Bag; {
	case len(b.Tasks) > 0:
		tasks, _ := b.Draw(nil) // in order
		for i, t := range tasks {
			if i+1 == len(tasks) || tasks[i+1].Arrival > t.Arrival {
				tell(t.Arrival, float64(i+1)/float64(len(tasks)))
			}
		}
	case b.Arrival != nil:
		step := m.lastArrival() / arrivalSteps
		for k := range arrivalSteps {
			tell(float64(k)*step, 1-law.Survival(b.Arrival, float64(k)*step))
		}
		tell(arrivalSteps*step, 1)
	default:
		tell(0, 1)
	}
}

// arriving returns the number of tasks of a bag that arrive in each cell of a flow, which begins at a
// time with so many left: those that have arrived by then are there in its first cell. A task is
// divided between the beginning and the end of its cell, in proportion to which is nearer.
func (m *model) arriving(step float64, cells int, tasks, begin, left float64) []float64 {
	at := make([]float64, cells)
	put := func(t, n float64) {
		x := (t - begin) / step
		k := int(x)
		if left -= n; k >= cells-1 {
			return
		}
		at[k] += n * (1 - (x - float64(k)))
		at[k+1] += n * (x - float64(k))
	}
	switch b := &m.s.Bag; {
	case len(b.Tasks) > 0:
		for _, t := range b.Tasks {
			if t.Arrival > begin {
				put(t.Arrival, tasks/float64(len(b.Tasks)))
			}
		}
	case b.Arrival != nil:
		before := 1 - law.Survival(b.Arrival, begin)
		for k := range cells - 1 {
			share := 1 - law.Survival(b.Arrival, begin+float64(k+1)*step)
			put(begin+(float64(k)+0.5)*step, tasks*(share-before))
			before = share
		}
		left -= tasks * (1 - before)
	}
	if left > 1e-9*tasks { // more than a rounding
		at[0] += left
	}
	return at
}
