package unlike

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A mixRule holds the numbers up over which means are taken, for one count of a kind.
type mixRule struct {
	*upTable
	few    bool    // they are the points of a Gauss rule, not all numbers up
	lowest float64 // if few: servers of the least number up that still counts
}

// A mixAsked is a count of a kind and how often it was asked for.
type mixAsked struct {
	asked int
	rule  *mixRule // set once asked reaches gaussPays; nil: there is none
}

// each calls back with the integrand and the chance of every state of the kinds from j on; m.counts
// then holds the servers of the state. The integrand is value times factor, or value alone if
// factor is nil. The product is left to the callbacks that need it.
func (m *MixTable) each(
	j int, value []float64, chance float64, counts []float64, back func(value, factor []float64, chance float64),
) {
	j = m.nextComing(j, counts)
	if j == len(m.kinds) {
		back(value, nil, chance)
		return
	}
	r := m.used[j]
	if m.nextComing(j+1, counts) == len(m.kinds) {
		for i, factor := range r.factor {
			m.counts[j] = r.servers[i]
			back(value, factor, chance*r.chance[i])
		}
		return
	}
	for i, factor := range r.factor {
		next := m.product(j, value, factor)
		m.counts[j] = r.servers[i]
		m.each(j+1, next, chance*r.chance[i], counts, back)
	}
}

// nextComing returns the first kind from j on whose machines come and go, and sets the counts of
// the kinds before it.
func (m *MixTable) nextComing(j int, counts []float64) int {
	for ; j < len(m.kinds); j++ {
		if counts[j] > 0 && m.kinds[j].Up < 1 {
			break
		}
		m.counts[j] = m.first[j]
	}
	return j
}

// product returns value times factor, in the scratch slice of kind j.
func (m *MixTable) product(j int, value, factor []float64) []float64 {
	m.room[j] = slices.Grow(m.room[j][:0], len(value))[:len(value)]
	return floats.MulTo(m.room[j], value, factor)
}

// times returns the integrand that each passes to a callback.
func (m *MixTable) times(value, factor []float64) []float64 {
	if factor == nil {
		return value
	}
	return m.product(len(m.kinds), value, factor)
}

// rule starts the integrand for the counts and chooses the numbers up: a few points if the figures
// that are asked for are smooth wherever the chance counts, else all. ok is false if the table does
// not cover the counts.
func (m *MixTable) rule(counts []float64, smooth bool) (v Varying, ok bool, err error) {
	if v, ok, err = m.holds(counts); !ok {
		return v, ok, err
	}
	states := 1.0 // a float, as forty kinds have more states than an int holds
	choose := func(few bool) bool {
		rate := 0.0
		states = 1.0
		for j, k := range m.kinds {
			m.first[j] = counts[j] * k.Up / k.PerJob
			lowest := m.first[j]
			if counts[j] > 0 && k.Up < 1 {
				r := m.rules(j, counts[j], few)
				if r == nil {
					return false
				}
				m.used[j], m.first[j], lowest = r.upTable, r.first, r.lowest
				states *= float64(len(r.chance))
			}
			rate += lowest * k.Speed
		}
		return !few || m.model.WhenFull != Queued || rate > m.load
	}
	if !(smooth && choose(true)) && !choose(false) || states > mostMixStates {
		return v, false, nil
	}
	for j, k := range m.kinds {
		if counts[j] > 0 && k.Up < 1 {
			m.fill(j, m.used[j])
		}
	}
	m.model.Work.add(m.nodes * (nodeSteps + factorSteps*float64(len(m.kinds))))
	m.plane.Start(&m.weight, m.first)
	m.one = math.Exp(-m.weight.Top)
	return v, true, nil
}

// rules returns the numbers up for a count of a kind, a few points or all of them; nil if they are
// too far apart for the nodes.
func (m *MixTable) rules(j int, count float64, few bool) *mixRule {
	if !few {
		if r := m.up(j, count); r != nil {
			return &mixRule{upTable: r}
		}
		return nil
	}
	f, pays := m.few[j][count], gaussPays
	if m.kinds[j].shared() {
		pays = 1 // groups have so many numbers up that it pays at once
	}
	if f.asked++; f.asked == pays {
		f.rule = m.fewest(j, count)
	}
	m.few[j][count] = f
	if f.asked < pays {
		if r := m.up(j, count); r != nil {
			return &mixRule{upTable: r, lowest: r.first}
		}
		return nil
	}
	return f.rule
}

// gaussPays is how often a count has to be asked for before a Gauss rule saves time: it takes
// longer to make than a sum over all numbers up.
const gaussPays = 4

// smoothBeyond is the logarithm of the chance, relative to the floor, below which a figure need not
// be smooth in the number up.
const smoothBeyond = -20

// fewest makes a Gauss rule. If a figure falls as e^(−κu) with the number up u, and u has variance
// σ², n points have a relative error of about (κσ)^(2n)/n!. No figure falls faster than the loss at
// the ends of the plane times e^(−t·μ) for each server, where t is the longest time of an
// objective.
func (m *MixTable) fewest(j int, count float64) *mixRule {
	k := &m.kinds[j]
	deviation := math.Sqrt(count * k.own() * (1 - k.own()))
	server := math.Log(m.ends[j]*k.Speed/m.load) + k.Speed*m.within/m.model.ServiceTime
	fall := 0.3 + deviation*server/k.PerJob
	points, off := 2, fall*fall*fall*fall/2
	for ; off > 1e-13 && points < 64; points++ {
		off *= fall * fall / float64(points+1)
	}
	if off > 1e-13 || !k.shared() && float64(points) >= math.Min(count+1, 7*deviation) {
		r := m.up(j, count)
		if r == nil {
			return nil
		}
		return &mixRule{upTable: r, lowest: r.first}
	}
	nodes, weights := k.gauss(count, m.floor+mixRare, points)
	first := floats.Min(nodes)
	if (floats.Max(nodes)-first)/k.PerJob*m.plane.Longest(j) >= 600 {
		return nil
	}
	r := &mixRule{upTable: &upTable{first: first / k.PerJob}, few: true}
	for i, u := range nodes {
		r.chance = append(r.chance, weights[i])
		r.servers = append(r.servers, u/k.PerJob)
		r.factor = append(r.factor, m.plane.Factor(j, (u-first)/k.PerJob))
		m.kept += len(r.factor[i])
	}
	m.model.Work.add(rowSteps * m.nodes * float64(len(nodes)))
	fewest := k.there(count, m.floor+smoothBeyond)[0].machines
	low := math.Floor(fewest * k.own())
	for step := math.Max(1, math.Floor(deviation/2)); low > 0; low -= step {
		if k.own() == 1 || logBinomial(low, fewest, k.own()) < m.floor+smoothBeyond {
			break
		}
	}
	r.lowest = math.Max(low, 0) / k.PerJob
	return r
}
