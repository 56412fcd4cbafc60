package bags

import (
	"math"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/bags/internal/early"
	"github.com/capplan/capplan/bags/internal/progress"
	"github.com/capplan/capplan/bags/internal/shift"
)

// manyAttempts is the number of attempts that the largest task takes from which on tasks with checkpoints are followed
// by their progress. A flow loses them once in a cell at most, which may be longer than an attempt: of six tasks of 23
// mean stays the median was 1.5 times as late by a flow (TestFinishOfManyStays in package planner/bags).
const manyAttempts = 5

// leastSaved is the least share of a machine's time that checkpoints must save for that.
const leastSaved = 0.5

// crowded returns how tasks with checkpoints progress if the largest takes many attempts, else nil.
func (m *model) crowded() *progress.Crowd {
	if m.s.Server != Checkpoint || m.course.Down == nil {
		return nil
	}
	come := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability() / m.cycle
	idle := attempts.Taker{Course: m.course, Fresh: come / (come + m.there/m.rules.Ask)}
	a := progress.Attempts{Stays: idle.Stays, Save: m.rules.Save, Wait: m.rules.Ask / (1 + m.there)}
	c := &progress.Crowd{Alone: a.Pace(), Machines: func(t float64) float64 {
		return m.there * math.Exp(-m.goneRate()*t)
	}}
	a.Stays, a.Wait = m.course.Stay, 0 // all work: a task is taken by the next machine that comes
	c.Busy = a.Pace()
	mean, square := 0.0, 0.0
	for _, n := range m.machines {
		mean += n.Share / n.Speed
		square += n.Share / (n.Speed * n.Speed)
	}
	c.Work, c.CV = 1/mean, math.Sqrt(max(0, square/(mean*mean)-1))
	if k := m.tasks.Kinds[len(m.tasks.Kinds)-1]; k.Work*c.Work < manyAttempts*c.Alone.Stay ||
		k.Work*c.Work > 1e100 || min(c.Alone.Rate, c.Busy.Rate) < leastSaved { // whose squares are no numbers
		return nil
	}
	return c
}

// sharing returns the law of such tasks.
func (m *model) sharing() *FinishLaw {
	kinds, all := m.tasks.Kinds, len(m.tasks.Kinds)
	most := m.lastArrival() + m.n/m.done + kinds[all-1].Work*m.crowd.Work/m.crowd.Alone.Rate
	courses := make([]*progress.Course, len(m.factors))
	for i, factor := range m.factors {
		courses[i] = m.crowd.Follow(m.crowdOf(factor), all, 1e-4, 1e3*most)
	}
	w := &widening{span: most, law: func(span float64) *FinishLaw {
		out := &FinishLaw{law: attempts.Grid{F: make([]float64, gridCells)}}
		out.busy = courses[len(courses)/2].Busy
		out.spread = m.fluidSpread(out.busy)
		if out.Waves = m.n > m.there && m.lastArrival() == 0; out.Waves {
			out.Fluid = out.busy
		}
		bags, late := make([]shift.Bag, len(courses)), m.firstAsk()
		for i, c := range courses {
			bags[i].Tasks = m.factors[i] * m.n
			bags[i].Undone = func(t float64) float64 { return c.Left(all, t-late) }
			for g := 0; g < all && all > 1 && m.tasks.Listed != nil; g++ {
				bags[i].Each = append(bags[i].Each, func(t float64) float64 { return c.Left(g, t-late) })
			}
		}
		m.spread(out, bags, out.reach(0, span))
		return out
	}}
	return w.widened()
}

// crowdArrivals is the number of times in which the arrivals of a crowd are summed up.
const crowdArrivals = 24

// crowdOf returns the tasks of a bag with a factor of the tasks. If machines leave, less than the work between two
// saves is lost of tasks that are smaller, and fast machines do more of those that are smaller than a stay.
func (m *model) crowdOf(factor float64) (all []progress.Tasks) {
	kept := func(save float64) float64 { return save * m.whole(save) }
	kinds, begun := m.tasks.Kinds, math.Inf(-1)
	works := make([]float64, len(kinds))
	for g, k := range kinds {
		work := k.Work * m.crowd.Work
		works[g] = work * kept(m.rules.Save) / kept(min(work, m.rules.Save))
		works[g] *= 1 - m.crowd.CV*m.crowd.CV/(1+work/m.crowd.Busy.Stay)
	}
	m.tasks.Each(factor, func(t float64, row early.Row) {
		if t > begun+m.lastArrival()/crowdArrivals {
			begun = t
			for g, work := range works {
				all = append(all, progress.Tasks{At: t, Kind: g, Work: work})
			}
		}
		for g, k := range kinds {
			all[len(all)-len(kinds)+g].Number += row[k.First]
		}
	})
	return all
}
