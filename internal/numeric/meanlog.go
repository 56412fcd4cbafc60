package numeric

import "math"

// MeanLog1p returns ∫ ln(1+t) g(t) dt / ∫ g(t) dt for g(t) = e^(−at)(1+t)ⁿ over
// t ≥ 0, with n ≥ 0 and a > 0, to about 1e-14.
//
// With u = ln(1+t) the exponent is (n+1)u − a(eᵘ − 1), taken from its peak
// outwards as in [DecayIntegrals].
func MeanLog1p(n, a float64) float64 {
	peak := math.Max(0, math.Log((n+1)/a))
	local := a
	if peak > 0 {
		local = n + 1
	}
	slope := local - (n + 1)
	var mass, moment float64
	add := func(sign, limit, slope float64) {
		drop, reach := exponentialFall(sign, slope, local, limit)
		x, w := legendre()
		from, width := 0.0, 2.0
		for from < reach {
			to := math.Min(from+width, reach)
			for i, xi := range x {
				s := from + (to-from)*xi
				f := w[i] * (to - from) * math.Exp(-drop(s))
				mass += f
				moment += f * (peak + sign*s)
			}
			from, width = to, width*2
		}
	}
	add(+1, math.Inf(1), slope)
	if peak > 0 {
		add(-1, peak, 0)
	}
	return moment / mass
}
