package routing

import (
	"context"
	"math"
)

// A relaxation is the problem of [SplitByType] in the shares y of each type,
// y ≥ 0 and Σⱼ yᵢⱼ = 1, per request:
//
//	Σⱼ (Σᵢ cᵢⱼyᵢⱼ + WⱼRⱼ/Fⱼ),   Wⱼ = Σ wᵢyᵢⱼ, Rⱼ = rⱼ + Σ bᵢⱼyᵢⱼ, Fⱼ = 1 − Σ aᵢⱼyᵢⱼ
//
// Matrices are by cluster, then by type.
type relaxation struct {
	types, clusters int
	w, r            []float64
	a, b, c         []float64
	even            []float64 // the split that loads all clusters alike: inside all bounds

	work newton // what a solution needs room for
}

// A span bounds the ratio W/R of a cluster.
type span struct{ low, high float64 }

func newRelaxation(p *byType) *relaxation {
	n, m := len(p.types), len(p.stations)
	q := &relaxation{types: n, clusters: m, w: make([]float64, n), r: make([]float64, m)}
	q.a, q.b, q.c, q.even = make([]float64, n*m), make([]float64, n*m), make([]float64, n*m), make([]float64, n*m)
	var room sum
	for j := range p.stations {
		room.add(p.stations[j].limit())
	}
	for j := range p.stations {
		s := &p.stations[j]
		q.r[j] = s.local / (2 * s.idle * s.idle)
		for i := range p.types {
			t := &p.types[i]
			theta, omega := p.moments(i, j)
			q.w[i] = t.Share * t.Weight
			k := j*n + i
			q.a[k] = t.Share * p.rate * theta / s.idle
			q.b[k] = t.Share * p.rate * omega / (2 * s.idle * s.idle)
			q.c[k] = q.w[i] * theta / s.idle
			q.even[k] = s.limit() / room.value()
		}
	}
	q.work = newNewton(n, m)
	return q
}

// sums are W, R and F of cluster j.
func (q *relaxation) sums(y []float64, j int) (w, r, f float64) {
	r, f = q.r[j], 1.0
	for i := range q.types {
		k := j*q.types + i
		w += q.w[i] * y[k]
		r += q.b[k] * y[k]
		f -= q.a[k] * y[k]
	}
	return w, r, f
}

// span is what the ratio of cluster j can be at all: greatest with the types of
// the greatest w/b and no other.
func (q *relaxation) span(j int) span {
	order := ordered(q.types, func(i int) float64 { return -q.w[i] / q.b[j*q.types+i] })
	var s span
	w, r := 0.0, q.r[j]
	for _, i := range order {
		w += q.w[i]
		r += q.b[j*q.types+i]
		s.high = max(s.high, w/r)
	}
	if last := order[len(order)-1]; q.r[j] == 0 {
		s.low = q.w[last] / q.b[j*q.types+last]
	}
	s.low *= 1 - 1e-12
	s.high *= 1 + 1e-12
	return s
}

// value is the cost without relaxation, +Inf where a cluster is saturated.
func (q *relaxation) value(y []float64) float64 {
	total := 0.0
	for j := range q.clusters {
		w, r, f := q.sums(y, j)
		if f <= 0 {
			return math.Inf(1)
		}
		if w > 0 {
			total += w * r / f
		}
		for i := range q.types {
			total += q.c[j*q.types+i] * y[j*q.types+i]
		}
	}
	return total
}

// relaxed is the convex bound of the cost where the ratios are within box, and
// its gradient where that is not nil.
func (q *relaxation) relaxed(box []span, y, gradient []float64) float64 {
	total := 0.0
	for j := range q.clusters {
		w, r, f := q.sums(y, j)
		if f <= 0 {
			return math.Inf(1)
		}
		s, p := box[j].low+box[j].high, box[j].low*box[j].high
		v := (w*w + p*r*r) / (s * f)
		total += v
		dw, dr, df := 2*w/(s*f), 2*p*r/(s*f), v/f
		for i := range q.types {
			k := j*q.types + i
			total += q.c[k] * y[k]
			if gradient != nil {
				gradient[k] = q.c[k] + q.w[i]*dw + q.b[k]*dr + q.a[k]*df
			}
		}
	}
	return total
}

// below is a lower bound of the relaxed cost over all y from its value and
// gradient at one: the least of the tangent plane, which lies below a convex
// function.
func (q *relaxation) below(value float64, y, gradient []float64) float64 {
	for i := range q.types {
		least := math.Inf(1)
		for j := range q.clusters {
			least = min(least, gradient[j*q.types+i])
		}
		for j := range q.clusters {
			k := j*q.types + i
			value -= y[k] * (gradient[k] - least)
		}
	}
	return value
}

// solve minimises the relaxed cost from y on, which it moves, and returns a
// bound that the cost within box cannot go below. It stops early where the
// bound is above enough or will not get there, and else where it is exact to a
// part in 1e9. The method is Newton's on cost/μ − Σ ln y with μ → 0; whatever the point it ends
// at, the bound holds, for it is that of the tangent plane.
func (q *relaxation) solve(ctx context.Context, box []span, y []float64, enough float64) (float64, error) {
	n := &q.work
	for k := range y {
		y[k] = 0.9*y[k] + 0.1*q.even[k]
	}
	q.normalize(y)
	best, mu := 0.0, 0.0
	for range 80 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		v := q.relaxed(box, y, n.gradient)
		bound := q.below(v, y, n.gradient)
		best = max(best, bound)
		// Where the cost itself is below enough, no bound will reach it.
		if best >= enough || v-bound <= max(1e-9*v, 0.02*(enough-v)) || math.IsNaN(v) {
			break
		}
		// At the minimum for μ the tangent plane leaves μ per share; it falls
		// where the last step was taken close to that.
		switch centre := (v - bound) / float64(len(y)); {
		case mu == 0:
			mu = 0.1 * centre
		case n.decrement < 1:
			mu = min(0.1*centre, 0.3*mu)
		}
		if !q.step(box, y, mu) {
			break
		}
	}
	return best, nil
}

// normalize makes the shares of each type add up to 1 again, after rounding.
func (q *relaxation) normalize(y []float64) {
	for i := range q.types {
		var all sum
		for j := range q.clusters {
			all.add(y[j*q.types+i])
		}
		total := all.value()
		for j := range q.clusters {
			y[j*q.types+i] /= total
		}
	}
}
