package bags

import (
	"math"
	"slices"
)

// A helpedCourse is what may become of the bag once its share is done, with its chance.
//
// From the cell on in which workers begin machines leave a share same_i of what waited
// first, and of the A_i same_i that would wait in all with late tasks workers have taken
// T_i same_i, at P a cell, each of which is done c cells later unless machines were sooner:
//
//	T_i = min(A_i, T_{i−1} + P/same_i)
//	V_i = alone_i − same_i T_{i−c}
//
// so that one look at a cell tells what any number of workers leave then, where no
// tasks come late and A is all that waited: T_i = min(A, P Σ 1/same).
type helpedCourse struct {
	share  float64
	tasks  float64   // of the bag
	k      float64   // tasks that are left then
	asked  int       // the cell in which help is asked for; cells of the law: never
	begins float64   // s, when workers begin
	first  int       // cells from asked on until they do
	unpaid float64   // cells from asked on until they are started, at the next look
	alone  []float64 // of the k tasks, how many are left without help, by cell from asked on until none is

	// By cell from first on.
	same  []float64
	paced []float64 // Σ 1/same; where tasks come late 1/same
	came  []float64 // A where tasks come late; else nil
	all   float64   // A where none does
	sure  int       // cells until same is none, and told anew; their number: never

	// By cell from asked on, where results wait when workers begin, in place of those: of how
	// many tasks none is given out without help, and of the others the share that stays left.
	ungiven, kept []float64
}

// fewLeft is a mean number of tasks below which their chance is that of a Poisson number
// rather than of a normal one.
const fewLeft = 4

// cut returns n numbers of the room.
func (w *helping) cut(n int) []float64 {
	if len(w.room)+n > cap(w.room) {
		w.room = make([]float64, 0, max(1<<14, 2*cap(w.room), n)) // what was cut before stays where it is
	}
	w.room = w.room[:len(w.room)+n]
	return w.room[len(w.room)-n : len(w.room) : len(w.room)]
}

// alone fills in how many of k tasks are left without help, where undone are on average
// and level are when it is asked for, in a course for each of the lucks: a binomial
// number, of which luck is the part that is near normal,
//
//	kp + z √(kp(1 − p) kp/(kp + fewLeft)),    p = undone/level
func alone(undone []float64, k, level float64, lucks []point, courses []helpedCourse) {
	if len(lucks) == 1 {
		out, before := courses[0].alone[:len(undone)], k
		for i, u := range undone {
			if v := k * (u / level); v < before {
				before = v
			}
			out[i] = before
		}
		return
	}
	for i, u := range undone {
		p := min(1, u/max(level, u))
		mean := k * p
		sd := mean * math.Sqrt((1-p)/(mean+fewLeft))
		for j, luck := range lucks {
			out := courses[j].alone
			before := k
			if i > 0 {
				before = out[i-1]
			}
			out[i] = min(before, max(0, mean+luck.at*sd))
		}
	}
}

// fewSame is a share of the tasks that waited first that is taken for none.
const fewSame = 1e-100

// prepare tells of a course what no number of workers changes, up to the cell from which
// nothing is left without any.
func (w *helping) prepare(c *helpedCourse) {
	if c.first >= len(c.alone) || c.kept != nil {
		return
	}
	if w.late != nil {
		w.prepareLate(c)
		return
	}
	c.all = c.k
	if c.first > 0 {
		c.all = c.alone[c.first-1]
	}
	rest := c.alone[c.first:]
	c.same, c.paced, c.sure = w.cut(len(rest)), w.cut(len(rest)), len(rest)
	pace, part, each := 0.0, w.firstPart(c), 1/c.all
	for i, u := range rest {
		if u < nothing {
			c.end(i)
			return
		}
		c.same[i] = u * each
		pace += part * c.all / u
		c.paced[i], part = pace, 1
	}
}

// firstPart is for which part of the cell before the first one workers were there.
func (w *helping) firstPart(c *helpedCourse) float64 {
	return min(1, (float64(c.asked+c.first)*w.step-c.begins)/w.step+1e-9)
}

// end leaves out the cells from so many after workers begin on.
func (c *helpedCourse) end(cells int) {
	c.alone = c.alone[:c.first+cells]
	c.same, c.paced, c.sure = c.same[:cells], c.paced[:cells], min(c.sure, cells)
	if c.came != nil {
		c.came = c.came[:cells]
	}
}

// prepareLate does where tasks come late. Workers take nothing that has not arrived: of
// what has a share is done by machines in each cell, whether it waits for a worker or not.
func (w *helping) prepareLate(c *helpedCourse) {
	rest := c.alone[c.first:]
	c.same, c.paced, c.came, c.sure = w.cut(len(rest)), w.cut(len(rest)), w.cut(len(rest)), len(rest)
	before := c.k
	if c.first > 0 {
		before = c.alone[c.first-1]
	}
	away, part := w.away(c, max(0, c.first-1)), w.firstPart(c)
	waiting, same := before-away, 1.0
	late := w.late[c.asked+c.first:][:len(rest)]
	sames, paced, came := c.same[:len(rest)], c.paced[:len(rest)], c.came[:len(rest)]
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
			c.end(i)
			return
		}
		// Those that come while machines do all that is there are there at its end.
		rest[i] = away + waiting
		if same *= kept; c.sure == len(rest) && same < fewSame { // its inverse would be beyond all numbers
			c.sure, same = i, kept
		}
		inverse := 1 / same
		sames[i], paced[i], came[i] = same, part*inverse, waiting*inverse
		part = 1
	}
}

// away is how many tasks have not arrived so many cells after help is asked for.
func (w *helping) away(c *helpedCourse, i int) float64 {
	if w.late == nil {
		return 0
	}
	return min(w.late[c.asked+i]*c.tasks, c.alone[i])
}

// nothing is a mean number of tasks that is taken for none.
const nothing = 1e-7

// take fills in what so many workers take up to a cell, in so many after help is asked for,
// where tasks come late.
func (w *helping) take(c *helpedCourse, workers, cells int) {
	if c.kept != nil {
		w.takeHanded(c, workers, cells)
		return
	}
	if c.came == nil {
		return
	}
	cells = max(0, min(cells-c.first-w.lag, c.sure))
	w.taken = slices.Grow(w.taken[:0], cells)[:cells]
	taken, pace, came, paced := 0.0, w.pace(workers), c.came[:cells], c.paced[:cells]
	for i := range w.taken {
		if taken += pace * paced[i]; taken > came[i] {
			taken = came[i]
		}
		w.taken[i] = taken
	}
}

// pace is how many tasks so many workers begin in a cell.
func (w *helping) pace(workers int) float64 { return float64(workers) / w.task * w.step }

// left is how many tasks are left so many cells after help by so many workers was asked for,
// who have taken what [helping.take] says up to there.
func (w *helping) left(c *helpedCourse, workers, cell int) float64 {
	var one [1]float64
	w.leftFrom(c, workers, cell, one[:])
	return one[0]
}

// leftFrom fills in those in the cells from one on.
func (w *helping) leftFrom(c *helpedCourse, workers, cell int, out []float64) {
	copy(out, c.alone[cell:])
	i := cell - c.first // cells that workers have worked for
	if c.kept != nil {
		if early := max(0, -i); early < len(out) {
			copy(out[early:], w.taken[i+early:])
		}
		return
	}
	if early := w.lag - i; early > 0 {
		if early >= len(out) {
			return
		}
		i, out = w.lag, out[early:]
	}
	if c.came == nil {
		pace, same, paced := w.pace(workers), c.same[i:][:len(out)], c.paced[i-w.lag:][:len(out)]
		for j := range out {
			taken := pace * paced[j]
			if taken > c.all {
				taken = c.all
			}
			out[j] -= same[j] * taken
		}
		return
	}
	sure := max(0, min(len(out), c.sure-i))
	if sure > 0 {
		same, taken := c.same[i:][:sure], w.taken[i-w.lag:][:sure]
		for j := range same {
			out[j] -= same[j] * taken[j]
		}
	}
	if sure == len(out) || c.sure <= w.lag {
		return
	}
	last := c.same[c.sure-1] * w.taken[c.sure-1-w.lag] // done by machines from there on
	for j := sure; j < len(out); j++ {
		out[j] -= c.same[i+j] * last
	}
}

// cellsOf is in how many cells of a step a time is over.
func cellsOf(time, step float64) int {
	return int(max(1, min(math.Ceil(time/step-1e-9), math.MaxInt32)))
}
