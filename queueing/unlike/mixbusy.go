package unlike

import (
	"errors"
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// Busy returns the mean number of busy servers of each kind, as [Varying.Busy].
func (m *MixTable) Busy(counts []float64) ([]float64, error) {
	m = m.reaching(counts)
	v, ok, err := m.rule(counts, true)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(m.kinds))
	if ok {
		m.each(0, m.weight.Value, 1, counts, func(value, factor []float64, chance float64) {
			m.model.Work.add(m.tellSteps() + factorSteps*m.nodes*m.asked(m.counts))
			value = m.times(value, factor)
			q, steady := m.queue(value, nil)
			var rests []float64
			if steady {
				rests = m.rests(value)
			}
			for j, n := range m.counts {
				switch {
				case !steady:
					out[j] += chance * n
				case n > 0:
					out[j] += chance * n * (rests[j]*m.load/m.kinds[j].Speed/q.sum*(1-q.full) + q.full)
				}
			}
		})
		return out, nil
	}
	if m.below(counts) > 1 && len(v.Coming) <= farKinds {
		return m.farBusy(counts)
	}
	beside, coming, err := v.Busy()
	if err != nil {
		return nil, err
	}
	for j, k := range m.kinds {
		switch {
		case k.Up == 1:
			out[j], beside = beside[0], beside[1:]
		case counts[j] > 0:
			out[j], coming = coming[0], coming[1:]
		}
	}
	return out, nil
}

// farPoints is the number of points of a Gauss rule for counts far beyond what the load needs. The
// share of n servers that is busy then falls at most as a/(a + n), which is smooth if the standard
// deviation σ of the number up is far below a + n.
const farPoints = 10

// farKinds bounds the kinds that come and go of which each point of one is taken with each of all
// others: 13 kinds would have 1e13. States of more are merged.
const farKinds = 5

// farBusy is Busy for counts beyond the nodes of the table.
func (m *MixTable) farBusy(counts []float64) ([]float64, error) {
	out := make([]float64, len(m.kinds))
	var over func(j int, chance float64) error
	over = func(j int, chance float64) error {
		if j == len(m.kinds) {
			for i, k := range m.kinds {
				m.groups[i] = Group{m.counts[i], k.Speed}
			}
			_, busy, err := m.model.product(m.groups, nil, numeric.DecayIntegrals)
			if errors.Is(err, queueing.ErrUnstable) {
				busy, err = m.counts, nil
			}
			for i, b := range busy {
				out[i] += chance * b
			}
			return err
		}
		k := m.kinds[j]
		nodes, weights := k.gauss(counts[j], m.floor+mixRare, farPoints)
		for i, u := range nodes {
			m.counts[j] = math.Max(u, 0) / k.PerJob
			if err := over(j+1, chance*weights[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return out, over(0, 1)
}
