package unlike

import "math"

// A product is the states of some kinds of machines and of one more. Most of its states are merged
// at once with others, so that their numbers up are not written out: with 64 kinds this took more
// time than all sums over them.
type product struct {
	before []state // of the kinds so far
	last   []state // of one more kind, or a single one without kinds
	pairs  []pair  // which of both go together, in ascending order of those before
}

// A pair is one state of a product: the places of its two parts, and the logarithm of its chance.
type pair struct {
	before, last int32
	chance       float64
}

// listed returns a list of states as a product.
func listed(all []state) product {
	pairs := make([]pair, len(all))
	for i := range all {
		pairs[i] = pair{int32(i), 0, all[i].chance}
	}
	return product{all, []state{{nil, 0}}, pairs}
}

// times combines each state with each number up of one more kind, and keeps those whose logarithm
// of the chance is at least the given one. With many kinds even the likeliest state is rare; then
// the bound is lowered relative to it. The pairs are appended to the given ones.
func times(all, ups []state, least float64, pairs []pair) product {
	least += math.Min(0, top(all)+top(ups)-ordinary)
	for i, s := range all {
		for k, r := range ups {
			if chance := s.chance + r.chance; chance >= least {
				pairs = append(pairs, pair{int32(i), int32(k), chance})
			}
		}
	}
	return product{all, ups, pairs}
}

// ordinary is the logarithm of the chance above which the likeliest state does not lower the bound.
const ordinary = -15

// top returns the logarithm of the greatest chance.
func top(all []state) float64 {
	most := math.Inf(-1)
	for _, s := range all {
		most = max(most, s.chance)
	}
	return most
}

// kinds returns how many kinds of machines the states describe.
func (p *product) kinds() int { return len(p.before[0].up) + len(p.last[0].up) }

// list writes the states out. They share one allocation.
func (p *product) list() []state {
	kinds := p.kinds()
	all, up := make([]state, 0, len(p.pairs)), make([]float64, 0, len(p.pairs)*kinds)
	for _, s := range p.pairs {
		up = append(append(up, p.before[s.before].up...), p.last[s.last].up...)
		all = append(all, state{up[len(up)-kinds : len(up) : len(up)], s.chance})
	}
	return all
}

// up returns the numbers up of one state in a slice of their own.
func (p *product) up(i int32) []float64 {
	s := p.pairs[i]
	return append(append(make([]float64, 0, p.kinds()), p.before[s.before].up...), p.last[s.last].up...)
}
