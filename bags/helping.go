package bags

import "math"

// helping follows a bag that is helped from a start on, by any number of workers.
type helping struct {
	step, task float64 // s
	cells      int     // in which the law is kept
	courses    []helpedCourse
	late       []float64 // share of the tasks that has not arrived, by cell; nil: all have
	come       []float64 // see FinishLaw; nil: all have
	copies     []copied
	left       []float64 // V, by cell from that on in which help is asked for
	room       []float64 // for the courses, of which those of another start have no more need
	tables     []*noneTable
}

// A helpedCourse is what may become of the bag once its share is done, with its chance.
type helpedCourse struct {
	share  float64
	tasks  float64   // of the bag
	k      float64   // tasks that are left then
	asked  int       // the cell in which help is asked for; cells: never
	begins float64   // s, when workers begin
	alone  []float64 // of the k tasks, how many are left without help, by cell from asked on
}

// copied says when copies were made, and how many for each task that waited when the
// workers began and is not done.
type copied struct{ at, per float64 }

// helping returns the courses of a start, in each branch at several times of it.
//
// The share is done with the first n − k of n tasks. As tasks are done independently
// of each other, U of that time is n times a Beta(k+1, n−k), which is near a gamma of
// mean k + 1 whose cube root is near normal (Wilson, Hilferty, Proc. Nat. Acad. Sci. 17,
// 1931); here with the variance of the Beta, so that all is left for sure at the
// beginning. How many of the k are left later without help is a binomial number.
//
// Roughly is with fewer courses, for drawings. The one before, or nil, is not to be used
// any more: its room is.
func (f *FinishLaw) helping(start float64, c Cloud, roughly bool, before *helping) *helping {
	w := &helping{step: f.law.step, task: f.work / c.Speed, cells: len(f.law.f), late: f.late, come: f.come}
	if before != nil {
		w.courses, w.copies, w.left, w.room = before.courses[:0], before.copies, before.left, before.room[:0]
	}
	undone := 1 - f.startTask(start)/f.tasks
	for _, b := range f.branches {
		k := undone * b.undone[0]
		sd := math.Sqrt((1-undone)/(k+1)) / 3
		askedAt, lucks := askedAt, lucks
		switch {
		case len(f.branches) > manyBranches:
			askedAt, lucks = sure, sure
		case k > manyLeft || roughly:
			askedAt, lucks = lucks, sure
		}
		for _, z := range askedAt {
			root := max(0.05, 1-sd*sd+z.at*sd)
			level := min(b.undone[0], (k+1)*root*root*root)
			if undone >= 1 {
				level = k
			}
			asked := 0
			for asked < len(b.undone) && b.undone[asked] > level {
				asked++
			}
			first := len(w.courses)
			for _, luck := range lucks {
				w.courses = append(w.courses, helpedCourse{
					share: b.share * z.share * luck.share, tasks: b.undone[0], k: k, asked: asked,
					begins: c.begins(float64(asked) * w.step),
					alone:  w.cut(len(b.undone) - asked),
				})
			}
			alone(b.undone[asked:], k, level, lucks, w.courses[first:])
		}
	}
	return w
}

// Points of a normal law with their shares, in standard deviations: of when the share is
// done, close to each other since the chance is a step there; and of how many are left
// later, by the rule of Gauss and Hermite.
var (
	askedAt = evenly(3, 2.4)
	lucks   = []point{{-math.Sqrt(3), 1. / 6}, {0, 2. / 3}, {math.Sqrt(3), 1. / 6}}
	sure    = []point{{0, 1}}
)

// manyLeft is a number of tasks left whose standard deviation is some 5 % of them.
const manyLeft = 400

// manyBranches is a number of branches that tell the times of a start apart by themselves.
const manyBranches = 20

type point struct{ at, share float64 }

// evenly returns n points on either side of 0 and that one, up to the given reach.
func evenly(n int, reach float64) []point {
	var all []point
	sum := 0.0
	for i := -n; i <= n; i++ {
		z := reach * float64(i) / float64(n)
		all = append(all, point{z, math.Exp(-z * z / 2)})
		sum += math.Exp(-z * z / 2)
	}
	for i := range all {
		all[i].share /= sum
	}
	return all
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
	for i, u := range undone {
		p := min(1, u/max(level, u))
		mean := k * p
		sd := 0.0
		if len(lucks) > 1 {
			sd = mean * math.Sqrt((1-p)/(mean+fewLeft))
		}
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

// follow fills in what is left in a course, from the cell in which help is asked for to
// that before end or from which nothing is. Workers take nothing that has not arrived: of
// what has, a share is done by machines in each cell, whether it waits for a worker or not.
func (w *helping) follow(c *helpedCourse, workers, end int) {
	perStep := float64(workers) / w.task * w.step
	first := max(0, int(min(math.Ceil(c.begins/w.step), float64(end)))-c.asked)
	w.copies = w.copies[:0]
	if c.asked >= end {
		w.left = w.left[:0]
		return
	}
	w.left = append(w.left[:0], c.alone[:first]...)
	if c.asked+first >= end {
		return
	}
	before := c.k
	if first > 0 {
		before = c.alone[first-1]
	}
	away := w.away(c, max(0, first-1))
	waiting, running, head := before-away, 0.0, 0 // R, what runs on workers, the oldest of it
	same := 1.0                                   // of what waited first, what machines have not done
	for i := first; c.asked+i < end; i++ {
		u, now, kept, come := c.alone[i], float64(c.asked+i)*w.step, 1.0, away
		if there := before - away; there > 0 {
			kept = max(0, 1-(before-u)/there)
		}
		away = w.away(c, i)
		come -= away
		if same *= kept; same < fewSame { // its inverse would be beyond all numbers
			same = 0
		}
		waiting = waiting*kept + come
		running *= kept
		before = u
		if take := min(waiting, perStep*min(1, (now-c.begins)/w.step+1e-9)); take > 0 && same > 0 {
			w.copies = append(w.copies, copied{now, take / same})
			waiting -= take
			running += take
		}
		for ; head < len(w.copies) && w.copies[head].at+w.task <= now; head++ {
			running = max(0, running-w.copies[head].per*same)
		}
		if head == len(w.copies) {
			running = 0
		}
		if away+waiting+running < nothing {
			return
		}
		w.left = append(w.left, away+waiting+running)
	}
}

// fewSame is a share of the tasks that waited first that is taken for none.
const fewSame = 1e-100

// away is how many tasks have not arrived so many cells after help is asked for.
func (w *helping) away(c *helpedCourse, i int) float64 {
	if w.late == nil {
		return 0
	}
	return min(w.late[c.asked+i]*c.tasks, c.alone[i])
}

// comes is by cell the chance that all tasks have arrived, a bound that no help passes:
// the few points at which help is asked for leave out that the last task comes far later.
func (f *FinishLaw) comes() []float64 {
	if f.late == nil {
		return nil
	}
	out := make([]float64, len(f.late))
	for i, late := range f.late {
		for _, b := range f.branches {
			out[i] += b.share * noneOf(b.undone[0], late*b.undone[0])
		}
	}
	return out
}

// bounded is a chance in a cell, at most that of all tasks having arrived.
func (w *helping) bounded(chance float64, cell int) float64 {
	if w.come == nil {
		return min(1, chance)
	}
	return min(chance, w.come[cell])
}

// nothing is a mean number of tasks that is taken for none.
const nothing = 1e-7

// done is the chance that no task is left in a cell of a course that was followed.
func (w *helping) done(c *helpedCourse, cell int) float64 {
	i := cell - c.asked
	switch {
	case i < 0:
		return 0
	case i >= len(w.left):
		return 1
	case w.left[i] < 1e-4: // to 1e-8
		return 1 - w.left[i]
	}
	return noneOf(c.k, w.left[i])
}

// chance is that of being done by a time.
func (w *helping) chance(workers int, by float64) float64 {
	last := max(1, min(int(by/w.step)+1, w.cells-1))
	from, to := 0.0, 0.0
	for i := range w.courses {
		c := &w.courses[i]
		w.follow(c, workers, last+1)
		from += c.share * w.done(c, last-1)
		to += c.share * w.done(c, last)
	}
	from, to = w.bounded(from, last-1), w.bounded(to, last)
	return from + min(1, by/w.step-float64(last-1))*(to-from)
}

// hours are those of so many workers, expected; where they are above a limit it may be
// any number above that.
func (w *helping) hours(workers int, limit float64) float64 {
	sum := 0.0
	for i := range w.courses {
		c := &w.courses[i]
		w.follow(c, workers, w.cells)
		if sum += w.paid(c, workers, nil); sum > limit {
			break
		}
	}
	return sum
}

// paid are the hours of workers in a course that was followed, by its share; the chance
// to be done is added to a law, nil for none, in the cells in which it is open.
func (w *helping) paid(c *helpedCourse, workers int, law []float64) float64 {
	open, table := 0.0, w.table(c.k) // s
	for i, v := range w.left {
		done := 0.0
		if v < mostLeft {
			if table != nil {
				done = table.at(v)
			} else {
				done = w.done(c, c.asked+i)
			}
			if law != nil {
				law[c.asked+i] += c.share * done
			}
		}
		if i > 0 {
			open += (1 - done) * w.step
		}
	}
	return c.share * float64(workers) * open / 3600
}

// helped is how the bag goes with so many workers.
func (w *helping) helped(h Help) *Helped {
	out := &Helped{Help: h, law: grid{w.step, make([]float64, w.cells)}}
	over := make([]float64, w.cells+1) // shares of the courses that are done for sure from a cell on
	for i := range w.courses {
		c := &w.courses[i]
		w.follow(c, h.Workers, w.cells)
		out.Hours += w.paid(c, h.Workers, out.law.f)
		over[min(w.cells, c.asked+len(w.left))] += c.share
	}
	sum := 0.0
	for i := range out.law.f {
		sum += over[i]
		out.law.f[i] = w.bounded(out.law.f[i]+sum, i)
	}
	return out
}
