package bags

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/bags/internal/early"
	"github.com/capplan/capplan/law"
)

// A flow follows the mean numbers of tasks and machines through time, in cells of one step. It
// tells machines apart by their speed and by the cell in which they leave, which is drawn when they
// come, and tasks by their work and how much of it is saved. Tasks are started in the order in which they wait.
//
//	Q_i = Q_{i−1} + arrivals_i + returns_i − starts_i      tasks that wait
//	starts_i = min(Q_i, askers)                            shared among askers
//	a start at i on a machine that takes w and leaves in e
//	    e >= i + w   is done at i + w, and the machine asks again
//	    e <  i + w   is lost at e, and waits again from e + delay on
//
// Askers are machines that come (a constant stream, as machines are in their steady state whatever
// the tasks do), machines that have finished a task, and the idle machines whose turn it is. It
// follows that machines with short stays take tasks and lose them, that idle machines are those
// with long stays, and that equal machines finish in step.
type flow struct {
	m     *model
	step  float64
	cells int
	there float64 // share of the machines that is there at the beginning; the others are gone for good

	speeds  attempts.Times
	kinds   []kind          // of tasks, from small to large
	classes int             // of all kinds
	fresh   *early.Arrivals // tasks that arrive, without those given to machines
	begun   int             // rows of them that are given
	come    int             // rows of them that have come
	returns []float64       // lost tasks that wait again, by cell and class, without those given to machines
	head    int             // the first cell of which some are left
	lost    []float64       // tasks started in a cell, by the cell in which they are lost and their class then
	lostTo  int             // all these are lost before that cell
	parts   []float64       // of the machines given tasks in a cell, the share with tasks of each class
	back    []float64       // by class, tasks that wait on as their machines leave before they begin them
	most    float64         // tasks of mean work that a machine does one after the other in a cell
	turns   *attempts.Turns // of idle machines; nil: all tasks are there at once, or cells are long
	idle    [][]float64     // by speed and cell in which they leave, the last for beyond the grid
	asks    [][]float64     // by speed: rows of machines that finish, used as a ring
	asked   [][]bool        // the rows that hold any; the values of the others are arbitrary
	nobody  []float64       // a row of no machines
	rows    []int
	spells  []float64 // chance that the stay of a machine that comes ends in a cell
	tail    []float64
	resting []float64       // of spells, the share present in their last cell; see present
	stayed  []float64       // running sums of resting
	served  []float64       // machines of a speed that are given tasks, by the cell in which they leave
	later   []float64       // sums of served from a cell on
	finish  []float64       // share of them that are done and ask in a cell
	saves   [][]early.Saved // by speed and kind
	room    *attempts.Room  // memory of all these

	undone []float64
	each   [][]float64 // of undone, the tasks of each kind
	queued []float64   // tasks that wait, by cell
	total  float64     // tasks that are followed
	last   float64     // s, when the queue is first empty after all have arrived
}

// A kind is the tasks of one kind in a flow.
type kind struct {
	early.Kind
	each float64 // tasks that a machine is given now, 1 at least
}

// Saved work is followed in stayClasses classes for each mean stay that a task takes, at least flowClasses, or
// fewClasses of each kind of unlike tasks, and at most mostClasses. A lost task is divided between two classes, which
// spreads what is saved: of 30 tasks of 3.4 stays each the median was 8 % late, the 95 % point 11 %, with 12 classes
// (J9 of TestFinishOfManyStays in package planner/bags).
const (
	flowClasses = 12
	stayClasses = 8
	fewClasses  = 6
	mostClasses = 48
)

// newFlow prepares the machines: those that are there, which are idle, and those that come. A share
// there of them is not gone for good.
func (m *model) newFlow(step float64, cells int, there float64) *flow {
	f := &flow{m: m, step: step, cells: cells, speeds: m.speeds(), classes: m.tasks.Classes, there: there,
		room: attempts.Rooms.Get().(*attempts.Room)}
	for _, k := range m.tasks.Kinds {
		f.kinds = append(f.kinds, kind{k, 1})
	}
	f.parts, f.back = make([]float64, f.classes), make([]float64, f.classes)
	if m.lastArrival() > 0 {
		f.turns = attempts.NewTurns(step, m.rules.Ask, cells)
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
		rows := int(min(math.Ceil(v.Speed*f.kinds[len(f.kinds)-1].Work/step)+3, float64(cells+2)))
		f.rows = append(f.rows, rows)
		f.asks = append(f.asks, f.room.Cut(rows * (cells + 1))[:rows*(cells+1)])
		f.asked = append(f.asked, make([]bool, rows))
		idle := f.room.Zeros(cells + 1)
		for e := range idle {
			idle[e] = v.Share * there * m.there * found[e]
		}
		f.idle = append(f.idle, idle)
	}
	for _, v := range f.speeds {
		f.most += v.Share * step / v.Speed
	}
	f.nobody = f.room.Zeros(cells + 1)
	f.later, f.finish = f.room.Zeros(cells+1), f.room.Zeros(cells+2)
	f.served, f.lost = f.room.Zeros(cells+1), f.room.Zeros(cells*f.classes)
	if f.classes > len(f.kinds) {
		for _, v := range f.speeds {
			saves := make([]early.Saved, len(f.kinds))
			for g, of := range f.kinds {
				if of.Classes > 1 {
					saves[g] = of.Savings(v.Speed*of.Work, step, cells, m.saved)
				}
			}
			f.saves = append(f.saves, saves)
		}
	}
	return f
}

// leave gives back all memory except that of undone, each and queued.
func (f *flow) leave() { f.room.Leave() }

// present sets the share of its last cell for which a machine that leaves is present, so that on
// the whole machines are present for as long as they stay. Machines with stays shorter than a cell
// thus idle too, ask, and take tasks that they lose. Machines with longer stays count from the cell
// after the one in which they came. found holds the shares of the machines up at the beginning that
// leave in each cell.
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

// meanTime returns the mean time of a task.
func (m *model) meanTime() float64 {
	sum := 0.0
	for _, n := range m.times {
		sum += n.Share * n.Speed
	}
	return sum
}

// noneUndone is the mean number of tasks not done below which the rest of a flow is not followed: none is then.
const noneUndone = 1e-12

// run follows the tasks that arrive.
func (f *flow) run(arrive *early.Arrivals) {
	groups := len(f.kinds)
	f.total = floats.Sum(arrive.Left)
	f.undone, f.queued, f.each = make([]float64, f.cells), make([]float64, f.cells), make([][]float64, groups)
	for g := range f.each {
		f.each[g] = make([]float64, f.cells)
	}
	f.fresh, f.returns = arrive, f.room.Zeros((f.cells+2)*f.classes)
	done := make([]float64, (f.cells+2)*groups)
	come, left, waiting := 0.0, slices.Clone(arrive.Left), 0.0
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
		for ; f.come < len(arrive.Rows) && arrive.Cells[f.come] <= i; f.come++ {
			tasks := floats.Sum(arrive.Rows[f.come])
			come += tasks
			waiting += tasks
		}
		waiting += floats.Sum(f.row(i))
		fromSure, fromIdle, takers := f.shares(i, fresh, waiting)
		tasks := f.give(i, takers, waiting)
		clear(f.back)
		for v := range f.speeds {
			f.serve(i, v, fresh, fromSure, fromIdle, waiting, done)
		}
		f.giveBack(i)
		floats.Add(f.row(i+1), f.back) // what machines get that leave before they have done it waits on
		waiting = max(0, waiting-tasks)
		if math.IsNaN(f.last) && come > f.total*(1-1e-9) && waiting < 1e-6*f.total {
			f.last = float64(i) * f.step
		}
		f.queued[i] = waiting + floats.Sum(f.back)
		for g := range left {
			left[g] -= done[i*groups+g]
			f.each[g][i] = max(0, left[g])
		}
		if f.undone[i] = max(0, floats.Sum(left)); f.undone[i] < noneUndone {
			break
		}
	}
	if math.IsNaN(f.last) {
		f.last = float64(f.cells) * f.step
	}
}

// row returns the tasks, by class, that begin to wait in a cell.
func (f *flow) row(i int) []float64 {
	return f.returns[i*f.classes : (i+1)*f.classes]
}

// give gives tasks to so many machines, of those that wait up to a cell, first come first served, and returns how
// many tasks; it sets the parts. Under checkpoints the last tasks to start are thus those of which most is saved: if
// all were mixed, the median of 314 tasks of 12,000 s on 300 machines were 7 % late.
func (f *flow) give(i int, takers, waiting float64) (tasks float64) {
	clear(f.parts)
	if takers <= 0 {
		return 0
	}
	for g := range f.kinds {
		f.kinds[g].each = max(1, min(f.most/f.kinds[g].Work, waiting/takers))
	}
	for rest := takers; rest > 0; {
		var wait early.Row
		fresh := f.begun < f.come && f.fresh.Cells[f.begun] <= f.head
		switch {
		case fresh:
			wait = f.fresh.Rows[f.begun]
		case f.head <= i:
			wait = f.row(f.head)
		default:
			rest = 0
			continue
		}
		takes := 0.0 // machines
		for _, k := range f.kinds {
			takes += floats.Sum(wait[k.First:k.First+k.Classes]) / k.each
		}
		share := min(1, rest/takes)
		for _, k := range f.kinds {
			for c := k.First; c < k.First+k.Classes; c++ {
				f.parts[c] += share * wait[c] / k.each
				tasks += share * wait[c]
			}
		}
		switch {
		case takes > rest:
			floats.Scale(1-share, wait)
		case fresh:
			f.begun++
		default:
			f.head++
		}
		rest -= takes
	}
	if all := floats.Sum(f.parts); all > 0 {
		for k := range f.parts {
			f.parts[k] /= all // whose inverse may be beyond all numbers
		}
	}
	return tasks
}

// shares returns the share of those that ask at once, and of the idle machines, that get a task, and how
// many do.
func (f *flow) shares(i int, fresh, waiting float64) (sure, idle, takers float64) {
	if waiting <= 0 && f.turns == nil {
		return 0, 0, 0
	}
	asking, resting := fresh, 0.0
	for v := range f.speeds {
		asking += floats.Sum(f.asking(v, i)[i:])
		resting += floats.Sum(f.idle[v][i:])
	}
	came := fresh * f.stayed[f.cells-i] // machines that come, find no task and become idle
	ask := f.m.rules.Ask
	turn, rate := 1-attempts.StillQuiet(f.step, ask), f.step/ask
	if at := float64(i) * f.step; at < 1.5*ask { // idle machines have not asked before
		turn = 1 - attempts.StillQuiet(at+f.step, ask)/attempts.StillQuiet(at, ask)
	}
	if f.turns != nil {
		turn = f.turns.Turn()
		rate = turn
	}
	if waiting > 0 {
		sure, idle = attempts.Among(waiting, asking, resting, came, turn, rate)
	}
	if f.turns != nil {
		f.turns.Pass(resting*(1-turn), resting*max(0, turn-idle)+asking*(1-sure))
	}
	return sure, idle, asking*sure + (resting+came*(1-sure))*idle
}

// asking returns the machines of a speed that ask in a cell, by the cell in which they leave.
func (f *flow) asking(v, i int) []float64 {
	if !f.asked[v][i%f.rows[v]] {
		return f.nobody
	}
	return f.askers(v, i)
}

// askers is the row of asking, also if it does not hold any yet.
func (f *flow) askers(v, i int) []float64 {
	k := i % f.rows[v] * (f.cells + 1)
	return f.asks[v][k : k+f.cells+1]
}

// willAsk lets a share of the served machines that are still there ask in a cell.
func (f *flow) willAsk(v, at int, share float64) {
	row, any := f.askers(v, at)[at:], &f.asked[v][at%f.rows[v]]
	if *any {
		floats.AddScaled(row, share, f.served[at:])
		return
	}
	*any = true
	floats.ScaleTo(row, share, f.served[at:])
}

// serve gives tasks to the machines of one speed.
func (f *flow) serve(i, v int, fresh, fromSure, fromIdle, waiting float64, done []float64) {
	share := f.speeds[v].Share * fresh
	left := f.cells - i // cells in which machines may leave
	row, idle, served := f.asking(v, i)[i:], f.idle[v][i:], f.served[i:]
	spells, resting := f.spells[:left], f.resting[:left]
	sure := row[left] + share*f.tail[left]
	served[left] = sure*fromSure + idle[left]*fromIdle
	idle[left] += sure - served[left]
	switch {
	case waiting <= 0: // all idle
		floats.Add(idle[:left], row[:left])
		floats.AddScaled(idle[:left], share, spells)
	case fromSure == 1: // none of those that ask becomes idle
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
	f.asked[v][i%f.rows[v]] = false
	if waiting <= 0 {
		return
	}
	if takers := floats.Sum(served); takers > 0 {
		f.start(i, v, takers, done)
	}
}
