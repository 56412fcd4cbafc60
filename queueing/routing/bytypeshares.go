package routing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A shareForm is the problem of [SplitByType] in the shares y of each type,
// y ≥ 0 and Σⱼ yᵢⱼ = 1, per request:
//
//	Σⱼ (Σᵢ cᵢⱼyᵢⱼ + WⱼRⱼ/Fⱼ),   Wⱼ = Σ wᵢyᵢⱼ, Rⱼ = rⱼ + Σ bᵢⱼyᵢⱼ, Fⱼ = 1 − Σ aᵢⱼyᵢⱼ
//
// Matrices are by cluster, then by type.
type shareForm struct {
	types, clusters int
	w, r            []float64
	a, b, c         []float64
	even            []float64 // the split that loads all clusters alike
}

// A span bounds the ratio W/R of a cluster.
type span struct{ low, high float64 }

func newShareForm(p *byType) *shareForm {
	n, m := len(p.types), len(p.stations)
	q := &shareForm{types: n, clusters: m, w: make([]float64, n), r: make([]float64, m)}
	q.a, q.b, q.c, q.even = make([]float64, n*m), make([]float64, n*m), make([]float64, n*m), make([]float64, n*m)
	var room numeric.Sum
	for j := range p.stations {
		room.Add(p.stations[j].limit())
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
			q.even[k] = s.limit() / room.Value()
		}
	}
	return q
}

// sums are W, R and F of cluster j.
func (q *shareForm) sums(y []float64, j int) (w, r, f float64) {
	return q.sumsOf(y[j*q.types:(j+1)*q.types], j)
}

// sumsOf are those of cluster j from its own shares.
func (q *shareForm) sumsOf(y []float64, j int) (w, r, f float64) {
	r, f = q.r[j], 1.0
	for i, x := range y {
		k := j*q.types + i
		w += q.w[i] * x
		r += q.b[k] * x
		f -= q.a[k] * x
	}
	return w, r, f
}

// span is what the ratio of cluster j can be at all: greatest with the types of
// the greatest w/b and no other, each up to all of it or what the cluster holds.
func (q *shareForm) span(j int) span {
	order := ordered(q.types, func(i int) float64 { return -q.w[i] / q.b[j*q.types+i] })
	var s span
	w, r := 0.0, q.r[j]
	for _, i := range order {
		k := j*q.types + i
		most := min(1, 1/q.a[k])
		w += q.w[i] * most
		r += q.b[k] * most
		s.high = max(s.high, w/r)
	}
	if last := order[len(order)-1]; q.r[j] == 0 {
		s.low = q.w[last] / q.b[j*q.types+last]
	}
	s.low *= 1 - 1e-12
	s.high *= 1 + 1e-12
	return s
}

// value is the cost, +Inf where a cluster is saturated.
func (q *shareForm) value(y []float64) float64 {
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

// leastPrices are what each type costs where it waits and is served the shortest, with no
// other there: up to that a price is no reason to take the type anywhere.
func (q *shareForm) leastPrices() []float64 {
	out := make([]float64, q.types)
	for i := range out {
		out[i] = math.Inf(1)
		for j := range q.clusters {
			out[i] = min(out[i], q.c[j*q.types+i]+q.w[i]*q.r[j])
		}
	}
	return out
}

// normalize makes the shares of each type add up to 1 again, after rounding.
func (q *shareForm) normalize(y []float64) {
	for i := range q.types {
		var all numeric.Sum
		for j := range q.clusters {
			all.Add(y[j*q.types+i])
		}
		total := all.Value()
		for j := range q.clusters {
			y[j*q.types+i] /= total
		}
	}
}
