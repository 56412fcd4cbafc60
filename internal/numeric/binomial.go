package numeric

import "math"

// LogBinomialRatio returns ln V for
//
//	V(n, c, α) = Σ_{j=0}^c C(n, j) αʲ / (C(n, c) αᶜ)
//
// the reciprocal of Engset's time congestion, for real 0 < c ≤ n and α > 0,
// and excess = V − 1, which keeps its accuracy where V is close to 1 and is
// +Inf where V is out of range.
//
// With p = α/(1+α) it is the binomial distribution function over its mass:
// the continued fraction of the incomplete beta function (DLMF 8.17.22) for
// the nearer tail, and Loader's form of the mass where the farther tail is
// wanted. O(√n) work; about 1e-14 relative.
func LogBinomialRatio(n, c, alpha float64) (logV, excess float64) {
	p, q := alpha/(1+alpha), 1/(1+alpha)
	if n == c {
		// V = 1/pᶜ.
		logV = c * math.Log1p(1/alpha)
		return logV, math.Expm1(logV)
	}
	if c <= n*p {
		// The lower tail: V − 1 is the sum below c, over the mass at c.
		excess = c / ((n - c + 1) * alpha) * lowerFraction(n, c, alpha)
		return math.Log1p(excess), excess
	}
	logMass := -Deviance(c, n*p) - Deviance(n-c, n*q) + StirlingError(n) - StirlingError(c) - StirlingError(n-c) +
		0.5*math.Log(n/(c*(n-c))) - halfLog2Pi
	// V = 1/mass − upper, upper = Σ_{j>c} mass(j)/mass(c).
	upper := (n - c) * alpha / (c + 1) * lowerFraction(n, n-c, 1/alpha)
	logV = -logMass + math.Log1p(-upper*math.Exp(logMass))
	return logV, math.Expm1(logV)
}

// lowerFraction returns Σ_{j<c} C(n, j)αʲ/(C(n, c−1)αᶜ⁻¹), continued to real
// c, by the continued fraction of I_x(a, b) with a = n−c+1, b = c and
// x = 1/(1+α) (modified Lentz method). I_x(a, b) is the fraction times
// xᵃ(1−x)ᵇ/(a·B(a, b)), and the mass at c−1 is that with b−1 for b.
func lowerFraction(n, c, alpha float64) float64 {
	a, b, x := n-c+1, c, 1/(1+alpha)
	cc, d := 1.0, 1/(1-(a+b)*x/(a+1))
	f := d
	for m := 1.0; m < 1e6; m++ {
		num := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / (1 + num*d)
		cc = 1 + num/cc
		f *= d * cc
		num = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / (1 + num*d)
		cc = 1 + num/cc
		delta := d * cc
		f *= delta
		if math.Abs(delta-1) < 1e-16 {
			break
		}
	}
	return f * (1 - x)
}
