package bags

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// start follows a part of the tasks of a class that machines of speed v received in cell i.
func (f *flow) start(i, v, class int, part float64, done []float64) {
	w := f.speeds[v].Speed
	x := float64(i) + w*(1-float64(class)/float64(f.classes))/f.step
	at := int(x)
	late := x - float64(at)
	from := min(at, f.cells+1)
	f.loseBefore(i, v, class, min(from, f.cells), part)
	if at >= f.cells { // if it is done at all, then beyond the grid
		return
	}
	if got := part * f.served[at]; got > 0 && at < f.cells {
		f.lose(i, v, class, float64(at)+late/2, got*late)
	}
	// A machine that finishes within a cell asks in the next cell.
	first, second := f.row(v, max(at, i+1)), f.row(v, at+1)
	sum := part * f.served[at] * (1 - late)
	if at > i { // the machine takes another task and loses it if it leaves before the cell is over
		first[at] += sum
	}
	later := f.served[at+1:]
	sum += part * floats.Sum(later)
	floats.AddScaled(first[at+1:], part*(1-late), later)
	if late > 0 {
		floats.AddScaled(second[at+1:], part*late, later)
	}
	done[at] += sum * (1 - late)
	done[at+1] += sum * late
}

// loseBefore returns to the queue the tasks whose machines leave before cell to; they leave in the
// middle of a cell. It treats all tasks that stay in one class together.
func (f *flow) loseBefore(i, v, class, to int, part float64) {
	if f.classes == 1 {
		f.backFrom(0, i, i, f.served[i:to], part)
		return
	}
	s := &f.saves[v]
	for from, whole := i, 0; from < to; whole++ {
		until, k := to, class+whole
		if k+1 < f.classes {
			until = max(from, min(to, i+s.until[whole]))
		}
		switch {
		case until == from:
		case k+1 >= f.classes:
			f.backFrom(f.classes-1, i, from, f.served[from:until], part)
		default:
			among, served := f.among[from:until], f.served[from:until]
			floats.MulTo(among, s.next[from-i:until-i], served) // those that have reached the next class
			f.backFrom(k+1, i, from, among, part)
			floats.SubTo(among, served, among)
			f.backFrom(k, i, from, among, part)
		}
		from = until
	}
}

// A saved says, for a task that starts in the first class, in which class it is if its machine
// leaves after a number of cells: up to which cell it is in each class, and the share that is in
// the next one.
type saved struct {
	until []int
	next  []float64
}

// savings returns the saved of machines that take this time for a task.
func (f *flow) savings(time float64) saved {
	out := saved{make([]int, f.classes), make([]float64, f.cells)}
	for k := range out.until {
		out.until[k] = f.cells
	}
	for i := range f.cells {
		more := f.m.saved((float64(i)+0.5)*f.step) / time * float64(f.classes)
		k := min(int(more), f.classes-1)
		out.next[i] = more - float64(k)
		for c := range k {
			out.until[c] = min(out.until[c], i)
		}
	}
	return out
}

// saved returns the seconds of work that checkpoints have saved after some seconds of work.
func (m *model) saved(worked float64) float64 { return math.Floor(worked/m.rules.Save) * m.rules.Save }

// savedIn returns the class of a task of a class after more work, in classes, was saved, and the
// share of such tasks that is in the class after that.
func (f *flow) savedIn(class int, more float64) (k int, next float64) {
	saved := float64(class) + more
	k = min(int(saved), f.classes-1)
	if k+1 < f.classes {
		next = saved - float64(k)
	}
	return k, next
}

// backFrom lets a part of the tasks lost in the middle of the cells from one on wait again: after
// the delay, and in the next cell at the earliest.
func (f *flow) backFrom(class, i, from int, lost []float64, part float64) {
	at := 0.5 + f.m.delay/f.step
	if from == i && at < 1 && len(lost) > 0 {
		f.returns[class][i+1] += part * lost[0]
		from, lost = from+1, lost[1:]
	}
	if at >= float64(f.cells) {
		return
	}
	k := int(at)
	late := at - float64(k)
	n := min(len(lost), f.cells-k-from)
	if n <= 0 {
		return
	}
	floats.AddScaled(f.returns[class][from+k:from+k+n], part*(1-late), lost[:n])
	floats.AddScaled(f.returns[class][from+k+1:from+k+1+n], part*late, lost[:n])
}

// lose returns tasks lost at a time, in cells, to the queue.
func (f *flow) lose(i, v, class int, at, number float64) {
	back := at + f.m.delay/f.step
	k := class
	if f.classes > 1 {
		more := 0.0
		k, more = f.savedIn(class, f.m.saved((at-float64(i))*f.step)/f.speeds[v].Speed*float64(f.classes))
		if more > 0 {
			f.back(k+1, i, back, number*more)
			number *= 1 - more
		}
	}
	f.back(k, i, back, number)
}

// back lets tasks wait again from a time on, in cells, and in the next cell at the earliest.
func (f *flow) back(class, i int, at, number float64) {
	at = max(at, float64(i+1))
	k := int(at)
	if k >= f.cells {
		return
	}
	late := at - float64(k)
	f.returns[class][k] += number * (1 - late)
	f.returns[class][k+1] += number * late
}
