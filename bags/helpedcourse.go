package bags

import (
	"math"
	"slices"

	"github.com/capplan/capplan/bags/internal/lasting"
	"github.com/capplan/capplan/bags/internal/noneleft"
)

// A helpedCourse is one way in which the bag may go on once the share at which help starts is done,
// with its chance.
//
// Let same_i be the share left, i cells after workers begin, of the tasks that waited for a worker
// first, and let A_i same_i be all that would wait without workers, including tasks that arrive
// late. Workers, who take P tasks in a cell, have taken T_i same_i of these; each is done c cells
// later unless a machine was sooner:
//
//	T_i = min(A_i, T_{i−1} + P/same_i)
//	V_i = alone_i − same_i T_{i−c}
//
// One cell therefore gives what any number of workers leave, if no tasks arrive late and A is the
// number that waited at first: T_i = min(A, P Σ 1/same).
//
// A course is computed only as far as it is needed, see reach.
type helpedCourse struct {
	share  float64
	tasks  float64   // of the bag
	k      float64   // tasks that are left when help is asked for
	level  float64   // the mean of that number
	luck   float64   // standard deviations by which more or fewer than the mean are left later
	undone []float64 // mean without help, by cell from asked on
	asked  int       // the cell in which help is asked for; the number of cells: never
	begins float64   // s, when workers begin
	first  int       // cells from asked on until they do
	unpaid float64   // cells from asked on until workers are started, at the next look

	alone []float64 // how many of the k tasks are left without help, by cell from asked on
	over  bool      // nothing is left after the last of these

	// By cell from first on.
	same  []float64
	paced []float64 // Σ 1/same; if tasks arrive late, 1/same
	came  []float64 // A, if tasks arrive late
	all   float64   // A, if none does
	sure  int       // cells until same underflows and starts anew; -1: it does not

	before, away float64 // if tasks arrive late: of the last cell computed
	waiting      float64 // like before; if results wait: tasks without any result when workers begin

	// If results wait when workers begin, instead of these, by cell from asked on: how many tasks
	// are given out without help. ungiven is the number of tasks without any result after the last
	// of these cells. survival says what is left of those given out.
	handed   bool
	givenOut []float64
	ungiven  float64
	survival lasting.Shares

	nobody   []float64 // see nobodies
	eachPaid float64   // a lower bound of the hours of each worker, times the share
	empties  float64   // cells from asked on until nothing waits, if anything does

	queues bool   // tasks wait when workers begin, with one result for each
	queue  queued // if queues
	ended  bool   // nothing is left after the last cell
}

// reach computes a course up to a number of cells after help is asked for, or until nothing is
// left.
func (w *helping) reach(c *helpedCourse, cells int) {
	cells = min(cells, len(c.undone))
	if c.over || cells <= len(c.alone) {
		return
	}
	if c.alone == nil {
		n := len(c.undone)
		c.alone, c.sure = w.room.Cut(n), -1
		switch {
		case c.handed:
			c.givenOut, c.ungiven = w.room.Cut(n), c.k
			c.survival.Cut(w.room.Cut, n-c.first)
			c.empties = w.empties(c)
		case c.queues:
			c.paced = w.room.Cut(n)
			c.empties = w.empties(c)
		case w.late != nil:
			c.came = w.room.Cut(n - c.first)
			fallthrough
		default:
			c.same, c.paced = w.room.Cut(n-c.first), w.room.Cut(n-c.first)
		}
	}
	from := len(c.alone)
	c.alone = c.alone[:cells]
	c.aloneFrom(from)
	c.over = cells == len(c.undone)
	switch {
	case c.handed:
		c.givenOut = c.givenOut[:cells]
		w.hand(c, from)
		return
	case c.queues:
		w.prepareQueue(c, from)
		return
	case cells <= c.first:
		return
	}
	computed := len(c.same)
	c.same, c.paced = c.same[:cells-c.first], c.paced[:cells-c.first]
	if w.late == nil {
		w.prepare(c, computed)
		return
	}
	c.came = c.came[:cells-c.first]
	w.prepareLate(c, computed)
}

// aloneFrom computes from a cell on how many of the k tasks are left without help, if undone are
// left on average and level were on average when help was asked for. That is a binomial number, of
// which luck shifts the part that is nearly normal:
//
//	kp + luck √(kp(1 − p) kp/(kp + noneleft.Few)),    p = undone/level
func (c *helpedCourse) aloneFrom(cell int) {
	before := c.k
	if cell > 0 {
		before = c.alone[cell-1]
	}
	out := c.alone[cell:]
	undone := c.undone[cell:][:len(out)]
	for i, u := range undone {
		p := u / c.level
		v := c.k * p
		if c.luck != 0 {
			if p > 1 {
				p = 1
			}
			if v += c.luck * v * math.Sqrt((1-p)/(v+noneleft.Few)); v < 0 {
				v = 0
			}
		}
		if v < before {
			before = v
		}
		out[i] = before
	}
}

// prepare computes what does not depend on the number of workers, from a number of cells after they
// begin.
func (w *helping) prepare(c *helpedCourse, cell int) {
	pace, before, part := 0.0, 0.0, w.firstPart(c)
	if cell > 0 {
		pace, before = c.paced[cell-1], w.eachBegan(cell-1, part)
	} else {
		c.all = c.beforeWorkers()
	}
	each := 1 / c.all
	for i, u := range c.alone[c.first+cell:] {
		if u < nothing {
			c.end(cell + i)
			return
		}
		c.same[cell+i] = u * each
		begun := w.eachBegan(cell+i, part)
		if begun > before {
			pace += (begun - before) * c.all / u
		}
		c.paced[cell+i], before = pace, begun
	}
}

// beforeWorkers returns how many tasks are left in the cell before workers begin.
func (c *helpedCourse) beforeWorkers() float64 {
	if c.first == 0 {
		return c.k
	}
	return c.alone[c.first-1]
}

// firstPart returns for which part of the cell before the first one workers were present.
func (w *helping) firstPart(c *helpedCourse) float64 {
	return min(1, (float64(c.asked+c.first)*w.step-c.begins)/w.step+1e-9)
}

// end cuts the course at the cell, counted from when workers begin, from which on nothing is left.
func (c *helpedCourse) end(cells int) {
	c.alone, c.same, c.paced, c.over = c.alone[:c.first+cells], c.same[:cells], c.paced[:cells], true
	if c.came != nil {
		c.came = c.came[:cells]
	}
}

// prepareLate is prepare if tasks arrive late. Workers take only tasks that have arrived. Of those,
// machines do the same share in each cell whether they wait for a worker or not.
func (w *helping) prepareLate(c *helpedCourse, cell int) {
	same, part := 1.0, 1.0
	if cell > 0 {
		same = c.same[cell-1]
	} else {
		c.before, part = c.beforeWorkers(), w.firstPart(c)
		c.away = min(w.late[c.asked+max(0, c.first-1)]*c.tasks, c.alone[max(0, c.first-1)])
		c.waiting = c.before - c.away
	}
	before, away, waiting := c.before, c.away, c.waiting
	rest := c.alone[c.first+cell:]
	late := w.late[c.asked+c.first+cell:][:len(rest)]
	sames, paced, came := c.same[cell:][:len(rest)], c.paced[cell:][:len(rest)], c.came[cell:][:len(rest)]
	for i, u := range rest {
		kept, come := 1.0, away
		if there := before - away; there > 0 {
			if kept = 1 - (before-u)/there; kept < 0 {
				kept = 0
			}
		}
		if away = late[i] * c.tasks; away > u {
			away = u
		}
		come -= away
		before = u
		waiting = waiting*kept + come
		if away+waiting < nothing {
			c.end(cell + i)
			return
		}
		// Tasks that arrive while machines do all that is there are still there at the end of the
		// cell.
		rest[i] = away + waiting
		if same *= kept; c.sure < 0 && same < lasting.Few { // its inverse would overflow
			c.sure, same = cell+i, kept
		}
		inverse := 1 / same
		sames[i], paced[i], came[i] = same, part*inverse, waiting*inverse
		part = 1
	}
	c.before, c.away, c.waiting = before, away, waiting
}

// nothing is the mean number of tasks below which none counts as left.
const nothing = 1e-7

// take computes how many tasks the workers take up to a cell, counted from the request for help, if
// tasks arrive late. It continues after the cells computed before.
func (w *helping) take(c *helpedCourse, workers, cells int) {
	switch {
	case c.handed:
		w.takeHanded(c, workers, cells)
		return
	case c.queues:
		w.sendQueue(c, workers, cells)
		return
	}
	if w.late == nil {
		return
	}
	from, to := len(w.byCell), min(cells, len(c.alone))-c.first-w.lag
	if c.sure >= 0 {
		to = min(to, c.sure)
	}
	if to <= from {
		return
	}
	w.byCell = slices.Grow(w.byCell, to-from)[:to]
	taken, pace := 0.0, w.pace(workers)
	if from > 0 {
		taken = w.byCell[from-1]
	}
	out, came, paced := w.byCell[from:], c.came[from:to], c.paced[from:to]
	for i := range out {
		if taken += pace * paced[i]; taken > came[i] {
			taken = came[i]
		}
		out[i] = taken
	}
}

// pace returns how many tasks the workers begin in a cell.
func (w *helping) pace(workers int) float64 { return float64(workers) / w.task * w.step }

// left returns how many tasks are left a number of cells after workers were requested.
// [helping.take] must have been called that far for this number of workers.
func (w *helping) left(c *helpedCourse, workers, cell int) float64 {
	var one [1]float64
	w.leftFrom(c, workers, cell, one[:])
	return one[0]
}

// leftFrom is left for the cells from one on.
func (w *helping) leftFrom(c *helpedCourse, workers, cell int, out []float64) {
	if c.queues {
		w.leftQueued(c, workers, cell, out)
		return
	}
	copy(out, c.alone[cell:])
	i := cell - c.first // cells that workers have worked for
	if c.handed {
		if early := max(0, -i); early < len(out) {
			copy(out[early:], w.byCell[i+early:])
		}
		return
	}
	if early := w.lag - i; early > 0 {
		if early >= len(out) {
			return
		}
		i, out = w.lag, out[early:]
	}
	if w.late == nil {
		pace, same, paced := float64(workers), c.same[i:][:len(out)], c.paced[i-w.lag:][:len(out)]
		if workers <= fewWorkers {
			nobody := w.nobodies(c, c.first+i+len(out))[c.first+i:]
			for j := range out {
				out[j] = noneleft.Whole(out[j], same[j]*(pace*paced[j]), nobody[j])
			}
			return
		}
		for j := range out {
			taken := pace * paced[j]
			if taken > c.all {
				taken = c.all
			}
			out[j] -= same[j] * taken
		}
		return
	}
	sure := len(out)
	if c.sure >= 0 {
		sure = max(0, min(sure, c.sure-i))
	}
	if sure > 0 {
		same, taken := c.same[i:][:sure], w.byCell[i-w.lag:][:sure]
		for j := range same {
			out[j] -= same[j] * taken[j]
		}
	}
	if sure == len(out) || c.sure <= w.lag {
		return
	}
	last := c.same[c.sure-1] * w.byCell[c.sure-1-w.lag] // done by machines from there on
	for j := sure; j < len(out); j++ {
		out[j] -= c.same[i+j] * last
	}
}

// cellsOf returns the number of cells of a step that a time takes.
func cellsOf(time, step float64) int {
	return int(max(1, min(math.Ceil(time/step-1e-9), math.MaxInt32)))
}
