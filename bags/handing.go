package bags

import (
	"github.com/capplan/capplan/bags/internal/attempts"
	"math"
	"sort"
)

// A handing says how many tasks have no result given out, as a function of how many are not done.
// While tasks wait, workers of the cloud get them like machines, which then go on with others. If
// several results of a task wait, each worker gets one; as the worker makes the task done, the
// other results are wasted.
type handing struct {
	results int
	spare   int       // results of a task that may be missing
	shifts  bool      // what machines do moves forward in time, see [helping.takeHanded]
	ungiven []float64 // share of all tasks, at equal steps from 0 to 1 of the share not done
}

// For help to move forward in time all that machines do later, at least so many tasks, or results
// under BOINC, must be handed out for each machine. With fewer, the number of tasks left does not
// fall evenly, and when nothing waits any more machines are elsewhere in their tasks than they were
// without help: of the 397 designs of TestMostDrawnDesignsHold 10 rather than 8 were late by the
// formula alone.
const (
	shiftedTasks   = 4
	shiftedResults = 8
)

// handingSteps is the number of steps in which ungiven is kept.
const handingSteps = 400

// handing reads off how many tasks are not given out for each number not done. While the units
// before those that are followed are done, each machine has a result.
func (q *quorum) handing(out *handedOut, undone attempts.Grid) *handing {
	if q.rules.Results == 1 && q.lastArrival() > 0 { // the number left says all
		return nil
	}
	h := &handing{q.rules.Results, q.rules.Results - q.rules.Quorum,
		q.n*float64(q.rules.Results) >= shiftedResults*q.there, make([]float64, handingSteps+1)}
	results, begun, cell, at := float64(h.results), 0.0, 0, 0
	for j := handingSteps; j >= 0; j-- {
		left := float64(j) / handingSteps * q.n
		if left > q.followed {
			h.ungiven[j] = max(q.followed, left-q.there/results) / q.n
			continue
		}
		for at < len(undone.F)-1 && undone.F[at] > left {
			at++
		}
		for ; cell < len(out.starts) && float64(cell)*out.step <= float64(at)*undone.Step; cell++ {
			begun += out.starts[cell]
		}
		h.ungiven[j] = min(left, max(0, q.followed-begun/results)) / q.n
		if h.ungiven[j]*q.n < fewUngiven {
			h.ungiven[j] = 0
		}
	}
	return h
}

// handing reads off how many tasks wait for each number not done, for tasks that arrive at once;
// followed is how many the flow follows. Once none has waited, tasks that wait again count as
// running. It returns nil if there are few tasks for each machine.
func (f *flow) handing(followed float64) *handing {
	if f.m.n < shiftedTasks*f.m.there {
		return nil
	}
	h, n, at, emptied := &handing{1, 0, true, make([]float64, handingSteps+1)}, f.m.n, 0, false
	for j := handingSteps; j >= 0; j-- {
		left := float64(j) / handingSteps * n
		if left > followed {
			h.ungiven[j] = max(f.queued[0], left-f.m.there) / n
			continue
		}
		for at < f.cells-1 && f.undone[at] > left {
			at++
		}
		if emptied = emptied || f.queued[at] < fewUngiven; !emptied {
			h.ungiven[j] = min(left, f.queued[at]) / n
		}
	}
	return h
}

// fewUngiven is the number of tasks below which none counts as waiting.
const fewUngiven = 0.5

// of returns the share of tasks without any result given out, when a share one is not done.
func (h *handing) of(undone float64) float64 {
	x := within(undone) * handingSteps
	k := min(int(x), handingSteps-1)
	return h.ungiven[k] + (x-float64(k))*(h.ungiven[k+1]-h.ungiven[k])
}

// within puts a share that rounding may have left outside 0..1 back into it. It is faster than min
// and max.
func within(x float64) float64 {
	switch {
	case x < 0:
		return 0
	case x > 1:
		return 1
	}
	return x
}

// hands reports whether results of a course wait when workers begin. The straight line by which few
// tasks not done are said to wait tells of less than one even where next to none is left.
func (w *helping) hands(c *helpedCourse) bool {
	return w.handing != nil && c.first < len(c.undone) &&
		w.handing.of(c.undone[c.first]/c.tasks)*c.tasks >= fewUngiven
}

// empties returns the number of cells after which no result of a course waits any more, without
// help.
func (w *helping) empties(c *helpedCourse) float64 {
	waits := func(i int) float64 { return w.handing.of(c.undone[i] / c.tasks) }
	at := sort.Search(len(c.undone), func(i int) bool { return waits(i) <= 0 })
	if at < 2 || at == len(c.undone) {
		return float64(at)
	}
	last := waits(at - 1)
	return float64(at-1) + min(1, last/max(waits(at-2)-last, 1e-300))
}

// hand computes how the tasks whose results wait when workers begin are handed out without help,
// from a cell on.
func (w *helping) hand(c *helpedCourse, cell int) {
	left, ungiven := c.k, c.ungiven // without help: tasks not done, and not given out
	if cell > 0 {
		left = c.alone[cell-1]
	}
	alone, undone := c.alone, c.undone[:len(c.alone)]
	starts, each, scale, computed := c.givenOut[:len(alone)], 1/c.tasks, c.tasks*c.k/c.level, len(c.survival.Same)
	c.survival.Grow(max(0, len(alone)-c.first))
	for i := cell; i < len(alone); i++ {
		if i == c.first {
			c.waiting = ungiven
		}
		u, then := undone[i], alone[i]
		still := w.handing.of(u*each) * scale
		if u > c.level {
			still *= c.level / u
		}
		if still > ungiven {
			still = ungiven
		}
		if still > then {
			still = then
		}
		if i >= c.first {
			kept := 1.0
			if could := left - still; could > 0 {
				kept = within(1 - (left-then)/could)
			}
			c.survival.Same[i-c.first] = kept
		}
		starts[i], ungiven, left = ungiven-still, still, then
	}
	c.ungiven = ungiven
	c.survival.Multiply(computed, w.handing.spare)
}

// first returns the law of the time at which the first result is given out, to machines that begin
// to work at random: 1 − e^(−Σ a).
func (out *handedOut) first() *attempts.Grid {
	g := &attempts.Grid{Step: out.step, F: make([]float64, len(out.fresh)+1)}
	begun := 0.0
	for i, a := range out.fresh {
		begun += a
		g.F[i+1] = -math.Expm1(-begun)
	}
	return g
}

// from returns a branch for the case that the first result is given out at quantile p of its law.
// From then on it follows the mean course from the mean of that time on, since machines begin to
// work one by one at random. It also returns that time's cell and how many tasks are not done by
// then.
func (w *helping) from(b branch, first *attempts.Grid, p float64) (undone []float64, asked int, level float64) {
	mean, cells := 0, len(b.undone)
	for i := 0; i < cells && first.At(float64(i)*w.step) < 1-1/math.E; i++ {
		mean = i
	}
	asked = min(int(math.Round(first.Quantile(p)/w.step)), cells)
	undone = w.room.Cut(cells)[:cells]
	for i := range undone {
		undone[i] = b.undone[min(max(0, i-asked+mean), cells-1)]
		if w.late != nil {
			undone[i] = max(undone[i], w.late[i]*b.undone[0])
		}
	}
	return undone, asked, undone[min(asked, cells-1)]
}
