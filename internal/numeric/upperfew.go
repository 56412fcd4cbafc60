package numeric

import "math"

// fewServers is the n below which the series of [LogUpperRatio] would lose as
// many digits of U − 1 as n has zeros.
const fewServers = 0.1

// upperFew returns U − 1 for 0 < n < 0.1 and 0 < a ≤ 1.5, good to 8e-15
// however small n is: from U − 1 = n eᵃ a⁻ⁿ Γ(n, a) and the series of Γ(n, a)
// (DLMF 8.7.3), whose first two terms are taken together,
//
//	U − 1 = eᵃ (Γ(n+1) a⁻ⁿ − 1 − n Σ_{k≥1} (−a)ᵏ/(k! (n+k)))
func upperFew(n, a float64) float64 {
	sum, term := 0.0, 1.0
	for k := 1.0; math.Abs(term) > 1e-18 && k < 60; k++ {
		term *= -a / k
		sum += term / (n + k)
	}
	return math.Exp(a) * (math.Expm1(logGamma1p(n)-n*math.Log(a)) - n*sum)
}

// zetaExcess are ζ(k) − 1 for k from 2. Source: DLMF 25.2, computed by mpmath.
var zetaExcess = [...]float64{
	0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914,
	0.008349277381922827, 0.00407735619794434, 0.0020083928260822143, 0.0009945751278180853, 0.0004941886041194645,
	0.0002460865533080483, 0.00012271334757848915,
}

// logGamma1p returns ln Γ(1 + x) for |x| ≤ 0.1 with a relative error of 1e-15,
// also where 1 + x has none of the digits of x (DLMF 5.7.3).
func logGamma1p(x float64) float64 {
	const euler = 0.57721566490153286 // γ
	sum, power := 0.0, -x
	for i, z := range zetaExcess {
		power *= -x
		sum += z * power / float64(i+2)
	}
	return sum - Log1pmx(x) - euler*x
}
