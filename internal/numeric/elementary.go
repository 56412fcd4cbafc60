package numeric

import "math"

// Log1pmx returns ln(1+x) − x for x > −1 to a few units in the last place,
// also where x is small and the two terms cancel.
//
// With r = x/(2+x), ln(1+x) = 2 artanh r and x = 2r/(1−r), so that
// ln(1+x) − x = r·(2r²(1/3 + r²/5 + r⁴/7 + …) − x).
func Log1pmx(x float64) float64 {
	if x < -0.4 || x > 0.7 {
		return math.Log1p(x) - x
	}
	r := x / (2 + x)
	y := r * r
	// |r| ≤ 1/4: 14 terms reach 1/16¹⁴ ≈ 1e-17. The even and the odd ones are
	// summed apart, since neither sum then waits for the other.
	z := y * y
	even := 2./3 + z*(2./7+z*(2./11+z*(2./15+z*(2./19+z*(2./23+z*(2./27))))))
	odd := 2./5 + z*(2./9+z*(2./13+z*(2./17+z*(2./21+z*(2./25+z*(2./29))))))
	s := even + y*odd
	return r * (y*s - x)
}

// Expm1mx returns eˣ − 1 − x ≥ 0 to a few units in the last place, also where
// x is small and the terms cancel.
func Expm1mx(x float64) float64 {
	if math.Abs(x) > 0.5 {
		return math.Expm1(x) - x
	}
	// Taylor series; 0.5¹⁵/17! is far below the rounding of x²/2. Even and odd powers
	// are summed apart, as in [Log1pmx].
	z := x * x
	even := 1./2 + z*(1./24+z*(1./720+z*(1./40320+z*(1./3628800+z*(1./479001600+z/87178291200)))))
	odd := 1./6 + z*(1./120+z*(1./5040+z*(1./362880+z*(1./39916800+z*(1./6227020800+z/1307674368000)))))
	return z * (even + x*odd)
}

// StirlingError returns δ(n) = ln Γ(n+1) − (n+½) ln n + n − ½ ln 2π for n > 0,
// the relative error of Stirling's formula, about 1/(12n).
func StirlingError(n float64) float64 {
	// δ(n) = δ(n+1) + (n+½) ln(1+1/n) − 1 lifts small n to where the
	// asymptotic series (DLMF 5.11.1) is exact to rounding.
	lift := 0.0
	for n < 16 {
		lift += (n+0.5)*math.Log1p(1/n) - 1
		n++
	}
	z := 1 / (n * n)
	return lift + (1./12-z*(1./360-z*(1./1260-z*(1./1680-z*(1./1188-z*691./360360)))))/n
}

// Deviance returns D = n ln(n/a) + a − n for n > 0 and a > 0: minus the log of
// the Poisson probability of n at mean a, short of Stirling's factor. It keeps
// its relative accuracy where n and a are close (Loader's bd0).
func Deviance(n, a float64) float64 {
	if mu := (a - n) / n; mu >= -0.4 && mu <= 0.7 {
		return -n * Log1pmx(mu)
	}
	if a < 1e-290 {
		// The quotient would overflow, and not every math.Log takes subnormals.
		return n*(math.Log(n)-(math.Log(a*0x1p200)-200*math.Ln2)-1) + a
	}
	return n*(math.Log(n/a)-1) + a
}

// Erfcx returns the scaled complementary error function exp(x²) erfc(x) for
// x ≥ 0.
func Erfcx(x float64) float64 {
	if x < 12 {
		// x² = hi + lo exactly, so that exp loses nothing for larger x.
		hi := x * x
		lo := math.FMA(x, x, -hi)
		return math.Erfc(x) * math.Exp(hi) * (1 + lo)
	}
	// DLMF 7.12.1; at x = 12 the eighth term is below 1e-16.
	z := 1 / (2 * x * x)
	s := 1.0
	for k := 8; k >= 1; k-- {
		s = 1 - float64(2*k-1)*z*s
	}
	return s / (x * sqrtPi)
}

// √π and ½ ln 2π.
const (
	sqrtPi     = 1.772453850905516027298167483341145182797549456122387128213
	halfLog2Pi = 0.918938533204672741780329736405617639861397473637783412817
)
