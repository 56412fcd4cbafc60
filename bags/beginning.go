package bags

import (
	"math"
	"slices"

	"github.com/capplan/capplan/bags/internal/early"
)

// mostWaves is the greatest number of tasks per machine that a flow follows cell by cell. Earlier
// tasks are done while all machines work.
const mostWaves = 60

// A beginning is where a flow begins.
type beginning struct {
	ahead float64      // s until then, if no machine were gone for good; see [model.ahead]
	left  float64      // machine time of the tasks not done by then, arrived or not, over that of a task
	since float64      // s, from when on all machines have worked
	rows  []early.Row  // tasks that wait then, in order; nil: the flow begins with the bag
	lost  []early.Late // tasks that wait again a time after it
}

// begins returns where the flow of a bag with a factor of the tasks begins: the last time at which the work of
// mostWaves tasks waits for each machine. Cells of a flow that begins earlier may be longer than its
// tasks: of 200,000 tasks of 14 s that arrive within an hour on 80 machines the median was 340 times
// too late.
func (m *model) begins(factor float64) beginning {
	n, most := factor*m.n, factor*math.Ceil(mostWaves*max(1, m.there))
	out := beginning{left: n}
	if n <= most || m.done == 0 || math.IsInf(m.attempts.Each, 1) {
		return out
	}
	q := &early.Queue{Attempts: m.attempts, Rate: m.done, Delay: m.delay, Step: n / m.done / earlySteps}
	come, since := 0.0, 0.0
	pass := func(to float64) {
		if q.Work > most && q.Serve(to, most) {
			out = beginning{ahead: q.Now, left: most + n - come, since: since}
			out.rows, out.lost = q.Waiting()
			for i := range out.lost {
				out.lost[i].At -= q.Now
			}
		}
		if !math.IsInf(to, 1) {
			q.Serve(to, math.Inf(-1))
		}
	}
	m.tasks.Each(factor, func(t float64, row early.Row) {
		if pass(m.working(t)); q.Work == 0 {
			since = t
		}
		before := q.Work
		q.Add(row)
		come += q.Work - before
	})
	pass(math.Inf(1))
	return out
}

// earlySteps is the number of steps of the time of a bag in each of which lost tasks wait together.
const earlySteps = 1000

// arriving returns the tasks of a bag with a factor of the tasks that wait when a flow begins, and that arrive in each
// of its cells.
func (m *model) arriving(step float64, cells int, factor float64, from beginning) *early.Arrivals {
	begin, _ := m.ahead(from.ahead)
	return m.tasks.From(begin, step, cells, factor, from.rows, from.lost)
}

// setTasks sets how tasks are followed. There are two classes for each save, because a faster machine does more
// work between two saves. Under BOINC all tasks are of one kind.
func (m *model) setTasks() {
	b, save := &m.s.Bag, math.Inf(1)
	m.tasks = &early.Bag{Number: m.n, Last: m.lastArrival(), Arrival: b.Arrival}
	tasks, _ := b.Draw(nil) // in order; none, if they are not listed
	works := make([]float64, len(tasks))
	for i, t := range tasks {
		works[i] = t.Work / m.work
	}
	switch {
	case m.s.Server == BOINC:
		m.tasks.Kinds = early.NormalKinds(0)
	case len(tasks) > 0:
		m.tasks.Kinds = early.ListedKinds(works)
	default:
		m.tasks.Kinds = early.NormalKinds(b.Work.SD / b.Work.Mean)
	}
	m.tasks.Listed = slices.Grow(m.tasks.Listed, len(tasks))
	for _, t := range tasks {
		task := early.Task{At: t.Arrival, Kind: early.KindOf(m.tasks.Kinds, t.Work/m.work)}
		m.tasks.Listed = append(m.tasks.Listed, task)
	}
	if m.s.Server == Checkpoint {
		save = m.rules.Save
	}
	time, kinds := m.meanTime(), m.tasks.Kinds
	for g := range kinds {
		k := &kinds[g]
		k.First, k.Classes = m.tasks.Classes, 1
		if m.s.Server == Checkpoint && m.course.Down != nil { // else nothing is lost
			least := float64(flowClasses)
			if len(kinds) > 1 {
				least = fewClasses
			}
			most := min(mostClasses, max(least, math.Ceil(stayClasses*k.Work*time/m.course.Up.Mean())))
			k.Classes = int(min(most, max(1, math.Ceil(2*k.Work*time/save))))
		}
		m.tasks.Classes += k.Classes
	}
	if m.crowd = m.crowded(); m.crowd != nil {
		return
	}
	if len(kinds) > 1 || m.s.Server != BOINC && 2*m.n > mostWaves*m.there { // else nobody asks
		machines := &early.Machines{Mean: math.Inf(1), Stays: m.course.Stay, Rests: m.course.Residual, Save: save}
		if m.course.Down != nil {
			machines.Mean = m.course.Up.Mean()
		}
		for _, v := range m.speeds() {
			machines.Times = append(machines.Times, early.Time{Share: v.Share, Time: v.Speed})
		}
		m.attempts = early.AttemptsOf(machines, kinds)
	}
}
