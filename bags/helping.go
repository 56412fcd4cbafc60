package bags

import (
	"math"
	"sort"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/bags/internal/lasting"
	"github.com/capplan/capplan/bags/internal/noneleft"
)

// helping follows a bag with help from one start, for any number of workers.
type helping struct {
	step, task float64 // s
	cells      int     // of the law
	courses    []helpedCourse
	latest     []int          // the courses, those in which help is asked for latest first
	late       []float64      // share of the tasks that has not arrived, by cell; nil: all have
	come       []float64      // see FinishLaw; nil: all have
	lag        int            // cells that a worker takes for a task
	hour       float64        // cells of an hour that is paid in full once it begins; 0: time is paid by the second
	wave       []float64      // see waves; empty if tasks arrive late, and for later workers under BOINC
	byCell     []float64      // tasks taken if they arrive late, and left if results wait; see take
	handing    *handing       // see FinishLaw
	state      handState      // see takeHanded
	begun      []float64      // see takeHanded
	copies     []float64      // see takeHanded
	shifted    lasting.Shares // see takeHanded, for the number of workers that is followed
	few        []float64      // see paid
	known      []knownHours   // hours of these courses that were computed
	room       *attempts.Room // memory of the courses, reused for the next start
}

// helping returns the courses of a start: in each branch, for several times at which help may be
// asked for.
//
// The share is done when n − k of n tasks are. As tasks are done independently of each other, U at
// that time is n times a Beta(k+1, n−k) variable. This is nearly a gamma variable of mean k + 1,
// whose cube root is nearly normal (Wilson, Hilferty, Proc. Nat. Acad. Sci. 17, 1931). The variance
// of the Beta is used, so that at the beginning all tasks are left for sure. How many of the k
// tasks are left later without help is a binomial number.
//
// If roughly is true there are fewer courses, which is enough for plots. before, nil or an earlier
// result, must not be used any more: its memory is reused until leave.
func (f *FinishLaw) helping(start float64, c Cloud, roughly bool, before *helping) *helping {
	w := &helping{step: f.law.Step, task: f.work / c.Speed, cells: len(f.law.F), late: f.late, come: f.come,
		handing: f.handing}
	w.lag = cellsOf(w.task, w.step)
	if c.Hourly {
		w.hour = 3600 / w.step
	}
	if before != nil {
		w.courses, w.byCell, w.few, w.room = before.courses[:0], before.byCell, before.few, before.room
		w.latest, w.known = before.latest[:0], before.known[:0]
		w.begun, w.copies, w.shifted, w.wave = before.begun, before.copies, before.shifted, before.wave
		w.room.Clear()
	} else {
		w.room = attempts.Rooms.Get().(*attempts.Room)
	}
	undone := 1 - f.startTask(start)/f.tasks
	several, unlike := f.handing != nil && f.handing.results > 1, math.Hypot(c.SD/c.Speed, f.unlike)
	switch {
	case f.late != nil, several && undone < 1:
		w.wave = w.wave[:0]
	case several:
		w.wave = w.waves(firstWaves, unlike)
	case len(w.wave) == 0:
		w.wave = w.waves(1, unlike)
	}
	atFirst := undone >= 1 && f.first != nil
	for _, b := range f.branches {
		k := undone * b.undone[0]
		sd := math.Sqrt((1-undone)/(k+1)) / 3
		askedAt, lucks := askedAt, lucks
		switch {
		case atFirst && roughly:
			askedAt, lucks = fewFirsts, sure
		case atFirst:
			askedAt, lucks = firsts, sure
		case len(f.branches) > manyBranches:
			askedAt, lucks = sure, sure
		case roughly:
			askedAt, lucks = lucks, sure
		case k > manyLeft:
			askedAt = lucks
		}
		for _, z := range askedAt {
			root := max(0.05, 1-sd*sd+z.Speed*sd)
			level := min(b.undone[0], (k+1)*root*root*root)
			if undone >= 1 {
				level = k
			}
			asked, undone := 0, b.undone
			for asked < len(undone) && undone[asked] > level {
				asked++
			}
			if atFirst {
				undone, asked, level = w.from(b, f.first, z.Speed)
			}
			begins := c.begins(float64(asked) * w.step)
			for _, luck := range lucks {
				w.courses = append(w.courses, helpedCourse{
					share: b.share * z.Share * luck.Share, tasks: b.undone[0], k: k, level: level, luck: luck.Speed,
					undone: undone[asked:], asked: asked, begins: begins,
					first:  max(0, int(min(math.Ceil(begins/w.step), float64(w.cells)))-asked),
					unpaid: (begins-c.Boot)/w.step - float64(asked),
					over:   asked == len(undone),
				})
				last := &w.courses[len(w.courses)-1]
				if w.hands(last) {
					last.queues = w.handing.results == 1 && w.late == nil
					last.handed = !last.queues
				}
			}
		}
	}
	for i := range w.courses {
		w.latest = append(w.latest, i)
	}
	sort.SliceStable(w.latest, func(i, j int) bool {
		return w.courses[w.latest[i]].asked > w.courses[w.latest[j]].asked
	})
	return w
}

// leave gives back the memory of the courses; nil has none.
func (w *helping) leave() {
	if w != nil {
		w.room.Leave()
	}
}

// Points of a normal law with their shares, in standard deviations. askedAt is for when the share
// is done: the points are close together because the chance is a step there. lucks, a Gauss-Hermite
// rule, is for how many tasks are left later.
var (
	askedAt = attempts.EvenNodes(3, 2.4)
	lucks   = []attempts.Node{{Share: 1. / 6, Speed: -math.Sqrt(3)}, {Share: 2. / 3}, {Share: 1. / 6, Speed: math.Sqrt(3)}}
	sure    = []attempts.Node{{Share: 1}}
)

// Quantiles of when the first of few machines asks, each the mean of a part of its law with that
// part's share; fewFirsts are for plots.
var (
	firsts = []attempts.Node{{Share: 0.25, Speed: 0.128}, {Share: 0.25, Speed: 0.3792}, {Share: 0.2, Speed: 0.6042},
		{Share: 0.14, Speed: 0.7736}, {Share: 0.09, Speed: 0.888}, {Share: 0.05, Speed: 0.9575}, {Share: 0.02, Speed: 0.9926}}
	fewFirsts = []attempts.Node{{Share: 0.6, Speed: 0.3224}, {Share: 0.33, Speed: 0.787}, {Share: 0.07, Speed: 0.9742}}
)

// manyLeft is the number of tasks left above which its standard deviation is at most some 5 %, so
// that the time at which the share is done is known well. How many are left later, when they are
// few, is not.
const manyLeft = 400

// manyBranches is the number of branches from which on these alone spread the times of a start
// enough.
const manyBranches = 20

// comes returns by cell the chance that all tasks have arrived, which help cannot exceed. The few
// points at which help is computed would miss that the last task may arrive far later.
func (f *FinishLaw) comes(b *Bag) []float64 {
	if f.late == nil {
		return nil
	}
	out := make([]float64, len(f.late))
	if last := b.lastTask(); last > 0 { // listed tasks arrive at known times
		for i := range out {
			if float64(i)*f.law.Step >= last {
				out[i] = 1
			}
		}
		return out
	}
	for i, late := range f.late {
		for _, b := range f.branches {
			out[i] += b.share * noneleft.Chance(b.undone[0], late*b.undone[0])
		}
	}
	return out
}

// bounded returns a chance in a cell, at most the chance that all tasks have arrived.
func (w *helping) bounded(chance float64, cell int) float64 {
	if w.come == nil {
		return min(1, chance)
	}
	return min(chance, w.come[cell])
}

// done returns the chance that no task is left in a cell of a course with the given number of
// workers.
func (w *helping) done(c *helpedCourse, workers, cell int) float64 {
	i := cell - c.asked
	switch {
	case i < 0:
		return 0
	case i >= len(c.alone):
		return 1
	}
	return w.none(c, i, w.left(c, workers, i))
}

// none returns the chance that no task is left, i cells after help was asked for, if v are left on
// average.
func (w *helping) none(c *helpedCourse, i int, v float64) float64 {
	switch {
	case v < nothing && i >= c.first:
		return 1
	case v < 1e-4: // to 1e-8
		return 1 - v
	}
	return noneleft.Chance(c.k, v)
}

// send computes a course up to a number of cells after help is asked for, and what the workers take
// until then: anew if first, else after the cells computed before.
func (w *helping) send(c *helpedCourse, workers, cells int, first bool) {
	if first {
		w.byCell = w.byCell[:0]
	}
	w.reach(c, cells)
	w.take(c, workers, cells)
}

// chance returns the chance that the bag is done by a time.
func (w *helping) chance(workers int, by float64) float64 {
	last, part := w.cellBefore(by)
	from, to := 0.0, 0.0
	for i := range w.courses {
		before, after := w.around(&w.courses[i], workers, last)
		from, to = from+before, to+after
	}
	return w.between(from, to, last, part)
}

// reaches reports whether the target's chance is reached. It computes only as many courses as
// settle the question, the late ones first, as a few of these show that it is not.
func (w *helping) reaches(workers int, t Target) bool {
	last, part := w.cellBefore(t.By)
	from, to, rest := 0.0, 0.0, w.shares()
	for _, i := range w.latest {
		c := &w.courses[i]
		before, after := w.around(c, workers, last)
		from, to, rest = from+before, to+after, rest-c.share
		switch {
		case w.between(from+rest, to+rest, last, part) < t.Chance-rounded:
			return false
		case w.between(from, to, last, part) > t.Chance+rounded:
			return true
		}
	}
	return w.between(from, to, last, part) >= t.Chance
}

// cellBefore returns the cell after a time, and which part of the step up to it has passed by then.
func (w *helping) cellBefore(by float64) (last int, part float64) {
	last = max(1, int(min(by/w.step+1, float64(w.cells-1))))
	return last, min(1, by/w.step-float64(last-1))
}

// around returns the chances that a course is done in the cell before one and in that one.
func (w *helping) around(c *helpedCourse, workers, last int) (before, after float64) {
	if last < c.asked {
		return 0, 0
	}
	w.send(c, workers, last+1-c.asked, true)
	return c.share * w.done(c, workers, last-1), c.share * w.done(c, workers, last)
}

// between interpolates the chance between two cells.
func (w *helping) between(from, to float64, last int, part float64) float64 {
	from, to = w.bounded(from, last-1), w.bounded(to, last)
	return from + part*(to-from)
}

// helped returns the law with help, or nil as soon as it is clear that the target is not reached. A
// target of chance 0 is always reached.
func (w *helping) helped(h Help, t Target) *Helped {
	out := &Helped{Help: h, law: attempts.Grid{Step: w.step, F: attempts.Fresh(w.cells)}}
	over := attempts.Fresh(w.cells + 1) // shares of the courses that are surely done from a cell on
	last, part := w.cellBefore(t.By)
	law, from, to, rest := out.law.F, 0.0, 0.0, w.shares()
	for _, i := range w.latest {
		c := &w.courses[i]
		hours, cell := w.paid(c, h.Workers, law)
		out.Hours += hours
		over[min(w.cells, cell)] += c.share
		if rest -= c.share; cell < last {
			from += c.share
		}
		if cell <= last {
			to += c.share
		}
		if w.between(law[last-1]+from+rest, law[last]+to+rest, last, part) < t.Chance-rounded {
			return nil
		}
	}
	sum := 0.0
	for i := range law {
		sum += over[i]
		law[i] = w.bounded(law[i]+sum, i)
	}
	return out
}

// shares returns the sum of the shares of all courses, which is one up to rounding.
func (w *helping) shares() float64 {
	sum := 0.0
	for i := range w.courses {
		sum += w.courses[i].share
	}
	return sum
}

// rounded bounds by how much rounding may change a chance.
const rounded = 1e-12
