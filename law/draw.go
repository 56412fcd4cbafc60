package law

import (
	"math"
	"math/rand/v2"
)

// The laws of two parameters and fewer draw times for a simulation, and the length
// of the interval that covers a given moment of a renewal process, whose density is
// t f(t)/E[X]; a uniform share of that is still to come. Draws of a law whose
// parameters lie outside their domain are anything, NaN too; without a source all
// are NaN.

// Draw returns a time of the law.
func (l Exponential) Draw(r *rand.Rand) float64 {
	if r == nil {
		return math.NaN()
	}
	return r.ExpFloat64() * l.Scale
}

// DrawCovering returns the length of the interval that covers a given moment: a
// gamma law of shape 2.
func (l Exponential) DrawCovering(r *rand.Rand) float64 {
	if r == nil {
		return math.NaN()
	}
	return (r.ExpFloat64() + r.ExpFloat64()) * l.Scale
}

// Draw returns a time of the law.
func (l Weibull) Draw(r *rand.Rand) float64 {
	if r == nil {
		return math.NaN()
	}
	return l.Scale * math.Pow(r.ExpFloat64(), 1/l.Shape)
}

// DrawCovering returns the length of the interval that covers a given moment:
// (X/Scale)^Shape is then gamma of shape 1 + 1/Shape.
func (l Weibull) DrawCovering(r *rand.Rand) float64 {
	return l.Scale * math.Pow(drawGamma(r, 1+1/l.Shape), 1/l.Shape)
}

// Draw returns a time of the law.
func (l LogNormal) Draw(r *rand.Rand) float64 {
	if r == nil {
		return math.NaN()
	}
	return math.Exp(l.Mu + l.Sigma*r.NormFloat64())
}

// DrawCovering returns the length of the interval that covers a given moment: Mu
// grows by Sigma².
func (l LogNormal) DrawCovering(r *rand.Rand) float64 {
	if r == nil {
		return math.NaN()
	}
	return math.Exp(l.Mu + l.Sigma*(l.Sigma+r.NormFloat64()))
}

// Draw returns a time of the law.
func (l Gamma) Draw(r *rand.Rand) float64 { return l.Scale * drawGamma(r, l.Shape) }

// DrawCovering returns the length of the interval that covers a given moment: the
// shape grows by 1.
func (l Gamma) DrawCovering(r *rand.Rand) float64 { return l.Scale * drawGamma(r, l.Shape+1) }

// drawGamma returns a gamma variate of scale 1 by rejection: for a shape k ≥ 1,
// d (1 + cx)³ with x normal, d = k − 1/3, c = 1/√(9d); below 1 that of k + 1 times
// U^(1/k). Source: Marsaglia & Tsang, ACM TOMS 26, 2000.
func drawGamma(r *rand.Rand, k float64) float64 {
	if r == nil || !(k > 0) || math.IsInf(k, 1) {
		return math.NaN()
	}
	boost := 1.0
	if k < 1 {
		boost = math.Exp(-r.ExpFloat64() / k)
		k++
	}
	d := k - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-r.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return boost * d * v
		}
	}
}
