package bags

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// start follows the tasks that the served machines of speed v, so many, received in cell i.
func (f *flow) start(i, v int, takers float64, done []float64) {
	if f.classes > fewSums {
		sum, later := 0.0, f.later[:f.cells+1]
		for e := f.cells; e >= i; e-- { // a load of what was stored just now would wait for it
			sum += f.served[e]
			later[e] = sum
		}
	}
	last := i
	for g := range f.kinds {
		if k := &f.kinds[g]; slices.Max(f.parts[k.First:k.First+k.Classes]) > 0 {
			last = max(last, f.startKind(i, v, g, takers, done))
			f.loseBefore(i, v, g)
		}
	}
	// A machine that finishes within the cell asks in the next cell. One that leaves in the cell in which it asks may
	// take a task too, which it loses.
	for at := i + 1; at <= last; at++ {
		if f.finish[at] > 0 {
			f.willAsk(v, at, f.finish[at])
			f.finish[at] = 0
		}
	}
}

// fewSums is the number of classes for which each sum is faster than all from the last on.
const fewSums = 3

// leaving returns how many of the served machines leave in a cell or later.
func (f *flow) leaving(cell int) float64 {
	if f.classes > fewSums {
		return f.later[cell]
	}
	return floats.Sum(f.served[cell:])
}

// startKind follows the tasks of a kind, and returns the last cell in which machines that are done with them ask.
// Where they are shorter than cells, machines do several in a cell. One that leaves loses a task, and has done half
// of those before it; the others wait on.
func (f *flow) startKind(i, v, g int, takers float64, done []float64) (last int) {
	k, groups := &f.kinds[g], len(f.kinds)
	also := k.each - 1
	for class := range k.Classes {
		x := f.doneAt(i, v, k, class)
		at := int(min(x, float64(f.cells)))
		part := f.parts[k.First+class]
		switch {
		case part == 0:
			continue
		case at >= f.cells: // if such tasks are done at all, then beyond the grid
			f.back[k.First+class] += also * part * takers
			continue
		}
		late := x - float64(at)
		if got := part * f.served[at]; got > 0 {
			f.lose(i, v, k, class, float64(at)+late/2, got*late)
		}
		further := 0.0
		if also > 0 {
			half := part * also / 2 * (f.leaving(i) - f.leaving(at) + late*f.served[at])
			done[i*groups+g] += half
			further += half
		}
		now := part * (1 - late)
		f.finish[max(at, i+1)] += now
		f.finish[at+1] += part * late
		last = max(last, at+1)
		ends := now*f.served[at] + part*f.leaving(at+1)
		done[at*groups+g] += k.each * ends * (1 - late)
		done[(at+1)*groups+g] += k.each * ends * late
		if further += also * ends; also > 0 {
			f.back[k.First+class] += also*part*takers - further
		}
	}
	return last
}

// doneAt returns when, in cells, a task of a class is done that machines of speed v start in cell i.
func (f *flow) doneAt(i, v int, k *kind, class int) float64 {
	return float64(i) + k.each*f.speeds[v].Speed*k.Work*(1-float64(class)/float64(k.Classes))/f.step
}

// loseBefore counts the tasks of a kind whose machines leave before the cell in which the tasks would be done;
// they leave in the middle of a cell.
func (f *flow) loseBefore(i, v, g int) {
	k, all := &f.kinds[g], f.classes
	before := func(class int) int { return int(min(f.doneAt(i, v, k, class), float64(f.cells))) }
	parts := f.parts[k.First : k.First+k.Classes]
	last, n := before(0), k.Classes
	if f.lostTo = max(f.lostTo, last); n == 1 {
		if all == 1 {
			floats.AddScaled(f.lost[i:last], parts[0], f.served[i:last])
			return
		}
		for e := i; e < last && parts[0] > 0; e++ {
			f.lost[e*all+k.First] += parts[0] * f.served[e]
		}
		return
	}
	s, of := &f.saves[v][g], n
	first := 0
	for parts[first] == 0 {
		first++
	}
	until := before(of - 1) // the first of classes are not done before that cell
	for e := i; ; e++ {
		for e >= until {
			if of--; of == 0 {
				return
			}
			until = before(of - 1)
		}
		served, whole := f.served[e], s.Whole[e-i]
		next := served * s.Next[e-i] // those that have reached the next class
		among := f.lost[e*all+k.First:][:n]
		few := max(first, min(of, n-1-whole)) // of which the last save is not enough
		if some := parts[first:few]; len(some) > 0 {
			to := among[first+whole:][:len(some)+1]
			stay, rest := to[0], served-next // a load of what was stored just now would wait for it
			for c, part := range some {
				to[c] = stay + part*rest
				stay = to[c+1] + part*next
			}
			to[len(some)] = stay
		}
		for _, part := range parts[few:max(few, of)] {
			among[n-1] += part * served
		}
	}
}

// saved returns the seconds of work that checkpoints have saved after some seconds of work.
func (m *model) saved(worked float64) float64 { return math.Floor(worked/m.rules.Save) * m.rules.Save }

// giveBack lets the tasks that were started in a cell and are lost wait again: after the delay, and in the
// next cell at the earliest.
func (f *flow) giveBack(i int) {
	at, from, n := 0.5+f.m.delay/f.step, i, f.classes
	last := f.lostTo
	if last <= i {
		return
	}
	if at < 1 {
		floats.Add(f.row(i+1), f.lost[i*n:(i+1)*n])
		from++
	}
	if k := int(min(at, float64(f.cells))); from < min(last, f.cells-k) {
		late, lost := at-float64(k), f.lost[from*n:min(last, f.cells-k)*n]
		floats.AddScaled(f.returns[(from+k)*n:][:len(lost)], 1-late, lost)
		floats.AddScaled(f.returns[(from+k+1)*n:][:len(lost)], late, lost)
	}
	clear(f.lost[i*n : last*n])
}

// lose returns tasks of a kind lost at a time, in cells, to the queue.
func (f *flow) lose(i, v int, k *kind, class int, at, number float64) {
	again := at + f.m.delay/f.step
	if k.Classes > 1 {
		more := f.m.saved((at-float64(i))*f.step) / (f.speeds[v].Speed * k.Work) * float64(k.Classes)
		if class, more = k.SavedIn(class, more); more > 0 {
			f.waitAgain(k.First+class+1, i, again, number*more)
			number *= 1 - more
		}
	}
	f.waitAgain(k.First+class, i, again, number)
}

// waitAgain lets tasks of a class wait again from a time on, in cells, and in the next cell at the earliest.
func (f *flow) waitAgain(class, i int, at, number float64) {
	at = max(at, float64(i+1))
	if at >= float64(f.cells) {
		return
	}
	k := int(at)
	late := at - float64(k)
	f.row(k)[class] += number * (1 - late)
	f.row(k + 1)[class] += number * late
}
