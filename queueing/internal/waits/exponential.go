package waits

import (
	"math"
)

// Exponential is a wait that is 0 with probability 1 − wait and otherwise
// exponential with the given rate (per s).
type Exponential struct{ Wait, Rate float64 }

func (l Exponential) Tail(t float64) float64 {
	if l.Wait == 0 || math.IsInf(l.Rate, 1) {
		return 0
	}
	return l.Wait * math.Exp(-l.Rate*t)
}

func (l Exponential) Quantile(p float64) float64 {
	if 1-p >= l.Wait || math.IsInf(l.Rate, 1) {
		return 0
	}
	return math.Log(l.Wait/(1-p)) / l.Rate
}

// TwoDecays is ∫₀ᵗ e^(−a(t−s))·b·e^(−bs) ds = b(e^(−at) − e^(−bt))/(b − a), to
// rounding where the rates are close too.
func TwoDecays(a, b, t float64) float64 {
	slow := math.Min(a, b)
	if math.IsInf(a, 1) {
		return 0
	}
	d := math.Abs(b-a) * t
	if d == 0 {
		return b * t * math.Exp(-slow*t)
	}
	return b * t * math.Exp(-slow*t) * (-math.Expm1(-d) / d)
}
