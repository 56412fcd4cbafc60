package early

import (
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/law"
)

// A Bag is tasks that arrive.
type Bag struct {
	Kinds   []Kind
	Classes int     // of all kinds
	Number  float64 // of tasks
	Last    float64 // s, when hardly any has not arrived
	Listed  []Task  // in order; nil: they are of each kind as often at any time
	Arrival law.Law // of tasks that are not listed; nil: at once
}

// A Task is when a task arrives, in seconds, and its kind.
type Task struct {
	At   float64
	Kind int
}

const (
	arrivalSteps = 2000 // until the last task has arrived
	listedRows   = 200  // into which listed tasks of several kinds are divided at least
)

// rowTasks returns the greatest number of listed tasks of a row, in which their order is lost.
func (b *Bag) rowTasks() int {
	if len(b.Kinds) == 1 {
		return len(b.Listed)
	}
	return (len(b.Listed) + listedRows - 1) / listedRows
}

// fresh returns a row of so many tasks of which nothing is saved.
func (b *Bag) fresh(tasks float64) Row {
	row := make(Row, b.Classes)
	for _, k := range b.Kinds {
		row[k.First] = tasks * k.Share
	}
	return row
}

// Each tells the times at which tasks arrive, in order, and which, where each task counts as so many.
func (b *Bag) Each(factor float64, tell func(t float64, row Row)) {
	step, before := b.Last/arrivalSteps, 0.0
	switch {
	case b.Listed != nil:
		b.eachListed(factor, step, tell)
		return
	case b.Arrival != nil:
		for k := range arrivalSteps {
			share := 1 - law.Survival(b.Arrival, float64(k)*step)
			tell(float64(k)*step, b.fresh(factor*b.Number*(share-before)))
			before = share
		}
	}
	tell(arrivalSteps*step, b.fresh(factor*b.Number*(1-before)))
}

func (b *Bag) eachListed(factor, step float64, tell func(t float64, row Row)) {
	most := b.rowTasks()
	for end := 0; end < len(b.Listed); {
		from, row := end, make(Row, b.Classes)
		last := b.Listed[from].At
		if last > 0 {
			last += step
		}
		for ; end < min(len(b.Listed), from+most) && b.Listed[end].At <= last; end++ {
			row[b.Kinds[b.Listed[end].Kind].First] += factor
		}
		tell(b.Listed[end-1].At, row)
	}
}

// Arrivals are the tasks that are given to a flow, which follows them in cells of time.
type Arrivals struct {
	Cells []int // of rows, in order
	Rows  []Row
	Left  []float64 // all tasks of each kind, with those that arrive in the last cell or later
	kinds []Kind
}

func (a *Arrivals) add(cell int, row Row) {
	a.Cells, a.Rows = append(a.Cells, cell), append(a.Rows, row)
	for g, k := range a.kinds {
		a.Left[g] += floats.Sum(row[k.First : k.First+k.Classes])
	}
}

// From returns the tasks that arrive after a time, in cells of a step from then on, where each task counts as so many.
// With queue nil those are added that are there at the beginning, else its rows; lost tasks wait again a time after
// it. A task is divided between the beginning and the end of its cell, in proportion to which is nearer.
func (b *Bag) From(begin, step float64, cells int, factor float64, queue []Row, lost []Late) *Arrivals {
	out := &Arrivals{Left: make([]float64, len(b.Kinds)), kinds: b.Kinds}
	for _, row := range queue {
		out.add(0, row)
	}
	if queue == nil {
		b.Each(factor, func(t float64, row Row) {
			if t == 0 {
				out.add(0, row)
			}
		})
	}
	for _, l := range lost {
		out.add(cellOf(l.At/step, cells), l.Row)
	}
	switch {
	case b.Listed != nil:
		b.listedFrom(begin, step, cells, factor, out)
	case b.Arrival != nil:
		before, half := 1-law.Survival(b.Arrival, begin), b.fresh(0)
		for k := range cells + 1 {
			share := 1.0
			if k < cells {
				share = 1 - law.Survival(b.Arrival, begin+float64(k+1)*step)
			}
			row := b.fresh(factor * b.Number * (share - before) / 2)
			floats.Add(half, row)
			out.add(k, half)
			before, half = share, row
		}
		out.add(cells, half)
	}
	sort.Stable(out)
	return out
}

func (b *Bag) listedFrom(begin, step float64, cells int, factor float64, out *Arrivals) {
	first := sort.Search(len(b.Listed), func(i int) bool { return b.Listed[i].At > begin })
	most := b.rowTasks()
	for end := first; end < len(b.Listed); {
		from, now, later := end, make(Row, b.Classes), make(Row, b.Classes)
		cell := cellOf((b.Listed[from].At-begin)/step, cells)
		for ; end < min(len(b.Listed), from+most); end++ {
			at := (b.Listed[end].At - begin) / step
			if cellOf(at, cells) != cell {
				break
			}
			class, late := b.Kinds[b.Listed[end].Kind].First, min(1, at-float64(cell))
			now[class] += factor * (1 - late)
			later[class] += factor * late
		}
		out.add(cell, now)
		out.add(cell+1, later)
	}
}

// cellOf returns the cell of a time, in cells; the one beyond them for all later times.
func cellOf(at float64, cells int) int { return int(min(at, float64(cells))) }

func (a *Arrivals) Len() int           { return len(a.Rows) }
func (a *Arrivals) Less(i, j int) bool { return a.Cells[i] < a.Cells[j] }
func (a *Arrivals) Swap(i, j int) {
	a.Cells[i], a.Cells[j] = a.Cells[j], a.Cells[i]
	a.Rows[i], a.Rows[j] = a.Rows[j], a.Rows[i]
}

// All returns the tasks of all classes by cell.
func (a *Arrivals) All(cells int) []float64 {
	out := make([]float64, cells)
	for k, cell := range a.Cells {
		if cell < cells {
			out[cell] += floats.Sum(a.Rows[k])
		}
	}
	return out
}
