package bags

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/law"
)

// A flow follows the mean numbers of tasks and machines through time, in cells of a
// step. Machines are told apart by their speed and by the cell in which they leave,
// which is drawn when they come; tasks by how much of their work is saved.
//
//	Q_i = Q_{i−1} + arrivals_i + returns_i − starts_i      tasks that wait
//	starts_i = min(Q_i, askers)                            shared among askers
//	a start at i on a machine that takes w and leaves in e
//	    e >= i + w   is done at i + w, and the machine asks again
//	    e <  i + w   is lost at e, and waits again from e + delay on
//
// Askers are machines that come (a constant stream, machines being in their steady
// state whatever the tasks do), that have finished a task, and of the idle those
// whose turn it is. That many short stays take tasks and lose them, that idle
// machines are those of long stays, and that equal machines finish in step all
// follow from it.
type flow struct {
	m     *model
	step  float64
	cells int
	there float64 // share of the machines at the beginning, the others gone for good

	speeds  attempts.Times
	classes int         // of saved work: k of them saved in class k
	queue   []float64   // by class
	returns [][]float64 // by class and cell
	idle    [][]float64 // by speed and last cell; that beyond the grid is the last
	asks    [][]float64 // by speed: rows of machines that finish, as a ring
	rows    []int
	spells  []float64 // of a machine that comes, by cell; beyond: tail
	tail    []float64
	resting []float64 // of spells, those that last in their last cell; see present
	stayed  []float64 // their sums over spells of fewer cells
	served  []float64
	saves   []saved // by speed
	among   []float64
	room    *attempts.Room // for all of these

	undone []float64
	queued []float64 // that wait, by cell
	last   float64   // s, when the queue is empty for the first time after all have come
}

// flowClasses is the most steps between none and all of a task's work. Of tasks of 41 saves, of
// which machines do a third in a stay, the median was 7 to 10 % late in 6 of them, 4 % in 12.
const flowClasses = 12

// newFlow prepares the machines: those that are there, idle, and those that come, of which a share
// is not gone for good.
func (m *model) newFlow(step float64, cells int, there float64) *flow {
	f := &flow{m: m, step: step, cells: cells, speeds: m.speeds(), classes: m.classes(), there: there,
		room: attempts.Rooms.Get().(*attempts.Room)}
	f.queue = make([]float64, f.classes)
	f.returns = make([][]float64, f.classes)
	for k := range f.returns {
		f.returns[k] = f.room.Zeros(cells + 2)
	}
	found, last := f.room.Zeros(cells+1), 1.0
	f.spells, f.tail = f.room.Zeros(cells+1), f.room.Zeros(cells+2)
	f.resting, f.stayed = f.room.Zeros(cells), f.room.Zeros(cells+1)
	for k := range cells {
		next := m.course.Residual(float64(k+1) * step)
		found[k] = last - next
		last = next
	}
	found[cells] = last
	if m.course.Down != nil {
		f.tail[0] = 1
		law.Survivals(m.course.Up, step, f.tail[1:cells+1])
		for k := range cells {
			f.spells[k] = f.tail[k] - f.tail[k+1]
		}
		f.present(found)
	}
	for _, v := range f.speeds {
		rows := min(int(math.Ceil(v.Speed/step))+3, cells+2)
		f.rows = append(f.rows, rows)
		f.asks = append(f.asks, f.room.Zeros(rows*(cells+1)))
		idle := f.room.Zeros(cells + 1)
		for e := range idle {
			idle[e] = v.Share * there * m.there * found[e]
		}
		f.idle = append(f.idle, idle)
	}
	f.served = f.room.Zeros(cells + 1)
	if f.classes > 1 {
		for _, v := range f.speeds {
			f.saves = append(f.saves, f.savings(v.Speed))
		}
		f.among = f.room.Zeros(cells + 1)
	}
	return f
}

// leave returns the memory of all but undone.
func (f *flow) leave() { f.room.Leave() }

// present says for which share of the cell in which a machine leaves again it is there,
// so that in all it is there for as long as it stays: those of stays shorter than a cell
// rest too, ask, and take tasks that they lose. Others are counted from the cell after
// that in which they came. found are the shares of those found up that leave in each.
func (f *flow) present(found []float64) {
	cycle := f.m.course.Up.Mean() / f.step
	for k := range f.cells {
		stay := cycle * found[k] // ∫ P(a > x) dx over the cell, by its step
		share := 0.5
		if f.spells[k] > 1e-9 {
			share = min(1, max(0, (stay-f.tail[k+1])/f.spells[k]))
		}
		f.resting[k] = f.spells[k] * share
		f.stayed[k+1] = f.stayed[k] + f.resting[k]
	}
}

// classes is into how many the work of a task is cut that may be saved: two for a save, as on a faster
// machine that is more of it.
func (m *model) classes() int {
	if m.s.Server != Checkpoint {
		return 1
	}
	return int(min(flowClasses, max(1, math.Ceil(2*m.meanTime()/m.rules.Save))))
}

// meanTime returns the mean time of a task.
func (m *model) meanTime() float64 {
	sum := 0.0
	for _, n := range m.times {
		sum += n.Share * n.Speed
	}
	return sum
}

// run follows the tasks, total in all, that arrive by cell or beyond the grid.
func (f *flow) run(arrivals []float64, total float64) {
	f.undone, f.queued = make([]float64, f.cells), make([]float64, f.cells)
	done := make([]float64, f.cells+2)
	come, left := 0.0, total
	machines := float64(f.m.s.Hosts.Machines()) * f.m.s.Hosts.GroupAvailability()
	rate := machines / f.m.cycle
	var comes []float64
	if f.m.goneRate() > 0 {
		comes = f.m.course.Comings(f.step, f.cells)
	}
	f.last = math.NaN()
	for i := range f.cells {
		fresh := rate * f.step
		switch {
		case comes != nil:
			fresh = f.there * machines * comes[i]
		case i == 0:
			fresh /= 2
		}
		come += arrivals[i]
		f.queue[0] += arrivals[i]
		waiting := 0.0
		for k := range f.queue {
			f.queue[k] += f.returns[k][i]
			waiting += f.queue[k]
		}
		fromSure, fromIdle := f.shares(i, fresh, waiting)
		taken := 0.0
		for v := range f.speeds {
			taken += f.serve(i, v, fresh, fromSure, fromIdle, waiting, done)
		}
		if waiting > 0 {
			keep := max(0, 1-taken/waiting)
			for k := range f.queue {
				f.queue[k] *= keep
			}
		}
		if math.IsNaN(f.last) && come > total*(1-1e-9) && waiting-taken < 1e-6*total {
			f.last = float64(i) * f.step
		}
		f.queued[i] = max(0, waiting-taken)
		left -= done[i]
		f.undone[i] = max(0, left)
	}
	if math.IsNaN(f.last) {
		f.last = float64(f.cells) * f.step
	}
}

// shares returns which share of those that ask at once, and of the idle, are given a
// task.
func (f *flow) shares(i int, fresh, waiting float64) (sure, idle float64) {
	if waiting <= 0 {
		return 0, 0
	}
	asking, resting := 0.0, 0.0
	for v := range f.speeds {
		asking += floats.Sum(f.row(v, i)[i:])
		resting += floats.Sum(f.idle[v][i:])
	}
	asking += fresh
	came := fresh * f.stayed[f.cells-i] // those that find no task rest for the first time
	ask := f.m.rules.Ask
	turn := 1 - stillQuiet(f.step, ask)
	if at := float64(i) * f.step; at < 1.5*ask { // the first asks of all that were there
		turn = 1 - stillQuiet(at+f.step, ask)/stillQuiet(at, ask)
	}
	if waiting >= asking+resting*turn {
		return 1, turn
	}
	resting += came
	// The first to ask is given a task: machines that come and idle ones by the
	// rates at which they ask.
	rate := f.step / ask
	idle = waiting / (asking + resting*rate) * rate
	idle = min(idle, turn)
	if left := asking - came*idle; left > 0 {
		sure = max(0, min(1, (waiting-resting*idle)/left))
	}
	if rest := waiting - sure*asking; resting-came*sure > 0 {
		idle = max(0, min(turn, rest/(resting-came*sure)))
	}
	return sure, idle
}

// stillQuiet is the chance that an idle machine has not asked for so long after a
// moment.
func stillQuiet(t, ask float64) float64 {
	x := t / ask
	switch {
	case x <= 0.5:
		return 1 - x
	case x < 1.5:
		return (1.5 - x) * (1.5 - x) / 2
	}
	return 0
}

func (f *flow) row(v, i int) []float64 {
	k := i % f.rows[v] * (f.cells + 1)
	return f.asks[v][k : k+f.cells+1]
}

// serve gives tasks to the machines of one speed, and returns how many.
func (f *flow) serve(i, v int, fresh, fromSure, fromIdle, waiting float64, done []float64) float64 {
	share := f.speeds[v].Share * fresh
	left := f.cells - i // cells, in which machines leave
	row, idle, served := f.row(v, i)[i:], f.idle[v][i:], f.served[i:]
	spells, resting := f.spells[:left], f.resting[:left]
	sure := row[left] + share*f.tail[left]
	served[left] = sure*fromSure + idle[left]*fromIdle
	idle[left] += sure - served[left]
	switch {
	case waiting <= 0: // all rest
		floats.Add(idle[:left], row[:left])
		floats.AddScaled(idle[:left], share, spells)
	case fromSure == 1: // of those that ask none rests
		for e, n := range spells {
			got := idle[e] * fromIdle
			idle[e] -= got
			served[e] = row[e] + share*n + got
		}
	default:
		rested := share * (1 - fromSure)
		for e, n := range spells {
			sure := row[e] + share*n
			got := sure*fromSure + (idle[e]+rested*resting[e])*fromIdle
			idle[e] += sure - got
			served[e] = got
		}
	}
	clear(row)
	if waiting <= 0 {
		return 0
	}
	taken := floats.Sum(served)
	if taken == 0 {
		return 0
	}
	for k, q := range f.queue {
		if q > 0 {
			f.start(i, v, k, q/waiting, done)
		}
	}
	return taken
}
