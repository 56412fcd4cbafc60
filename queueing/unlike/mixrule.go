package unlike

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A mixRule is the numbers up of one count of a kind of which means are made.
type mixRule struct {
	*upRows
	few    bool    // points of a Gauss rule, not all numbers up
	lowest float64 // servers of the fewest up that count for one, where few
}

// A mixAsked is a count of a kind with how often it was asked for.
type mixAsked struct {
	asked int
	rule  *mixRule // from gaussPays on; nil: there is none
}

// each calls back with the integrand and the chance of all numbers up of the
// kinds from the given one on, m.counts being the servers. The integrand is value
// times factor; nil: ones. That product is left to those who need it.
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

// nextComing returns the first kind from the given one on of which numbers up are
// gone through, and counts those before it.
func (m *MixTable) nextComing(j int, counts []float64) int {
	for ; j < len(m.kinds); j++ {
		if counts[j] > 0 && m.kinds[j].Up < 1 {
			break
		}
		m.counts[j] = m.first[j]
	}
	return j
}

// product returns value times factor in the room of a kind.
func (m *MixTable) product(j int, value, factor []float64) []float64 {
	m.room[j] = slices.Grow(m.room[j][:0], len(value))[:len(value)]
	return floats.MulTo(m.room[j], value, factor)
}

// times returns the integrand of a callback of each.
func (m *MixTable) times(value, factor []float64) []float64 {
	if factor == nil {
		return value
	}
	return m.product(len(m.kinds), value, factor)
}

// rule starts the integrand of the counts and chooses the numbers up: few where
// what is asked for is smooth in all that count. ok is false where the table does
// not hold them.
func (m *MixTable) rule(counts []float64, smooth bool) (v Varying, ok bool, err error) {
	if v, ok, err = m.holds(counts); !ok {
		return v, ok, err
	}
	states := 1.0 // of forty kinds more than an int holds
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
				m.used[j], m.first[j], lowest = r.upRows, r.first, r.lowest
				states *= float64(len(r.chance))
			}
			rate += lowest * k.Speed
		}
		return !few || m.model.WhenFull != Queued || rate > m.load
	}
	if !(smooth && choose(true)) && !choose(false) || states > mostMixStates {
		return v, false, nil
	}
	m.model.Work.add(m.nodes * (nodeSteps + factorSteps*float64(len(m.kinds))))
	m.plane.Start(&m.weight, m.first)
	m.one = math.Exp(-m.weight.Top)
	return v, true, nil
}

// rules returns the numbers up of a count of a kind, few or all; nil where they
// are too far apart for the nodes.
func (m *MixTable) rules(j int, count float64, few bool) *mixRule {
	if !few {
		if r := m.up(j, count); r != nil {
			return &mixRule{upRows: r}
		}
		return nil
	}
	f, pays := m.few[j][count], gaussPays
	if m.kinds[j].shared() {
		pays = 1 // all numbers up of all groups are many
	}
	if f.asked++; f.asked == pays {
		f.rule = m.fewest(j, count)
	}
	m.few[j][count] = f
	if f.asked < pays {
		if r := m.up(j, count); r != nil {
			return &mixRule{upRows: r, lowest: r.first}
		}
		return nil
	}
	return f.rule
}

// gaussPays is how often a count has to be asked for until a Gauss rule, which
// takes longer to make than a sum over all numbers up, saves time.
const gaussPays = 4

// smoothBeyond is the logarithm of how much rarer than the floor numbers up are
// at which the figures need not be smooth.
const smoothBeyond = -20

// fewest makes a Gauss rule. A figure that falls as e^(−κu) with the number up u,
// of variance σ², is off by about (κσ)^(2n)/n! with n points; no figure falls
// faster than the loss at the ends of the plane times e^(−t·μ) for each server, t
// being the longest time of an objective.
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
		return &mixRule{upRows: r, lowest: r.first}
	}
	nodes, weights := k.gauss(count, m.floor+mixRare, points)
	first := floats.Min(nodes)
	if (floats.Max(nodes)-first)/k.PerJob*m.plane.Longest(j) >= 600 {
		return nil
	}
	r := &mixRule{upRows: &upRows{first: first / k.PerJob}, few: true}
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
