package cover

import (
	"math"
	"slices"
)

// relax solves the continuous problem of a box with the linear bound of its
// limit: the cost, and a choice that takes parts of machines. It maximises
//
//	L(ν) = min { Σ (pᵢ + ν gᵢ) nᵢ + s (R − Σ wᵢ nᵢ)⁺ } − ν h,  ν ≥ 0
//
// which is concave, by halving the range of ν where the bound Σ gᵢnᵢ ≤ h starts
// to hold. Any ν gives a bound on the cost. ok is false where even the whole
// box is worth too little, or ν grows without end: no choice keeps the bound.
func (p *Problem) relax(r *Relaxed) (cost float64, counts []float64, ok bool) {
	f := &filling{p: p, order: make([]int, len(p.Items)), price: make([]float64, len(p.Items))}
	low, ok := f.fill(0, r)
	if !ok {
		return 0, nil, false
	}
	// The bound does not bind, and the plain relaxation is the answer.
	if r.Weight == nil || low.over <= 0 {
		return low.value, low.counts, true
	}
	// A multiplier of this size makes weight weigh as much as all prices.
	scale := 0.0 // of prices over weights
	for i, it := range p.Items {
		if g := math.Abs(r.Weight[i]); g > 0 {
			scale = math.Max(scale, (it.Price+p.Shortfall*it.Worth+1e-9)/g)
		}
	}
	if scale == 0 {
		return low.value, low.counts, true
	}
	nu, high := scale, low
	for {
		high, _ = f.fill(nu, r)
		if high.over <= 0 {
			break
		}
		// The range is found by growing before it is halved.
		if nu *= 8; nu > scale*1e9 {
			// As good as forbidden: the greatest multiplier still bounds.
			return high.value, high.counts, true
		}
		low = high
	}
	from, to := 0.0, nu
	best := math.Max(low.value, high.value)
	// Sixty halvings reach the last digits of a float64.
	for range 60 {
		middle := from + (to-from)/2
		x, _ := f.fill(middle, r)
		best = math.Max(best, x.value)
		if x.over > 0 {
			from, low = middle, x
		} else {
			to, high = middle, x
		}
		if to-from < 1e-13*to {
			break
		}
	}
	// Between the two choices lies the one that just keeps the bound.
	share := low.over / (low.over - high.over)
	for i := range low.counts {
		low.counts[i] += share * (high.counts[i] - low.counts[i])
	}
	return best, low.counts, true
}

// A filling covers the need by parts of machines, the cheapest first. The slices are used again for
// each multiplier.
type filling struct {
	p     *Problem
	order []int
	price []float64 // with the multiplier
}

// A filled is one such choice.
type filled struct {
	counts []float64
	value  float64 // L(ν)
	over   float64 // Σ gᵢnᵢ − h
}

// fill minimises for one multiplier. ok is false where the need is out of
// reach. Kinds go in by price per worth, which solves the continuous problem (Dantzig).
func (f *filling) fill(nu float64, r *Relaxed) (x filled, ok bool) {
	p := f.p
	x.counts = make([]float64, len(p.Items))
	rest := p.Need * (1 - slack)
	for i, it := range p.Items {
		f.order[i], f.price[i] = i, it.Price
		if r.Weight != nil {
			f.price[i] += nu * r.Weight[i]
		}
		n := float64(it.Least)
		if f.price[i] < 0 { // more of it keeps the bound better than it costs
			n = float64(it.Most)
		}
		x.counts[i] = n
		rest -= it.Worth * n
	}
	// The comparison multiplies across, so that a worth of 0 needs no division.
	slices.SortFunc(f.order, func(i, j int) int {
		a, b := f.price[i]*p.Items[j].Worth, f.price[j]*p.Items[i].Worth
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return i - j
	})
	for _, i := range f.order {
		it := &p.Items[i]
		if rest <= 0 {
			break
		}
		if it.Worth <= 0 || p.Shortfall > 0 && f.price[i] >= p.Shortfall*it.Worth {
			continue
		}
		n := math.Min(rest/it.Worth, float64(it.Most)-x.counts[i])
		x.counts[i] += n
		rest -= it.Worth * n
	}
	if rest > slack*p.Need {
		if p.Shortfall == 0 {
			return x, false
		}
		x.value = p.Shortfall * rest
	}
	for i, n := range x.counts {
		x.value += f.price[i] * n
		if r.Weight != nil {
			x.over += r.Weight[i] * n
		}
	}
	if r.Weight != nil {
		x.over -= r.Most
		x.value -= nu * r.Most
	}
	return x, true
}
