package routing

import "math"

// priced bounds the cost of any split from below by prices z of a request of
// each type (the Lagrangian dual):
//
//	Σᵢ zᵢ + Σⱼ min over y ≥ 0 of (Σᵢ (cᵢⱼ − zᵢ)yᵢ + WⱼRⱼ/Fⱼ)
//
// for the constraints Σⱼ yᵢⱼ = 1 cost nothing where they hold. It holds for any
// z; the multipliers of a split as good as the best make it tight, the more so
// the more clusters there are for each type. Each cluster is bounded on its
// own, by halving the span of its ratio, so that the effort grows with the
// number of clusters and not with that of their combinations.
func (s *search) priced() (float64, error) {
	q := newRelaxation(s.p)
	z := make([]float64, q.types)
	var total sum
	for i := range z {
		price, _ := s.p.stationarity(i)
		z[i] = price * s.p.types[i].Share
		total.add(z[i])
	}
	halvings := int(max(4, min(96, priceBudget/float64(400*q.clusters*q.types))))
	for j := range q.clusters {
		if err := s.ctx.Err(); err != nil {
			return 0, err
		}
		total.add(q.least(j, z, 1e-4*s.best/float64(q.clusters), halvings))
	}
	return total.value(), nil
}

// least bounds the priced cost of cluster j from below, to about tolerance. It
// halves the span with the least bound until that is within tolerance of a cost
// that the cluster can have, or as often as is given.
func (q *relaxation) least(j int, z []float64, tolerance float64, halvings int) float64 {
	all := q.span(j)
	spans := []span{all}
	bounds := []float64{q.dual(j, z, all)}
	reached := q.single(j, z)
	for {
		at := 0
		for k := range bounds {
			if bounds[k] < bounds[at] {
				at = k
			}
		}
		v := spans[at]
		cut := math.Sqrt(v.low * v.high)
		if v.low == 0 {
			cut = v.high / 8
		}
		if bounds[at] >= reached-tolerance || len(spans) > halvings || !(cut > v.low && cut < v.high) {
			return bounds[at]
		}
		whole, low, high := bounds[at], span{v.low, cut}, span{cut, v.high}
		spans[at], bounds[at] = low, max(whole, q.dual(j, z, low))
		spans, bounds = append(spans, high), append(bounds, max(whole, q.dual(j, z, high)))
	}
}

// dual bounds the priced cost of cluster j where its ratio is within v. For any
// α and β, W² ≥ 2αFW − α²F² and R² likewise, so that
//
//	(W² + pR²)/(sF) ≥ (2αW − α²F + p(2βR − β²F))/s,   s = l + u, p = lu
//
// which is linear in y. With α the least at which no type lowers it, what is
// left is the constant (p(2βr − β²) − α²)/s, and β is sought for the greatest.
func (q *relaxation) dual(j int, z []float64, v span) float64 {
	s, p := v.low+v.high, v.low*v.high
	at := func(beta float64) float64 {
		alpha := q.refuse(j, z, s, p, beta)
		return (p*beta*(2*q.r[j]-beta) - alpha*alpha) / s
	}
	best := at(q.r[j])
	if p == 0 {
		return best
	}
	// Beyond top no type lowers the cost with α = 0, and more β only costs.
	low, top := q.r[j], q.r[j]+1e-300
	for range 200 {
		if q.refuse(j, z, s, p, top) == 0 {
			break
		}
		top = 2*top + 1e-12/math.Sqrt(p)
	}
	const golden = 0.6180339887498949
	x1, x2 := top-golden*(top-low), low+golden*(top-low)
	f1, f2 := at(x1), at(x2)
	for range 40 {
		if f1 > f2 {
			top, x2, f2 = x2, x1, f1
			x1 = top - golden*(top-low)
			f1 = at(x1)
		} else {
			low, x1, f1 = x1, x2, f2
			x2 = low + golden*(top-low)
			f2 = at(x2)
		}
	}
	return max(best, f1, f2)
}

// refuse is the least α ≥ 0 with cᵢ − zᵢ + (2αwᵢ + α²aᵢ + p(2βbᵢ + β²aᵢ))/s ≥ 0
// for every type, that is for yᵢ of any size.
func (q *relaxation) refuse(j int, z []float64, s, p, beta float64) float64 {
	alpha := 0.0
	for i := range q.types {
		k := j*q.types + i
		rest := s*(q.c[k]-z[i]) + p*beta*(2*q.b[k]+beta*q.a[k])
		if rest < 0 {
			w := q.w[i]
			alpha = max(alpha, -rest/(w+math.Sqrt(w*w-q.a[k]*rest)))
		}
	}
	return alpha * (1 + 1e-15)
}

// single is a priced cost that cluster j can have: the least of one type alone,
// or of none.
func (q *relaxation) single(j int, z []float64) float64 {
	best := 0.0
	for i := range q.types {
		k := j*q.types + i
		const steps = 32
		for step := 1; step < steps; step++ {
			busy := float64(step) / steps
			y := busy / q.a[k]
			best = min(best, (q.c[k]-z[i])*y+q.w[i]*y*(q.r[j]+q.b[k]*y)/(1-busy))
		}
	}
	return best
}
