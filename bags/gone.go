package bags

import "math"

// leastThere is the share of the machines below which all count as gone for good.
const leastThere = 1e-6

// ahead returns how long machines take for work that would take a time w if none left for good, and
// the share of them that is there then. A machine that leaves is gone for good with probability p,
// so that
//
//	∫₀ᵗ e^(−λs) ds = w,    t = −ln(1 − λ w)/λ,    λ = p/(E a + E u)
//
// where a is a stay and u an absence.
func (m *model) ahead(w float64) (t, there float64) {
	rate := m.goneRate()
	if rate == 0 {
		return w, 1
	}
	there = max(leastThere, 1-rate*w)
	return -math.Log(there) / rate, there
}

// working is the inverse of ahead: the time for which machines that never left for good would do the
// work of a time t.
func (m *model) working(t float64) float64 {
	if rate := m.goneRate(); rate > 0 {
		return -math.Expm1(-rate*t) / rate
	}
	return t
}

// goneRate returns λ of [model.ahead].
func (m *model) goneRate() float64 { return m.course.Gone / m.cycle }

// goneSpread returns N times the relative variance of the time t until which N machines have done a
// share of the work, if each may by then be gone for good. With x = λt, and M the working time of
// one machine,
//
//	E M = (1 − e^(−x))/λ,  E M² = 2 (1 − e^(−x)(1 + x))/λ²,  sd T/T = sd M/(t e^(−x))
//
// since at the end a share e^(−x) of them works. late is the factor by which the spread of the
// machine time before t enters that of t, E M/(t e^(−x)).
func (m *model) goneSpread(t float64) (variance, late float64) {
	x := m.goneRate() * t
	if x < 1e-3 { // below, rounding would cost as much as this series leaves out
		return x / 3, 1 + x/2
	}
	if x >= -math.Log(leastThere) { // a bag that is then not done never is, and no time says when
		return 0, 1
	}
	left := math.Exp(-x)
	mean := (1 - left) / x
	return (2*(1-left*(1+x))/(x*x) - mean*mean) / (left * left), mean / left
}
