package routing

import "math"

// A hyperbola is the marginal of a convex cost that has the closed form
//
//	F′(x) = start + (r² − 1)/k,   r = limit/(limit − x),   0 ≤ x < limit
//
// with k > 0. Eq. 4 is one, with k = 2θ(1−ρ)/(ω + θλμ/(1−ρ)); its inverse is
// eq. 7 freed of the cancellation in 1 − √.
type hyperbola struct{ start, k, limit float64 }

// rate returns x where F′(x) = start + s, for s ≥ 0, and the slack limit − x,
// both without cancellation: with q = ks,
//
//	x = limit·q/(1 + q + √(1+q)),   limit − x = limit/√(1+q)
func (h *hyperbola) rate(s float64) (x, slack float64) {
	if s <= 0 {
		return 0, h.limit
	}
	q := h.k * s
	r := math.Sqrt(1 + q)
	if r > 1e100 { // q may be infinite
		r = math.Sqrt(h.k) * math.Sqrt(s)
		return h.limit, h.limit / r
	}
	return h.limit * (q / (r * (1 + r))), h.limit / r
}

func (h *hyperbola) marginal(x, slack float64) float64 {
	// r² − 1 = (r − 1)(r + 1), r − 1 = x/slack.
	r1 := x / slack
	return h.start + r1*(r1+2)/h.k
}

// A curve is a convex cost F of the external rate of one cluster. Rates come
// with their slack, limit − x, so that neither end of [0, limit) loses digits.
type curve interface {
	limit() float64
	marginal(x, slack float64) float64 // F′ > 0, increasing, → ∞ as slack → 0
}
