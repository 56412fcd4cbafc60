package smp

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"gonum.org/v1/gonum/mathext"
)

// A SojournLaw is a law of whole steps 1, 2, … for a stay in a state.
type SojournLaw interface {
	Name() string
	Mass(l int) float64     // P(T = l), l ≥ 1
	Survival(k int) float64 // P(T > k), k ≥ 0
	Mean() float64          // E[T], steps
	Parameters() []float64
	logMass(l int) float64
	logSurvival(k int) float64
}

// A law whose parameters are out of their domain has NaN for its mean and its
// chances: the special functions beneath would panic.

// Geometric is the law without memory, P(T = l) = p(1−p)^(l−1).
type Geometric struct {
	P float64 // 0 < p ≤ 1, the chance to leave at each step
}

func (g Geometric) Name() string           { return "geometric" }
func (g Geometric) Parameters() []float64  { return []float64{g.P} }
func (g Geometric) Mean() float64          { return 1 / g.P }
func (g Geometric) Mass(l int) float64     { return math.Exp(g.logMass(l)) }
func (g Geometric) Survival(k int) float64 { return math.Exp(g.logSurvival(k)) }

func (g Geometric) logMass(l int) float64 { return math.Log(g.P) + g.logSurvival(l-1) }

func (g Geometric) logSurvival(k int) float64 {
	if k == 0 {
		return 0
	}
	return float64(k) * math.Log1p(-g.P)
}

// DiscreteWeibull is the law of Nakagawa and Osaki, P(T > k) = exp(−λ k^β).
// β < 1: the longer a stay, the less likely it is to end; β = 1 is
// [Geometric] with p = 1 − e^−λ.
type DiscreteWeibull struct {
	Lambda float64 // λ > 0
	Beta   float64 // β > 0
}

func (w DiscreteWeibull) Name() string           { return "discrete Weibull" }
func (w DiscreteWeibull) Parameters() []float64  { return []float64{w.Lambda, w.Beta} }
func (w DiscreteWeibull) Mass(l int) float64     { return math.Exp(w.logMass(l)) }
func (w DiscreteWeibull) Survival(k int) float64 { return math.Exp(w.logSurvival(k)) }

func (w DiscreteWeibull) logSurvival(k int) float64 {
	return -w.Lambda * math.Pow(float64(k), w.Beta)
}

func (w DiscreteWeibull) logMass(l int) float64 {
	a, b := w.logSurvival(l-1), w.logSurvival(l)
	return a + math.Log(-math.Expm1(b-a))
}

// Mean returns Σ_{k≥0} e^(−λk^β): the first terms as they stand, the rest by
// the integral, an incomplete gamma function, with Euler and Maclaurin's
// correction.
func (w DiscreteWeibull) Mean() float64 {
	if positive("", "", w.Lambda) != nil || positive("", "", w.Beta) != nil {
		return math.NaN()
	}
	const direct = 20000
	var s numeric.Sum
	for k := range direct {
		v := w.Survival(k)
		s.Add(v)
		if v < 1e-18*s.Value() {
			return s.Value()
		}
	}
	x := w.Lambda * math.Pow(direct, w.Beta)
	a := 1 / w.Beta
	lg, _ := math.Lgamma(a)
	rest := mathext.GammaIncRegComp(a, x) * math.Exp(lg-math.Log(w.Lambda)*a) / w.Beta
	f := w.Survival(direct)
	s.Add(rest)
	s.Add(f / 2)
	s.Add(f * w.Lambda * w.Beta * math.Pow(direct, w.Beta-1) / 12) // −f′/12
	return s.Value()
}

// NegativeBinomial is the law of 1 + N with
// P(N = n) = Γ(n+r)/(Γ(r) n!) p^r (1−p)^n.
type NegativeBinomial struct {
	R float64 // r > 0
	P float64 // 0 < p < 1
}

func (b NegativeBinomial) Name() string          { return "negative binomial" }
func (b NegativeBinomial) Parameters() []float64 { return []float64{b.R, b.P} }
func (b NegativeBinomial) Mean() float64         { return 1 + b.R*(1-b.P)/b.P }
func (b NegativeBinomial) Mass(l int) float64    { return math.Exp(b.logMass(l)) }

func (b NegativeBinomial) logMass(l int) float64 {
	n := float64(l - 1)
	x, _ := math.Lgamma(n + b.R)
	y, _ := math.Lgamma(b.R)
	z, _ := math.Lgamma(n + 1)
	return x - y - z + b.R*math.Log(b.P) + n*math.Log1p(-b.P)
}

// Survival is P(N ≥ k) = I_{1−p}(k, r), a regularised incomplete beta
// function.
func (b NegativeBinomial) Survival(k int) float64 {
	if positive("", "", b.R) != nil || !(b.P > 0 && b.P < 1) {
		return math.NaN()
	}
	if k <= 0 {
		return 1
	}
	return mathext.RegIncBeta(float64(k), b.R, 1-b.P)
}

func (b NegativeBinomial) logSurvival(k int) float64 { return math.Log(b.Survival(k)) }
