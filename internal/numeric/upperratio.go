package numeric

import "math"

const (
	temmeLeast = 30.0 // least n for which the table of temme coefficients was cut
	temmeReach = 0.5  // greatest |a/n − 1| for it; η then lies within 0.52
)

// LogUpperRatio returns ln U(n, a) and U(n, a) − 1, where
//
//	U(n, a) = Γ(n+1, a) eᵃ a⁻ⁿ = a ∫₀^∞ e^(−at) (1+t)ⁿ dt
//
// is the reciprocal of the Erlang loss probability, for real n ≥ 0 and a > 0.
// excess = U − 1 keeps its accuracy where U is close to 1 and is +Inf where U
// is above the range of float64; logU stays finite.
//
// Both are good to about 1e-14 (excess relative; logU relative or, near U = 1,
// as ln(1+excess)) for n and a from 0 to 1e15. The work is bounded whatever n
// and a are: Temme's uniform expansion (DLMF 8.12) near n = a, the continued
// fraction (DLMF 8.9.2) above it, and the complement of the series
// (DLMF 8.7.1) below it, except with a small share of a server.
func LogUpperRatio(n, a float64) (logU, excess float64) {
	switch mu := (a - n) / n; {
	case n == 0:
		return 0, 0
	case n >= temmeLeast && math.Abs(mu) <= temmeReach:
		return upperTemme(n, mu)
	case a > n && a > 1.5:
		excess = upperFraction(n, a)
		return math.Log1p(excess), excess
	case n < fewServers && a <= 1.5:
		excess = upperFew(n, a)
		return math.Log1p(excess), excess
	default:
		return upperSeries(n, a)
	}
}

// upperTemme: U = 1 + e^δ(n) (√(πn/2) erfcx(η√(n/2)) + Σ c_k(η) n⁻ᵏ), because
// Γ(n+1, a) = n Γ(n, a) + aⁿ e⁻ᵃ and Temme's form holds for Q(n, a).
func upperTemme(n, mu float64) (logU, excess float64) {
	half := -Log1pmx(mu) // η²/2
	y2 := n * half
	y := math.Sqrt(y2)
	eta := math.Sqrt(2 * half)
	if mu < 0 {
		eta = -eta
	}
	sum, scale := 0.0, 1.0
	for _, row := range temme {
		c := 0.0
		for i := len(row) - 1; i >= 0; i-- {
			c = c*eta + row[i]
		}
		sum += c * scale
		if scale /= n; scale < 1e-17 {
			break
		}
	}
	stirling := StirlingError(n)
	front := math.Exp(stirling)
	gauss := math.Sqrt(math.Pi / 2 * n)
	if mu >= 0 {
		excess = front * (gauss*Erfcx(y) + sum)
		return math.Log1p(excess), excess
	}
	// erfcx(−y) = 2 exp(y²) − erfcx(y): the first term carries the deep tail.
	rest := 1 + front*(sum-gauss*Erfcx(y))
	logLead := y2 + 0.5*math.Log(n) + halfLog2Pi + stirling
	logU = logLead + math.Log1p(rest*math.Exp(-logLead))
	return logU, front * (gauss*(2*math.Exp(y2)-Erfcx(y)) + sum)
}

// upperFraction evaluates U − 1 = a/F − 1 with
// F = a−n + n/(a−n+2 + 2(n−1)/(a−n+4 + …)), by the modified Lentz method, for
// a > n. It ends by itself at integer n.
func upperFraction(n, a float64) float64 {
	// U − 1 = (a − F)/F = (n − tail)/(gap + tail) with F = gap + tail.
	tail := n / upperTail(n, a)
	return (n - tail) / (a - n + tail)
}

// UpperIdle returns 1 − a(1 − 1/U)/n, the idle share of the servers of a loss
// system, for n > 0 and a ≥ n + 3√n, a > 1.5, where the difference as written
// would lose its digits. It is above 0 and below 1: with F of upperFraction it
// is 1 over the rest of the fraction, gap + 2 + ….
func UpperIdle(n, a float64) float64 { return 1 / upperTail(n, a) }

// upperTail evaluates gap+2 + 2(n−1)/(gap+4 + …), gap = a − n, which is all
// positive until the numerators pass n.
func upperTail(n, a float64) float64 {
	gap := a - n
	b := gap + 2
	f, c, d := b, b, 0.0
	for j := 2.0; j < 10000; j++ {
		num := j * (n + 1 - j)
		if num == 0 {
			break
		}
		b = gap + 2*j
		d = 1 / (b + num*d)
		c = b + num/c
		delta := c * d
		f *= delta
		if math.Abs(delta-1) < 1e-16 {
			break
		}
	}
	return f
}

// upperSeries evaluates U = 1/pmf − Σ_{k≥1} aᵏ/((n+1)…(n+k)), where pmf is
// aⁿe⁻ᵃ/Γ(n+1), for a below n or a small.
func upperSeries(n, a float64) (logU, excess float64) {
	logPmf := -Deviance(n, a) - 0.5*math.Log(n) - halfLog2Pi - StirlingError(n)
	if n < temmeLeast && logPmf > -600 {
		// Few and exact factors: better than the logarithm for small n.
		logPmf = math.Log(smallPoisson(n, a))
	}
	sum, term := 0.0, 1.0
	for k := 1.0; k < 10000; k++ {
		term *= a / (n + k)
		sum += term
		if term < 1e-17*sum {
			break
		}
	}
	logU = -logPmf + math.Log1p(-sum*math.Exp(logPmf))
	if n < temmeLeast && logPmf > -600 {
		// 1/pmf − 1 cancels where n and a are both small; take it apart as
		// Γ(n+1) eᵃ a⁻ⁿ − 1.
		excess = smallReciprocalExcess(n, a) - sum
		return math.Log1p(excess), excess
	}
	return logU, math.Expm1(logU)
}

// smallPoisson returns aⁿe⁻ᵃ/Γ(n+1) for 0 < n < 30.
func smallPoisson(n, a float64) float64 {
	return math.Pow(a, n) * math.Exp(-a) / math.Gamma(n+1)
}

// smallReciprocalExcess returns Γ(n+1) eᵃ a⁻ⁿ − 1.
func smallReciprocalExcess(n, a float64) float64 {
	lgamma, _ := math.Lgamma(n + 1)
	if l := lgamma + a - n*math.Log(a); math.Abs(l) < 1 {
		return math.Expm1(l)
	}
	return 1/smallPoisson(n, a) - 1
}
