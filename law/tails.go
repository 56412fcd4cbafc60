package law

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// logNormalTail returns log P(N > x) for a standard normal N.
func logNormalTail(x float64) float64 {
	switch {
	case x < 0: // near 1
		return math.Log1p(-0.5 * math.Erfc(-x/math.Sqrt2))
	case x < 25:
		return math.Log(0.5 * math.Erfc(x/math.Sqrt2))
	}
	return -x*x/2 - 0.5*math.Log(2*math.Pi) - math.Log(x) + math.Log(millsFactor(x))
}

// normalHazard returns φ(x)/P(N > x).
func normalHazard(x float64) float64 {
	if x < 25 {
		return math.Exp(-x*x/2-0.5*math.Log(2*math.Pi)) / (0.5 * math.Erfc(x/math.Sqrt2))
	}
	return x / millsFactor(x)
}

// millsFactor returns x P(N > x)/φ(x) for large x: 1 - 1/x² + 3/x⁴ - 15/x⁶ ...
func millsFactor(x float64) float64 {
	r := 1 / (x * x)
	return 1 - r*(1-3*r*(1-5*r*(1-7*r*(1-9*r))))
}

// logGammaTail returns log Q(k, z), Q the upper regularised incomplete gamma
// function, given z and its logarithm. It is finite also where Q or z
// underflows.
func logGammaTail(k, z, logZ float64) float64 {
	switch {
	case math.IsInf(logZ, -1):
		return 0
	case z < 1e-290:
		// P(k, z) = z^k/Γ(k+1)
		lg, _ := math.Lgamma(k + 1)
		p := k*logZ - lg
		if p > -math.Ln2 {
			return math.Log(-math.Expm1(p))
		}
		return math.Log1p(-math.Exp(p))
	case z < k+1:
		if p := mathext.GammaIncReg(k, z); p < 0.5 {
			return math.Log1p(-p)
		}
	}
	if math.IsInf(z, 1) {
		return -z
	}
	if q := mathext.GammaIncRegComp(k, z); q > 1e-250 {
		return math.Log(q)
	}
	lg, _ := math.Lgamma(k)
	return k*logZ - z - lg + math.Log(gammaFraction(k, z))
}

// gammaFraction returns the continued fraction of Γ(k, z)/(z^k e^(-z)),
// DLMF 8.9.2, by the modified Lentz method, for z well above k.
func gammaFraction(k, z float64) float64 {
	b := z + 1 - k
	c, d := math.Inf(1), 1/b
	h := d
	for i := 1.0; i < 10_000; i++ {
		a := -i * (i - k)
		b += 2
		d = 1 / (a*d + b)
		c = b + a/c
		step := c * d
		h *= step
		if math.Abs(step-1) < 1e-16 {
			break
		}
	}
	return h
}
