package unlike

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/queueing"
)

// A mixDecline is how fast P(W > t) of an objective falls with the total speed v = Σ nⱼsⱼ, if
// arrivals wait. With β = 2t/((Ca² + Cs²)·E[S]),
//
//	P(W > t) = P(W > 0)·e^(−β(v − a))
type mixDecline struct {
	at   int // index of the objective
	beta float64
	of   []float64 // for each number up of the last kind: e^(−β·(greatest v − its v))
}

// farDecline bounds the exponents for which a decline is computed as a product of factors.
const farDecline = 300

// queued adds to the sum what the objectives need as means over the states, if arrivals wait. It
// computes the same as [MixTable.queue], in a loop of its own because plans under ranges spend
// their time here: a pair of numbers up costs one product of vectors, and exponentials are computed
// once for each number, not for each pair.
func (m *MixTable) queued(s *mixSum, counts []float64, objectives []queueing.Objective) {
	last := -1
	for j := m.nextComing(0, counts); j < len(m.kinds); j = m.nextComing(j+1, counts) {
		last = j
	}
	arrival, service := m.model.scvs()
	m.declines = m.declines[:0]
	for i, o := range objectives {
		if o.Metric != queueing.WaitTail && o.Metric != queueing.LateShare {
			continue
		}
		d := mixDecline{at: i, beta: o.Wait / ((arrival/2 + service/2) * m.model.ServiceTime)}
		if last >= 0 {
			up, fall := m.used[last].servers, d.beta*m.kinds[last].Speed
			if most := floats.Max(up); fall*(most-floats.Min(up)) < farDecline {
				d.of = make([]float64, len(up))
				for k, n := range up {
					d.of[k] = math.Exp(fall * (most - n))
				}
			}
		}
		m.declines = append(m.declines, d)
	}
	m.queuedFrom(s, 0, m.weight.Value, 1, 0, counts)
}

// queuedFrom is queued for the kinds from the given one on; speed is the total speed of the servers
// of the kinds before.
func (m *MixTable) queuedFrom(s *mixSum, from int, value []float64, chance, speed float64, counts []float64) {
	j := m.nextComing(from, counts)
	for k := from; k < j; k++ {
		speed += m.first[k] * m.kinds[k].Speed
	}
	if j == len(m.kinds) {
		m.queuedAt(s, floats.Sum(value), chance, speed)
		return
	}
	r, each := m.used[j], m.kinds[j].Speed
	m.model.Work.add((factorSteps*m.nodes + 50) * float64(len(r.factor)))
	if m.nextComing(j+1, counts) < len(m.kinds) {
		for i, factor := range r.factor {
			m.queuedFrom(s, j+1, m.product(j, value, factor), chance*r.chance[i], speed+r.servers[i]*each, counts)
		}
		return
	}
	for k := j + 1; k < len(m.kinds); k++ {
		speed += m.first[k] * m.kinds[k].Speed
	}
	margin := speed + floats.Max(r.servers)*each - m.load
	if margin <= 0 {
		s.stuck += chance * floats.Sum(r.chance)
		return
	}
	for _, d := range m.declines {
		s.rest = append(s.rest, math.Exp(-d.beta*margin))
	}
	for i, factor := range r.factor {
		chance, speed := chance*r.chance[i], speed+r.servers[i]*each
		if speed <= m.load {
			s.stuck += chance
			continue
		}
		wait := m.one * speed / (floats.Dot(value, factor)*(speed-m.load) + m.load*m.one) * chance
		s.wait += wait
		for k := range m.declines {
			tail := 0.0
			if d := &m.declines[k]; d.of != nil {
				tail = wait * s.rest[k] * d.of[i]
			} else {
				tail = wait * math.Exp(-d.beta*(speed-m.load))
			}
			s.tails[m.declines[k].at] += tail
		}
	}
	s.rest = s.rest[:0]
}

// queuedAt is queued for servers that are all always there, of the given total speed.
func (m *MixTable) queuedAt(s *mixSum, sum, chance, speed float64) {
	m.model.Work.add(factorSteps * m.nodes)
	if speed <= m.load {
		s.stuck += chance
		return
	}
	wait := m.one * speed / (sum*(speed-m.load) + m.load*m.one) * chance
	s.wait += wait
	for _, d := range m.declines {
		s.tails[d.at] += wait * math.Exp(-d.beta*(speed-m.load))
	}
}
