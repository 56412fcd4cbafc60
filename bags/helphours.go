package bags

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/bags/internal/noneleft"
)

// hours returns the expected hours of the workers, or some number above the limit if they exceed
// it. For courses not computed so far it uses the bounds of [helping.leastEach], so that it can
// stop early.
//
// It is asked twice for some, by the design from a start and for the span of that start.
func (w *helping) hours(workers int, limit float64) (hours float64) {
	for _, k := range w.known {
		if k.workers == workers && (k.hours <= payable*k.limit || k.hours > payable*limit) {
			return k.hours
		}
	}
	defer func() { w.known = append(w.known, knownHours{workers, hours, limit}) }()
	sum, rest := 0.0, 0.0
	for i := range w.courses {
		rest += w.courses[i].eachPaid
	}
	if least := float64(workers) * rest; least > payable*limit {
		return least
	}
	for i := range w.courses {
		c := &w.courses[i]
		hours, _ := w.paid(c, workers, nil)
		sum, rest = sum+hours, rest-c.eachPaid
		if least := sum + float64(workers)*rest; least > payable*limit {
			return least
		}
	}
	return sum
}

// A knownHours is what [helping.hours] returned.
type knownHours struct {
	workers      int
	hours, limit float64
}

// paid returns the hours of workers in a course times its share, and the cell from which all tasks
// are done. It adds the chance that all are done in the cells before to law, unless that is nil.
func (w *helping) paid(c *helpedCourse, workers int, law []float64) (hours float64, over int) {
	const more = 64 // cells
	n := 0
	for cells := c.first + min(w.lag, w.cells) + more; ; cells += more {
		w.send(c, workers, cells, n == 0)
		n = min(cells, len(c.alone))
		if c.over && n == len(c.alone) || n > c.first && w.left(c, workers, n-1) < nothing {
			break
		}
	}
	few := sort.Search(n, func(i int) bool { return w.left(c, workers, i) < noneleft.Most })
	over = few + sort.Search(n-few, func(i int) bool {
		return few+i >= c.first && w.left(c, workers, few+i) < nothing
	})
	left := w.few
	if c.handed && few >= c.first { // nothing else reads w.byCell
		left = w.byCell[few-c.first : over-c.first]
	} else {
		left = slices.Grow(left[:0], over-few)[:over-few]
		w.few = left
		w.leftFrom(c, workers, few, left)
	}
	w.nones(c, few, left)
	if law != nil && len(left) > 0 {
		floats.AddScaled(law[c.asked+few:c.asked+over], c.share, left)
	}
	paid := c.open(few, left)
	if w.hour > 0 {
		paid = c.begun(w.hour, few, left)
	}
	return c.share * float64(workers) * paid * w.step / 3600, c.asked + over
}

// begun returns the mean number of cells in the hours that each worker begins: one hour if a task is left when
// workers are started, and a further one for each at whose beginning a task is left. none is as of open.
func (c *helpedCourse) begun(hour float64, cell int, none []float64) (paid float64) {
	for at := c.unpaid; ; {
		k := int(math.Floor(at)) - cell // left at the end of cell k and of the one after it
		before, after := 0.0, 0.0
		if k >= 0 && k < len(none) {
			before = none[k]
		}
		switch {
		case k+1 >= len(none):
			if k >= len(none) {
				return paid
			}
			after = 1
		case k+1 >= 0:
			after = none[k+1]
		}
		// The hours that begin in one cell are counted at once: there may be many in it.
		begin := at - math.Floor(at)
		hours := max(1, math.Ceil((1-begin)/hour))
		paid += hour * hours * (1 - before - (after-before)*(begin+hour*(hours-1)/2))
		if at += hour * hours; 1-after < nothing {
			return paid
		}
	}
}

// open returns the mean number of cells for which workers are paid. none holds the chances that no
// task is left, from a cell on.
func (c *helpedCourse) open(cell int, none []float64) float64 {
	open := max(0, float64(cell-1)-c.unpaid)
	for i, done := range none {
		part := float64(cell+i) - c.unpaid
		if part >= 1 {
			rest := none[i:]
			return open + float64(len(rest)) - floats.Sum(rest)
		}
		if part > 0 && cell+i > 0 {
			open += (1 - done) * part
		}
	}
	return open
}

// nones replaces mean numbers of tasks left, from a cell on, by the chances that none is.
func (w *helping) nones(c *helpedCourse, cell int, left []float64) {
	if c.k >= noneleft.FewestByTable {
		noneleft.ByTable(c.k, left)
		return
	}
	for i, v := range left {
		left[i] = w.none(c, cell+i, v)
	}
}

// leastPaid returns a lower bound of the hours of each worker in a course, whatever their number,
// times its share. Until the first workers have done a task as much is left as without them; after
// that at least the tasks that have not arrived are. It evaluates spans of cells at their ends,
// where the least is left.
func (w *helping) leastPaid(c *helpedCourse) float64 {
	w.reach(c, c.first+min(w.lag, w.cells))
	alone := c.alone[:min(c.first+w.lag, len(c.alone))]
	few := sort.Search(len(alone), func(i int) bool { return alone[i] < noneleft.Most })
	w.few = w.few[:0]
	for end := few; end < len(c.undone); end = c.spanAfter(few, end) {
		left := 0.0
		switch {
		case end < len(alone):
			left = alone[end]
		case w.late != nil && c.luck == 0:
			left = min(w.late[c.asked+end]*c.tasks, c.k*c.undone[end]/c.level)
		}
		if left < nothing {
			break
		}
		w.few = append(w.few, left)
	}
	w.nones(c, few, w.few)
	open, before, end := max(0, float64(few-1)-c.unpaid), max(0, float64(few)-1-c.unpaid), few
	for _, done := range w.few {
		paid := max(0, float64(end)-c.unpaid) // cells up to there
		open += (1 - done) * (paid - before)
		before, end = paid, c.spanAfter(few, end)
	}
	if k := int(math.Ceil(c.unpaid)); w.hour > 0 && k < len(c.alone) { // an hour begins with the workers
		open = max(open, w.hour*(1-w.none(c, k, c.alone[k])))
	}
	return c.share * open * w.step / 3600
}

// spanAfter returns the end of the next span of cells, which is a sixteenth as long as all before
// it.
func (c *helpedCourse) spanAfter(first, cell int) int { return cell + 1 + (cell-first)/16 }
