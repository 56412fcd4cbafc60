package bags

import (
	"math"

	"github.com/capplan/capplan/law"
)

// fewAsks are so few in a cell that a result may wait for the next.
const fewAsks = 3

// A handedOut is how results are given out over time.
type handedOut struct {
	step   float64
	starts []float64 // of results, by cell
	fresh  []float64 // which share of these are on machines that have just come
	share  float64   // that of all
	again  float64   // s, that a result which is given out again waits for a machine
	last   float64   // s, when the last is given out
}

// handOut follows how results are given out, in cells of their laws' step. A
// result's law is found where its machine was there, on which, on the clock of its
// work, a random moment of a stay has come; and fresh where it came just then.
//
// A machine that has finished asks at once, one that comes and holds nothing too;
// idle ones within a minute or so at the beginning, and later within the backoff. Of
// tasks that arrive one by one, a rate μ of asks over all and L results that wait,
// μ L/(1 + L) find one.
func (m *model) handOut(found, fresh grid, followed float64) *handedOut {
	step, cells := found.step, len(found.f)
	out := &handedOut{step: step, starts: make([]float64, cells), fresh: make([]float64, cells)}
	arrivals := m.arriving(step, followed)
	copies := float64(m.rules.Results)
	of, ofFresh := ends(found), ends(fresh)
	taking, takingFresh := make([]float64, cells), make([]float64, cells)
	mean := -0.5 // of a result, in cells
	for _, v := range found.f {
		mean += 1 - v
	}
	comes, away, leaving := m.comings(step, cells)
	idle := m.there
	waits, given, givenFresh := 0.0, 0.0, 0.0
	atOnce := m.lastArrival() == 0
	for i := range out.starts {
		waits += copies * arrivals[i]
		asks := comes[i]
		for k := range i {
			asks += taking[k]*of[i-k] + takingFresh[k]*ofFresh[i-k]
		}
		turn := min(1, step/m.rules.Backoff)
		if at := float64(i) * step; atOnce && at < 1.5*m.rules.Ask {
			turn = 1 - stillQuiet(at+step, m.rules.Ask)/stillQuiet(at, m.rules.Ask)
		}
		resting := idle
		idle += asks
		asks += resting * turn
		batch := 1.0 // results that a machine does within a cell
		if given > 0 && mean < 1 {
			batch = 1 / mean
		}
		got := min(waits, asks*batch)
		if asks < fewAsks && !atOnce {
			got = min(got, waits*-math.Expm1(-asks*batch/(1+waits)))
		}
		out.starts[i] = got
		waits -= got
		given += got
		taken := min(got, asks)
		if asks > 0 {
			part := comes[i] / asks
			if atOnce && got < asks {
				part = min(part, m.freshFirst(float64(i)*step, resting))
			}
			takingFresh[i] = taken * part
			taking[i] = taken - takingFresh[i]
			out.fresh[i] = part
			givenFresh += got * part
		}
		idle -= taken
		if given < copies*followed*(1-1e-6) {
			out.last = float64(i+1) * step
		}
		if left := idle * leaving; left > 0 {
			idle -= left
			for k := i + 1; k < cells; k++ {
				comes[k] += left * away[k-i]
			}
		}
	}
	rate := idle / m.rules.Backoff
	if away != nil {
		rate += idle / m.course.up.Mean()
	}
	out.share, out.again = givenFresh/max(given, 1e-300), 1/max(rate, 1e-9)
	return out
}

// freshFirst is the share of machines that have just come among those that ask in the
// first moment of a cell, where not all who ask in the cell are given a result. At the
// beginning as many idle ones ask in a minute.
func (m *model) freshFirst(at, idle float64) float64 {
	ask := m.rules.Ask
	if m.course.down == nil {
		return 0
	}
	if at >= 1.5*ask || idle <= 0 {
		return 1
	}
	const moment = 1e-3
	come := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability() / m.cycle
	quiet := stillQuiet(at, ask)
	turns := idle * (quiet - stillQuiet(at+moment*ask, ask)) / (quiet * moment * ask)
	return come / (come + turns)
}

// comings are, by cell, how many of the machines that are away at the beginning
// come back; how long one is away that leaves; and the chance to leave in a cell.
func (m *model) comings(step float64, cells int) (comes, away []float64, leaving float64) {
	comes = make([]float64, cells)
	if m.course.down == nil {
		return comes, nil, 0
	}
	all := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability() / m.cycle
	away = make([]float64, cells)
	for i := range comes {
		left := law.Survival(m.course.down, float64(i)*step)
		comes[i], away[i] = all*step*left, 1-left
	}
	comes[0] /= 2
	return comes, differences(away), -math.Expm1(-step / m.course.up.Mean())
}

// ends are the chances that a result that starts with a cell ends with a later one:
// what ends within a cell does so half at its beginning, half at its end, and no
// sooner than a cell later.
func ends(g grid) []float64 {
	out := differences(g.f)
	out[1] += out[1] + out[0]
	for k := 1; k+1 < len(out); k++ {
		out[k] = (out[k] + out[k+1]) / 2
	}
	return out
}

// differences are the masses of a distribution function by cell.
func differences(f []float64) []float64 {
	out := make([]float64, len(f))
	for k, v := range f {
		out[k] = v
		if k > 0 {
			out[k] -= f[k-1]
		}
	}
	return out
}
