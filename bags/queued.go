package bags

import (
	"math"
	"sort"

	"github.com/capplan/capplan/bags/internal/noneleft"
)

// A queued says what the workers sent last do to a course whose tasks wait when they begin, with
// one result for each task. Without help the queue is empty at E. Workers take n_i tasks each up to
// cell i, and machines are given as many as without help. The queue is then empty at e, sooner by s
// = E − e:
//
//	V_i = alone_i − W n_{i−c}                                            i <= e
//	V_i = R K_i − K_i min(R, T_{i−c}) + (W n_e − W n_{i−c})⁺,            i > e
//	K_i = alone_{i+s}/alone_E,    T_i = Σ_{e<j<=i} (W/c)/K_j
//
// where R is the number of tasks on machines at e, which then do what they would have done from E
// on, and T counts the copies of these that workers have begun, as in [helpedCourse].
type queued struct {
	emptied   float64 // e
	sooner    float64 // s
	running   float64 // R
	begun     float64 // W n_e
	from      float64 // where copies begin: e, or the end of the first wave
	atE, sumE float64 // alone and Σ 1/alone at E
}

// waits returns how many tasks of a course wait in a cell without help.
func (w *helping) waits(c *helpedCourse, i int) float64 {
	u := c.undone[i]
	return min(w.handing.of(u/c.tasks)*c.tasks*c.k/max(c.level, u), c.alone[i])
}

// prepareQueue computes what no number of workers changes, for a course whose tasks wait from a
// cell on.
func (w *helping) prepareQueue(c *helpedCourse, cell int) {
	sum := 0.0
	if cell > 0 {
		sum = c.paced[cell-1]
	}
	c.paced = c.paced[:len(c.alone)]
	for i := cell; i < len(c.alone); i++ {
		u := c.alone[i]
		if u < nothing {
			c.alone, c.paced, c.over, c.ended = c.alone[:i], c.paced[:i], true, true
			return
		}
		if float64(i) >= c.empties {
			sum += 1 / u
		}
		c.paced[i] = sum
	}
}

// sendQueue computes when the queue empties with the given number of workers, and what machines
// have then.
func (w *helping) sendQueue(c *helpedCourse, workers, cells int) {
	q, first := &c.queue, w.firstPart(c)
	most := int(math.Ceil(c.empties)) - c.first
	w.reach(c, c.first+most)
	over := func(i int) float64 { // how many wait after this many cells
		at := min(c.first+i, len(c.alone)-1)
		return w.waits(c, at) - float64(workers)*w.eachBegan(i, first)
	}
	at := sort.Search(most, func(i int) bool { return over(i) <= 0 })
	before, begun := w.waits(c, max(0, c.first-1)), 0.0
	if at > 0 {
		before, begun = over(at-1), float64(workers)*w.eachBegan(at-1, first)
	}
	part := before / max(before-over(at), 1e-300)
	q.begun = begun + part*(float64(workers)*w.eachBegan(at, first)-begun)
	q.emptied = min(c.empties, float64(c.first+at-1)+part)
	q.sooner = c.empties - q.emptied
	q.running = max(0, c.aloneAt(q.emptied)-q.begun)
	q.from = max(q.emptied, float64(c.first)+w.task/w.step-first)
	w.reach(c, cells+int(q.sooner)+2)
	q.atE, q.sumE = c.aloneAt(c.empties), c.pacedAt(q.from+q.sooner)
}

// leftQueued sets out to the number of tasks left from a cell on, with the number of workers that
// sendQueue was called with.
func (w *helping) leftQueued(c *helpedCourse, workers, cell int, out []float64) {
	q, first, n, lag := &c.queue, w.firstPart(c), float64(workers), float64(w.lag)
	pace := w.pace(workers)
	for j := range out {
		i := cell + j
		each := 0.0 // tasks that each worker has done
		if k := i - c.first - w.lag; k >= 0 {
			each = w.eachBegan(k, first)
		}
		done := n * each
		if float64(i) <= q.emptied {
			out[j] = max(0, c.alone[i]-done)
			continue
		}
		at := float64(i) + q.sooner
		stays := 0.0
		if q.atE > 0 {
			stays = c.aloneAt(at) / q.atE
		}
		copies := max(0, n*min(1, each)-q.begun)
		if at-lag > q.from+q.sooner {
			copies += pace * q.atE * (c.pacedAt(at-lag) - q.sumE)
		}
		running := q.running * stays
		if workers <= fewWorkers {
			running = noneleft.Whole(running, stays*copies, noneleft.OfFew(running))
		} else {
			running -= stays * min(q.running, copies)
		}
		out[j] = running + max(0, q.begun-done)
	}
}

// aloneAt returns the number of tasks left without help, between two cells; beyond the last cell
// they fall at the same rate.
func (c *helpedCourse) aloneAt(at float64) float64 {
	last := len(c.alone) - 1
	if at < float64(last) {
		k := int(at)
		return c.alone[k] + (at-float64(k))*(c.alone[k+1]-c.alone[k])
	}
	switch {
	case last < 1, at == float64(last):
		return c.alone[max(0, last)]
	case c.ended:
		return 0
	}
	return c.alone[last] * math.Pow(c.alone[last]/c.alone[last-1], at-float64(last))
}

// pacedAt returns Σ 1/alone up to a place between two cells.
func (c *helpedCourse) pacedAt(at float64) float64 {
	last := len(c.paced) - 1
	if at < float64(last) {
		k := int(at)
		return c.paced[k] + (at-float64(k))*(c.paced[k+1]-c.paced[k])
	}
	return c.paced[last] + (at-float64(last))/c.alone[last]
}
