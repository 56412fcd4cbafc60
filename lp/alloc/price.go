package alloc

import (
	"cmp"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
)

// byPrice returns the bins in rising order of price.
func (p *problem) byPrice() []int32 {
	line := numeric.Indices[int32](len(p.cap))
	if p.price != nil {
		slices.SortStableFunc(line, func(a, b int32) int { return cmp.Compare(p.price[a], p.price[b]) })
	}
	return line
}

// relaxPriced is relax where a unit of demand has a price by bin. Levels don't
// depend on the bin, so that the cheapest bins are filled first: what u units
// of demand cost is convex in u, and the steps of all jobs, the steepest first,
// are taken as long as they earn more than the next unit costs,
//
//	max Σ R·x − G(Σ D·x),  G(u) = least Σ π_j·y_j with Σ y_j = u, y_j ≤ C_j.
//
// One sort of the bins, and one of the steps as far as they are taken.
func (p *problem) relaxPriced(capacity int64) relaxation {
	line := p.byPrice()
	t, room := 0, int64(0) // bin being filled, and what is left of it
	left := capacity
	open := func() bool { // finds room
		for room == 0 && t < len(line) {
			room = min(p.cap[line[t]], left)
			left -= room
			if room == 0 {
				t++
			}
		}
		return t < len(line)
	}
	value := float64(p.revenue(p.first))
	price := 0.0 // of the last unit that was used
	for need := p.least(); need > 0 && open(); {
		part := min(need, room)
		price = p.price[line[t]]
		value -= price * float64(part)
		need -= part
		if room -= part; room == 0 {
			t++
		}
	}
	segments := p.hulls(nil)
	for _, s := range numeric.InOrder(segments, steepestFirst) {
		for extra := s.extra; extra > 0; {
			if !open() {
				return relaxation{value, math.Max(s.slope, price)}
			}
			unit := p.price[line[t]]
			if s.slope <= unit {
				return relaxation{value, math.Max(s.slope, price)}
			}
			part := min(extra, room)
			price = unit
			value += (s.slope - unit) * float64(part)
			extra -= part
			if room -= part; room == 0 {
				t++
			}
		}
	}
	return relaxation{value, price}
}

// priced returns the problem for the search, with prices in whole numbers:
// revenues and prices in a unit of 1/scale. Whole is whether the prices are
// meant exactly so; else they are rounded, and what the search proves holds
// for the rounded ones only.
func (p *problem) priced(factor float64) (q *problem, scale int64, whole bool) {
	if p.price == nil {
		return p, 1, true
	}
	var demand, most float64
	var revenue float64
	for k := range p.first {
		demand += float64(p.dem[p.last[k]-1])
		revenue += float64(p.rev[p.last[k]-1])
	}
	for _, v := range p.price {
		most = math.Max(most, v*factor)
	}
	scale = 1
	fits := func(s int64) bool { return float64(s)*math.Max(revenue, most*demand) < limit/4 }
	for {
		whole = true
		for _, v := range p.price {
			v *= factor * float64(scale)
			whole = whole && math.Abs(v-math.Round(v)) <= 1e-12*v
		}
		if whole || scale >= 1e6 || !fits(10*scale) {
			break
		}
		scale *= 10
	}
	r := *p
	q = &r
	q.rev = make([]int64, len(p.rev))
	for l, v := range p.rev {
		q.rev[l] = v * scale
	}
	q.cost, q.price = make([]int64, len(p.price)), make([]float64, len(p.price))
	for j, v := range p.price {
		q.price[j] = math.Round(v * factor * float64(scale))
		q.cost[j] = int64(q.price[j])
	}
	q.line = q.byPrice()
	return q, scale, whole
}
