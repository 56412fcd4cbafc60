package bags

import "math"

// leastThere is the share of the machines below which all count as gone for good.
const leastThere = 1e-6

// ahead is how long machines take for what would take so long did none leave for good, and which
// share of them is there then. Of those that are, one that leaves is gone with the chance p, so that
//
//	∫₀ᵗ e^(−λs) ds = w,    t = −ln(1 − λ w)/λ,    λ = p/(E a + E u)
//
// with a a stay, u an absence, and w the time if none did.
func (m *model) ahead(w float64) (t, there float64) {
	rate := m.goneRate()
	if rate == 0 {
		return w, 1
	}
	there = max(leastThere, 1-rate*w)
	return -math.Log(there) / rate, there
}

// goneRate returns λ of [model.ahead].
func (m *model) goneRate() float64 { return m.course.Gone / m.cycle }

// goneSpread is the variance over N of the time until which N machines have done a share of the
// work, over its square, by when each of them is gone for good: with x = λt, of the time M of one
//
//	E M = (1 − e^(−x))/λ,  E M² = 2 (1 − e^(−x)(1 + x))/λ²,  sd T/T = sd M/(t e^(−x))
//
// since at the end e^(−x) of them work. late is by which factor the spread of their time before
// is more in that of the end, E M/(t e^(−x)).
func (m *model) goneSpread(t float64) (variance, late float64) {
	x := m.goneRate() * t
	if x < 1e-3 { // where rounding would tell as much as what follows
		return x / 3, 1 + x/2
	}
	x = min(x, -math.Log(leastThere))
	left := math.Exp(-x)
	mean := (1 - left) / x
	return (2*(1-left*(1+x))/(x*x) - mean*mean) / (left * left), mean / left
}
