package bags

import (
	"math"
	"slices"
)

// A handing says of how many tasks no result is given out, beside how many are not done:
// where several results of a task wait, each worker of the cloud is given one of them as
// machines are, and as one of these makes the task done the others are for nothing.
type handing struct {
	results int
	ungiven []float64 // share of the tasks, by that of those that are not done in equal steps from 0 to 1
}

// handingSteps is in how many of these it is kept.
const handingSteps = 400

// handing reads off what is given out of a bag beside what is not done. Of the units that
// are done before those that are followed machines have a result each.
func (q *quorum) handing(out *handedOut, undone grid) *handing {
	h := &handing{q.rules.Results, make([]float64, handingSteps+1)}
	if h.results == 1 {
		return nil
	}
	results, given, cell, at := float64(h.results), 0.0, 0, 0
	for j := handingSteps; j >= 0; j-- {
		left := float64(j) / handingSteps * q.n
		if left > q.followed {
			h.ungiven[j] = max(q.followed, left-q.there/results) / q.n
			continue
		}
		for at < len(undone.f)-1 && undone.f[at] > left {
			at++
		}
		for ; cell < len(out.starts) && float64(cell)*out.step <= float64(at)*undone.step; cell++ {
			given += out.starts[cell]
		}
		h.ungiven[j] = min(left, max(0, q.followed-given/results)) / q.n
		if h.ungiven[j]*q.n < fewUngiven {
			h.ungiven[j] = 0
		}
	}
	return h
}

// fewUngiven is a number of tasks that is taken for none.
const fewUngiven = 0.5

// of is the share of the tasks of which no result is given out when one is not done.
func (h *handing) of(undone float64) float64 {
	x := within(undone) * handingSteps
	k := min(int(x), handingSteps-1)
	return h.ungiven[k] + (x-float64(k))*(h.ungiven[k+1]-h.ungiven[k])
}

// within is a share that rounding may have put beyond 0 or 1, sooner than min and max tell it.
func within(x float64) float64 {
	switch {
	case x < 0:
		return 0
	case x > 1:
		return 1
	}
	return x
}

// hands says whether results of a course wait when workers begin.
func (w *helping) hands(c *helpedCourse) bool {
	return w.handing != nil && c.first < len(c.undone) && w.handing.of(c.undone[c.first]/c.tasks) > 0
}

// hand fills in how tasks of which results wait when workers begin are handed out without help,
// from a cell on.
func (w *helping) hand(c *helpedCourse, cell int) {
	left, ungiven := c.k, c.ungiven // without help: not done, and not given out
	if cell > 0 {
		left = c.alone[cell-1]
	}
	alone, undone := c.alone, c.undone[:len(c.alone)]
	kept, late, given := c.kept[:len(alone)], c.late[:len(alone)], c.given[:len(alone)]
	each := 1 / c.tasks
	for i := cell; i < len(alone); i++ {
		if i == c.first {
			c.waiting = ungiven
		}
		u, then := undone[i], alone[i]
		still := w.handing.of(u*each) * c.tasks * c.k / max(c.level, u)
		if still > ungiven {
			still = ungiven
		}
		if still > then {
			still = then
		}
		kept[i] = 1
		if could := left - still; could > 0 {
			kept[i] = within(1 - (left-then)/could)
		}
		late[i] = 0 // those that have not arrived are not given out
		if w.late != nil {
			if late[i] = w.late[c.asked+i] * c.tasks; late[i] > then {
				late[i] = then
			}
		}
		given[i], ungiven, left = ungiven-still, still, then
	}
	c.ungiven = ungiven
}

// first is the law of when the first result is given out, to machines that begin to work at
// random: 1 − e^(−Σ a).
func (out *handedOut) first() *grid {
	g := &grid{out.step, make([]float64, len(out.fresh)+1)}
	begun := 0.0
	for i, a := range out.fresh {
		begun += a
		g.f[i+1] = -math.Expm1(-begun)
	}
	return g
}

// from is how a branch goes if the first result is given out at a quantile of its law: as on
// average from the mean of that on, since machines begin to work one by one at random. It
// returns the cell too, and how many tasks are not done by then.
func (w *helping) from(b branch, first *grid, p float64) (undone []float64, asked int, level float64) {
	mean, cells := 0, len(b.undone)
	for i := 0; i < cells && first.at(float64(i)*w.step) < 1-1/math.E; i++ {
		mean = i
	}
	asked = min(int(math.Round(first.quantile(p)/w.step)), cells)
	undone = w.room.cut(cells)[:cells]
	for i := range undone {
		undone[i] = b.undone[min(max(0, i-asked+mean), cells-1)]
		if w.late != nil {
			undone[i] = max(undone[i], w.late[i]*b.undone[0])
		}
	}
	return undone, asked, undone[min(asked, cells-1)]
}

// A given is what is handed out of a course with help in its last cell that was told.
type given struct{ waiting, running, helped float64 } // running on machines only

// takeHanded fills in what so many workers leave, up to so many cells after help is asked for,
// where results wait when they begin; after what was filled in before. Machines are given m
// tasks in a cell as without help, and workers what they do of results,
//
//	m + (W/c)/results    tasks, of these 1 − (1 − q)^results to a worker too
//
// with q the share of the workers among the results, until nothing waits. Then workers take
// those that are on machines only, which do as great a share of these as without help.
func (w *helping) takeHanded(c *helpedCourse, workers, cells int) {
	from, to := len(w.taken), min(cells, len(c.alone))-c.first
	if to <= from {
		return
	}
	w.taken = slices.Grow(w.taken, to-from)[:to]
	w.begun = slices.Grow(w.begun[:from], to-from)[:to] // by workers
	taken, begins := w.taken[:to], w.begun[:to]
	part := w.pace(workers)
	if from == 0 {
		w.given = given{waiting: c.waiting, running: c.beforeWorkers() - c.waiting}
		part *= w.firstPart(c)
	} else if taken[from-1] < nothing {
		clear(taken[from:])
		return
	}
	waiting, running, helped := w.given.waiting, w.given.running, w.given.helped
	handed, kept, late := c.given[c.first:][:to], c.kept[c.first:][:to], c.late[c.first:][:to]
	results := w.handing.results
	each := part / float64(results)
	for i := from; i < to; i++ {
		free, begun := part, 0.0
		if there := waiting - late[i]; there > 0 {
			free = 0
			all, machines := handed[i]+each, 1.0
			if all > 0 {
				machines = power(handed[i]/all, results)
			}
			if all > there {
				free = part * (1 - there/all) // for copies of what runs
				all = there
			}
			begun = all * (1 - machines)
			waiting -= all
			running += all - begun
		}
		if running *= kept[i]; free > 0 {
			if free > running {
				free = running
			}
			running -= free
			begun += free
		}
		begins[i] = begun
		helped += begun
		if done := i - w.lag; done >= 0 {
			if helped -= begins[done]; helped < 0 {
				helped = 0
			}
		}
		if taken[i] = waiting + running + helped; taken[i] < nothing {
			clear(taken[i:])
			return
		}
		if i == 0 {
			part = w.pace(workers)
			each = part / float64(results)
		}
	}
	w.given = given{waiting, running, helped}
}

// power is x to a whole number that is small.
func power(x float64, n int) float64 {
	if n == 3 { // the default, in short
		return x * x * x
	}
	p := x
	for range n - 1 {
		p *= x
	}
	return p
}
