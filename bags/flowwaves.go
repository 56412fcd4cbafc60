package bags

import (
	"math"
	"slices"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/internal/parallel"
)

// A bag is done in waves where each machine does up to mostInWaves tasks one after the other, while
// keepStep of the machines have not left, and as long as these differ by less than waveApart of
// a task.
const (
	mostInWaves = 10
	waveApart   = 0.4
)

// fewerThere is how many standard deviations fewer machines than on average may be there for a bag
// of fewer tasks than machines to be done in two waves.
const fewerThere = 3

// inWaves says whether a bag of a law without regard to it is done in so few waves that fewer
// machines do not make all a little later, but leave a part of it to one wave more.
func (m *model) inWaves(f *FinishLaw) bool {
	waves := f.Fluid / m.meanTime()
	return m.lastArrival() == 0 && len(m.factors) == 1 && m.s.Bag.Size.SD == 0 && waves < mostInWaves &&
		waves*(m.s.Hosts.Speed.SD/m.s.Hosts.Speed.Mean+m.s.Bag.Unlike()) < waveApart &&
		m.course.Residual(f.Fluid) > keepStep && m.n > m.there*(1-fewerThere*m.fluidSpread(m.soonest))
}

// wavesWithin is flowWithin of such a bag: of a flow of each luck, see [model.stepping].
func (m *model) wavesWithin(span, followed, ahead float64) *FinishLaw {
	step, cells := m.cells(span)
	before, _ := m.ahead(ahead)
	span = step * float64(cells-1)
	out := &FinishLaw{law: attempts.Grid{Step: (before + span) / float64(gridCells-1), F: make([]float64, gridCells)}}
	f, mean := m.follow(step, cells, 1, followed, ahead)
	if out.Waves = m.n > m.there; out.Waves {
		out.Fluid = before + f.last
		out.handing = f.handing(followed)
	}
	nodes := luckNodes
	if len(m.times) > 1 {
		nodes = fewLucks
	}
	spread := m.fluidSpread(before + f.last)
	all := make([]func(t float64) float64, len(nodes)) // of no spread the mean is, and no other is asked for
	parallel.Do(len(nodes), func(k int) {
		switch z := nodes[k]; {
		case z == 0:
			all[k] = mean
		case spread > 0:
			_, all[k] = m.follow(step, cells, math.Exp(z*spread), followed, ahead)
		}
	})
	m.stepping(out, spread, before+span, nodes, func(factor float64) func(float64) float64 {
		if factor == 1 { // of no spread all are
			return mean
		}
		return all[slices.IndexFunc(nodes, func(z float64) bool { return math.Exp(z*spread) == factor })]
	})
	return out
}
