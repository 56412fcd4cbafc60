package law

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// LengthBiasedQuantile returns the p-quantile, 0 <= p < 1, of the law with
// density t f(t)/E[X]: of the interval that covers a given moment of a renewal
// process in its steady state. A uniform share of it is still to come:
//
//	residual = U · LengthBiasedQuantile(l, V),  U and V independent and uniform
//
// is a draw from the equilibrium law, whose distribution is [Equilibrium].
// For a law of another package the error is a *DomainError.
func LengthBiasedQuantile(l Law, p float64) (float64, error) {
	if err := quantileDomain("LengthBiasedQuantile", p); err != nil {
		return 0, err
	}
	switch l := l.(type) {
	case Exponential:
		if l.Scale > 0 && !math.IsInf(l.Scale, 1) {
			return l.Scale * erlang2Quantile(p), nil
		}
		return Gamma{2, l.Scale}.Quantile(p)
	case Weibull: // (X/Scale)^Shape is gamma with shape 1 + 1/Shape
		x, err := Gamma{1 + 1/l.Shape, 1}.Quantile(p)
		return l.Scale * math.Pow(x, 1/l.Shape), err
	case LogNormal:
		return LogNormal{l.Mu + l.Sigma*l.Sigma, l.Sigma}.Quantile(p)
	case Gamma:
		return Gamma{l.Shape + 1, l.Scale}.Quantile(p)
	case LogLinear:
		if l.stands() {
			return l.lengthBiased(p), nil
		}
	}
	return 0, &DomainError{"LengthBiasedQuantile", "law", math.NaN(), "a law of this package"}
}

// converged is a step of Newton's, as a share, after which the next is less than is kept of x.
const converged = 1e-9

// erlang2Quantile solves 1 − (1 + x) e^(−x) = p, 0 <= p <= 1, the law of the sum of two
// exponential times of mean 1: by Newton in y = log of the tail where that is small, of
// the head where that is, both of which are concave in log x.
func erlang2Quantile(p float64) float64 {
	switch {
	case p <= 0:
		return 0
	case p >= 1:
		return math.Inf(1)
	}
	if p >= 0.01 && p < 0.5 { // Halley, from the series of the inverse, its last term such that it holds at 0.5
		s := math.Sqrt(2 * p)
		x := s * (1 + s*(1./3+s*(11./72+s*(0.0796+0.1127*s))))
		for range 5 {
			e := math.Exp(-x)
			step := (1 - (1+x)*e - p) / (x * e)
			step /= 1 - step*(1-x)/(2*x)
			x -= step
			if math.Abs(step) < 1e-6*x { // the next is of its third power
				break
			}
		}
		return x
	}
	if p < 0.5 {
		x := math.Sqrt(2*p) * (1 + math.Sqrt(2*p)/3) // p = x²/2 − x³/3 + ...
		for range 50 {
			f := -math.Expm1(-x) - x*math.Exp(-x)
			if x < 1e-3 { // the two cancel
				f = x * x * (0.5 - x*(1.0/3-x*(0.125-x/30)))
			}
			// Of log p against log x the slope is x² e^(−x)/f.
			step := (math.Log(f/p) * f) / (x * x * math.Exp(-x))
			x *= math.Exp(-step)
			if math.Abs(step) < converged {
				break
			}
		}
		return x
	}
	tail := math.Log1p(-p)
	x := 1 - tail // of (1 + x) e^(−x)
	for range 50 {
		step := (math.Log1p(x) - x - tail) * (1 + x) / x
		x += step
		if math.Abs(step) < converged*x {
			break
		}
	}
	return x
}

// Equilibrium returns E[min(X, t)]/E[X], the chance that of an interval that
// covers a given moment of a renewal process no more than t is still to come; 0
// below t = 0, NaN for a law of another package.
func Equilibrium(l Law, t float64) float64 {
	t = max(0, t)
	switch l := l.(type) {
	case Exponential:
		return -math.Expm1(-t / l.Scale)
	case Weibull:
		a, z := 1/l.Shape, math.Pow(t/l.Scale, l.Shape)
		if !(a > 0 && z >= 0) || math.IsInf(a, 1) {
			return math.NaN()
		}
		return mathext.GammaIncReg(a, z)
	case LogNormal:
		if t == 0 {
			return 0
		}
		z := (math.Log(t) - l.Mu) / l.Sigma
		return distuv.UnitNormal.CDF(z-l.Sigma) + t/l.Mean()*distuv.UnitNormal.Survival(z)
	case Gamma:
		if !l.stands() {
			return math.NaN()
		}
		return mathext.GammaIncReg(l.Shape+1, t/l.Scale) + t/l.Mean()*mathext.GammaIncRegComp(l.Shape, t/l.Scale)
	case LogLinear:
		if l.stands() {
			return l.meanBelow(t) / l.Mean()
		}
	}
	return math.NaN()
}
