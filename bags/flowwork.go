package bags

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// start follows the tasks that the served machines of speed v received in cell i, and returns how many it
// gave them besides the first of each: where tasks are shorter than cells, machines do several in a cell.
// One that leaves loses a task, and has done half of those before it.
func (f *flow) start(i, v int, done []float64) (further float64) {
	also := f.each - 1
	last, sum := f.cells, 0.0
	for class, part := range f.parts {
		x := f.doneAt(i, v, class)
		at := int(min(x, float64(f.cells)))
		if at >= f.cells { // if such tasks are done at all, then beyond the grid
			continue
		}
		sum += floats.Sum(f.served[at+1 : last+1]) // of all machines that leave later
		if last = at; part == 0 {
			continue
		}
		late := x - float64(at)
		if got := part * f.served[at]; got > 0 {
			f.lose(i, v, class, float64(at)+late/2, got*late)
		}
		if also > 0 {
			half := part * also / 2 * (floats.Sum(f.served[i:at]) + late*f.served[at])
			done[i] += half
			further += half
		}
		// A machine that finishes within a cell asks in the next cell.
		first, second := f.row(v, max(at, i+1)), f.row(v, at+1)
		now := part * f.served[at] * (1 - late)
		if at > i { // the machine takes another task and loses it if it leaves before the cell is over
			first[at] += now
		}
		now += part * sum
		later := f.served[at+1:]
		floats.AddScaled(first[at+1:], part*(1-late), later)
		if late > 0 {
			floats.AddScaled(second[at+1:], part*late, later)
		}
		done[at] += f.each * now * (1 - late)
		done[at+1] += f.each * now * late
		further += also * now
	}
	f.loseBefore(i, v)
	return further
}

// doneAt returns when, in cells, a task of a class is done that machines of speed v start in cell i.
func (f *flow) doneAt(i, v, class int) float64 {
	return float64(i) + f.each*f.speeds[v].Speed*(1-float64(class)/float64(f.classes))/f.step
}

// loseBefore counts the tasks whose machines leave before the cell in which the tasks would be done; they
// leave in the middle of a cell.
func (f *flow) loseBefore(i, v int) {
	n := f.classes
	before := func(class int) int { return int(min(f.doneAt(i, v, class), float64(f.cells))) }
	last := before(0)
	if f.lostTo = max(f.lostTo, last); n == 1 {
		floats.AddScaled(f.lost[i:last], f.parts[0], f.served[i:last])
		return
	}
	s, of := &f.saves[v], n
	until := before(of - 1) // the first of classes are not done before that cell
	for e := i; ; e++ {
		for e >= until {
			if of--; of == 0 {
				return
			}
			until = before(of - 1)
		}
		served, whole := f.served[e], s.whole[e-i]
		next := served * s.next[e-i] // those that have reached the next class
		among := f.lost[e*n : (e+1)*n]
		for class, part := range f.parts[:of] {
			k := class + whole
			if k+1 >= n {
				among[n-1] += part * served
				continue
			}
			among[k] += part * (served - next)
			among[k+1] += part * next
		}
	}
}

// A saved says how much of a task is saved, in classes, if its machine leaves after a number of cells:
// the whole classes, and the share of such tasks that is in the next one.
type saved struct {
	whole []int
	next  []float64
}

// savings returns the saved of machines that take this time for a task.
func (f *flow) savings(time float64) saved {
	out := saved{make([]int, f.cells), make([]float64, f.cells)}
	for i := range f.cells {
		more := f.m.saved((float64(i)+0.5)*f.step) / time * float64(f.classes)
		out.whole[i] = min(int(more), f.classes-1)
		out.next[i] = more - float64(out.whole[i])
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

// giveBack lets the tasks that were started in a cell and are lost wait again: after the delay, and in the
// next cell at the earliest.
func (f *flow) giveBack(i int) {
	at, from, n := 0.5+f.m.delay/f.step, i, f.classes
	last := f.lostTo
	if last <= i {
		return
	}
	if at < 1 {
		floats.Add(f.returns[(i+1)*n:(i+2)*n], f.lost[i*n:(i+1)*n])
		from++
	}
	if k := int(min(at, float64(f.cells))); from < min(last, f.cells-k) {
		late, lost := at-float64(k), f.lost[from*n:min(last, f.cells-k)*n]
		floats.AddScaled(f.returns[(from+k)*n:][:len(lost)], 1-late, lost)
		floats.AddScaled(f.returns[(from+k+1)*n:][:len(lost)], late, lost)
	}
	clear(f.lost[i*n : last*n])
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
	f.returns[k*f.classes+class] += number * (1 - late)
	f.returns[(k+1)*f.classes+class] += number * late
}
