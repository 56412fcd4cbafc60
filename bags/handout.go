package bags

import (
	"math"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/bags/internal/early"
	"github.com/capplan/capplan/law"
)

// leastAged is the share of machines of an age below which there are taken to be none.
const leastAged = 1e-9

// fewAsks is the number of asks in a cell below which a result may have to wait for the next cell.
const fewAsks = 3

// A mix holds the shares of machines that have just come, and of those of each age.
type mix [attempts.Ages + 1]float64

// A handedOut says how results are handed out over time.
type handedOut struct {
	step     float64
	starts   []float64 // results handed out, by cell
	mixes    [][]mix   // shares of the machines that get them, by cell and pace; they add up to 1
	again    float64   // s, that a result which is given out again waits for a machine
	later    []mix     // the machines that get those: few idle ones ask, many that have come
	last     float64   // s, when the last result is given out
	lastCell int       // the cell in which it is
	busy     float64   // s, of tasks that arrive one by one: the time until which results wait
	fresh    []float64 // machines that begin to work, by cell
}

// handOut follows how results are handed out, in the cells of their laws, and to which machines: by
// pace, to those that have just come and to those of each age. A machine is of the first age if it
// was away during its last result; each result without an absence makes it one age older.
//
// A machine asks at once when it has finished, and when it comes and holds no task. Idle machines
// ask within a minute or so at the beginning, and later within the backoff. If tasks arrive one by
// one, a cell with a mean of μ asks and L waiting results hands out μ L/(1 + L) of them.
func (m *model) handOut(paces []pace, from [attempts.Ages]int, followed, there float64) *handedOut {
	step, cells := paces[0].laws[0].Kept.Step, len(paces[0].laws[0].Kept.F)
	out := &handedOut{step: step, starts: make([]float64, cells), mixes: make([][]mix, cells), fresh: make([]float64, cells)}
	var begin beginning
	if m.lastArrival() == 0 {
		begin.rows = []early.Row{{followed}}
	}
	arrivals := m.arriving(step, cells, followed/m.n, begin).All(cells)
	copies := float64(m.rules.Results)
	comes, away := m.comings(step, cells)
	machines, mixes := make([]*giving, len(paces)), make([]mix, cells*len(paces))
	for p := range paces {
		machines[p] = m.newGiving(&paces[p], copies*followed, there, comes)
	}
	waits, given := 0.0, 0.0
	since := 0.0 // when work began to wait; within a backoff of it each idle machine asks once
	atOnce := m.lastArrival() == 0
	// While there has been work from the beginning, idle machines ask by the minute, later by the
	// backoff.
	opening := atOnce || m.s.Bag.begins()
	for i := range out.starts {
		waits += copies * arrivals[i]
		at := float64(i) * step
		if waits < 1 || at-since >= m.rules.Backoff {
			since = at
		}
		turn := step / max(step, m.rules.Backoff-(at-since))
		early := opening && at < 1.5*m.rules.Ask
		if early {
			turn = 1 - attempts.StillQuiet(at+step, m.rules.Ask)/attempts.StillQuiet(at, m.rules.Ask)
		}
		asks, resting, could := 0.0, 0.0, 0.0 // could: results that those which ask could take
		for _, g := range machines {
			g.ask(i)
			rested := g.found
			if early {
				rested = m.restedFor(g.found, from, at)
			}
			g.wake(turn, rested)
			batch := 1.0
			if given > 0 {
				batch = g.batch
			}
			asks, resting, could = asks+g.asks, resting+g.resting, could+g.asks*batch
		}
		got := min(waits, could)
		if asks < fewAsks && !atOnce {
			got = min(got, waits*-math.Expm1(-could/(1+waits)))
		}
		out.starts[i] = got
		if got > 0 {
			out.lastCell = i
		}
		waits -= got
		given += got
		opening = atOnce || opening && waits >= 1
		share, first := 0.0, 1.0
		if asks > 0 {
			share = min(got, asks) / asks
		}
		if opening && got < asks {
			first = m.freshFirst(at, resting)
		}
		out.mixes[i] = mixes[i*len(machines) : (i+1)*len(machines)]
		for p, g := range machines {
			mixed := mix{}
			if g.asks > 0 {
				mixed = g.asking.among(first)
			}
			out.fresh[i] += share * (g.comes[i] + g.resting*turn)
			g.take(i, share, mixed, away)
			for k, part := range mixed {
				out.mixes[i][p][k] = part * g.asks / asks
			}
		}
		if waits > max(leastWaiting, leastWaitingShare*copies*followed) {
			out.busy = float64(i+1) * step
		}
		if given < copies*followed*(1-1e-6) {
			out.last = float64(i+1) * step
		}
	}
	out.givenAgain(m, machines, away != nil)
	return out
}

// givenAgain says which machines get the results that replace overdue ones, and how long these
// wait: idle machines that ask within the backoff, and machines that come.
func (out *handedOut) givenAgain(m *model, machines []*giving, leave bool) {
	idle := 0.0
	for _, g := range machines {
		idle += g.idle.Machines
	}
	rate, come := idle/m.rules.Backoff, 0.0
	if leave {
		come = idle / m.course.Up.Mean()
		rate += come
	}
	fresh := come / max(rate, 1e-300)
	out.later = make([]mix, len(machines))
	for p, g := range machines {
		part := g.share
		if idle > 0 {
			part = g.idle.Machines / idle
		}
		out.later[p][0] = part * fresh
		for k, share := range g.found {
			out.later[p][k+1] = part * (1 - fresh) * share
		}
	}
	out.again = 1 / max(rate, 1e-9)
}

// restedFor returns the shares of the ages among machines that have idled from the beginning until
// t. None of them is younger than t, because machines that have come since were given a task.
func (m *model) restedFor(found [attempts.Ages]float64, from [attempts.Ages]int, t float64) [attempts.Ages]float64 {
	task, sum := m.meanTime(), 0.0
	for k := range attempts.Ages - 1 {
		low, high := float64(from[k])*task, float64(from[k+1])*task
		found[k] *= min(1, max(0, (high-t)/(high-low)))
	}
	for _, share := range found {
		sum += share
	}
	if sum < leastAged {
		return [attempts.Ages]float64{attempts.Ages - 1: 1}
	}
	for k := range found {
		found[k] /= sum
	}
	return found
}

// Tasks that arrive one by one count as waiting if more than leastWaiting results wait, and more
// than a share leastWaitingShare of all.
const (
	leastWaiting      = 3
	leastWaitingShare = 0.005
)

// spreads returns, for each time T, the relative standard deviation that the time until which
// results wait would have if its mean were T. Machines begin to work at random, at a rate a(s): an
// idle machine asks again only within the backoff, so that few begin early. Each works from then
// on, so that the work W done until T has
//
//	Var W = ∫ a(s) (T − s)² ds − (∫ a(s) (T − s) ds)²/N,    dW/dT = ∫ a(s) ds,
//	sd T/T = √(Var W)/(T dW/dT)
//
// as each of the N machines begins once: after one backoff all have. The spread of the machine time
// of those that work is added to it.
func (out *handedOut) spreads(working, machines float64) *attempts.Grid {
	g := &attempts.Grid{Step: out.step, F: make([]float64, len(out.fresh)+1)}
	var sum, first, second float64 // ∫ a, ∫ a s, ∫ a s²
	for i, a := range out.fresh {
		at, end := (float64(i)+0.5)*out.step, float64(i+1)*out.step
		sum += a
		first += a * at
		second += a * at * at
		if sum > 0 {
			once := sum*end - first // beginning again after a rest counts too
			variance := max(0, sum*end*end-2*first*end+second-once*once/max(machines, sum))
			g.F[i+1] = math.Hypot(min(mostSpread, math.Sqrt(variance)/(end*sum)), working)
		}
	}
	g.F[0] = g.F[1]
	return g
}

// mostSpread bounds that relative standard deviation: it is about that of the time until a single
// machine has begun and worked for as long again.
const mostSpread = 0.6

// among returns the shares of the machines that ask, if at most a share fresh of them has just
// come.
func (x mix) among(fresh float64) mix {
	sum, others := 0.0, 0.0
	for k, n := range x {
		sum += n
		if k > 0 {
			others += n
		}
	}
	first := min(fresh, x[0]/sum)
	if others <= 0 {
		first = 1
	}
	out := mix{first}
	for k := 1; k < len(x) && others > 0; k++ {
		out[k] = (1 - first) * x[k] / others
	}
	return out
}

// freshFirst returns the share of machines that have just come among those that ask first in a
// cell, for cells in which not all that ask get a result. At the beginning about as many idle
// machines ask, within a minute.
func (m *model) freshFirst(at, idle float64) float64 {
	ask := m.rules.Ask
	if m.course.Down == nil {
		return 0
	}
	if at >= 1.5*ask || idle <= 0 {
		return 1
	}
	const moment = 1e-3
	come := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability() / m.cycle
	quiet := attempts.StillQuiet(at, ask)
	turns := idle * (quiet - attempts.StillQuiet(at+moment*ask, ask)) / (quiet * moment * ask)
	return come / (come + turns)
}

// comings returns, by cell, how many machines that are away at the beginning come back, and the law
// of how long a machine that leaves stays away.
func (m *model) comings(step float64, cells int) (comes, away []float64) {
	comes = make([]float64, cells)
	if m.course.Down == nil {
		return comes, nil
	}
	all := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability() / m.cycle
	away = make([]float64, cells)
	gone := all * m.course.Down.Mean() // at the beginning
	before, last := 0.0, 0.0
	for i := range comes {
		away[i] = (1 - m.course.Gone) * (1 - law.Survival(m.course.Down, float64(i)*step))
		back := law.Equilibrium(m.course.Down, float64(i+1)*step)
		comes[i] = gone * (last + back - before) / 2 // half of those of a cell count in the next
		before, last = back, back-before
	}
	return comes, attempts.Differences(away)
}
