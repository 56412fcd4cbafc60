package numeric

import "math"

// Euler's method: 3·10⁻¹⁰ is the discretization error exp(−eulerShift) for a
// function bounded by 1; the rounding error is about 1e-16·exp(eulerShift/2).
const (
	eulerShift = 22.0
	eulerMean  = 12 // partial sums in the binomial mean
)

// InvertLaplace returns f(t) for t > 0 from its Laplace transform, for an f
// that is bounded by about 1 and smooth away from 0:
//
//	f(t) ≈ e^(A/2)/t · [½ Re F(A/2t) + Σ_{k≥1} (−1)ᵏ Re F((A + 2kπi)/2t)]
//
// the alternating series being summed by Euler's binomial mean of partial
// sums, the number of terms doubled until two answers agree. The absolute
// error is about 3e-10; spread is the last difference, which stays above that
// where f has kinks near t. Source: Abate, Whitt, Numerical inversion of
// Laplace transforms of probability distributions, ORSA J. Comput. 7, 1995.
func InvertLaplace(transform func(s complex128) complex128, t float64) (value, spread float64) {
	front := math.Exp(eulerShift/2) / t
	re, im := eulerShift/(2*t), math.Pi/t
	sum := 0.5 * real(transform(complex(re, 0)))
	sign := -1.0
	k := 1
	last := math.Inf(1)
	for terms := 32; terms <= eulerMost; terms *= 2 {
		for ; k <= terms; k++ {
			sum += sign * real(transform(complex(re, float64(k)*im)))
			sign = -sign
		}
		partial, mean := sum, sum
		alternate, weight, total := sign, 1.0, 1.0
		for j := 1; j <= eulerMean; j++ {
			partial += alternate * real(transform(complex(re, float64(terms+j)*im)))
			alternate = -alternate
			weight *= float64(eulerMean-j+1) / float64(j)
			mean += weight * partial
			total += weight
		}
		value = front * mean / total
		spread = math.Abs(value - last)
		if spread < 3e-11 || spread < 1e-9 && terms >= 512 {
			break
		}
		last = value
	}
	return value, spread
}

const eulerMost = 1 << 14
