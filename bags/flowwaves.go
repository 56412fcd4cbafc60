package bags

import (
	"math"
	"slices"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/internal/parallel"
)

// A bag is done in waves if each machine does fewer than mostInWaves tasks one after the other, if
// a share of more than keepStep of the machines has not left by then, and if the times of their
// waves spread by less than waveApart of a task.
const (
	mostInWaves = 10
	waveApart   = 0.4
)

// fewerThere is how many standard deviations below the mean the number of machines may lie for a
// bag with fewer tasks than machines to need two waves.
const fewerThere = 3

// inWaves reports whether a bag, by a law that ignores waves, takes so few waves that a shortage of
// machines does not delay all tasks a little but leaves some of them to another wave.
func (m *model) inWaves(f *FinishLaw) bool {
	waves := f.Fluid / m.meanTime()
	large := len(m.s.Bag.Tasks) > 0 && m.tasks.Kinds[len(m.tasks.Kinds)-1].Work > 1+waveApart
	return m.lastArrival() == 0 && len(m.factors) == 1 && !large && m.s.Bag.Size.SD == 0 && waves < mostInWaves &&
		waves*(m.s.Hosts.Speed.SD/m.s.Hosts.Speed.Mean+m.s.Bag.Unlike()) < waveApart &&
		m.course.Residual(f.Fluid) > keepStep && m.n > m.there*(1-fewerThere*m.fluidSpread(m.soonest))
}

// wavesWithin is flowWithin for such a bag: it follows one flow for each luck, see
// [model.stepping].
func (m *model) wavesWithin(span, before float64) *FinishLaw {
	step, cells := m.cells(span)
	span = step * float64(cells-1)
	out := &FinishLaw{law: attempts.Grid{Step: (before + span) / float64(gridCells-1), F: make([]float64, gridCells)}}
	f, mean := m.follow(step, cells, 1)
	if out.Waves = m.n > m.there; out.Waves {
		out.Fluid = before + f.last
		out.handing = f.handing(f.total)
	}
	nodes := luckNodes
	if len(m.times) > 1 {
		nodes = fewLucks
	}
	spread := m.fluidSpread(before + f.last)
	// Without spread only the mean is set, and no other factor is asked for.
	all := make([]func(t float64) float64, len(nodes))
	parallel.Do(len(nodes), func(k int) {
		switch z := nodes[k]; {
		case z == 0:
			all[k] = mean.Undone
		case spread > 0:
			_, of := m.follow(step, cells, math.Exp(z*spread))
			all[k] = of.Undone
		}
	})
	m.stepping(out, spread, before+span, nodes, func(factor float64) func(float64) float64 {
		if factor == 1 { // without spread every factor is 1
			return mean.Undone
		}
		return all[slices.IndexFunc(nodes, func(z float64) bool { return math.Exp(z*spread) == factor })]
	})
	return out
}
