package queueing

import (
	"math"
	"math/cmplx"

	"github.com/capplan/capplan/internal/numeric"
)

// Lognormal is the lognormal law, given by its mean and SCV:
// σ² = ln(1 + SCV), μ = ln m − σ²/2. Its tail is heavier than exponential.
type Lognormal struct {
	Mean float64 // > 0, s
	SCV  float64 // > 0, at most 1e4
}

// Moments returns m, m²(1+c²) and m³(1+c²)³.
func (l Lognormal) Moments() (first, second, third float64) {
	m, v := l.Mean, 1+l.SCV
	return m, m * m * v, m * m * m * v * v * v
}

// Transform returns E[e^(−sX)] by quadrature, to about 1e-14; the law has no
// closed form.
func (l Lognormal) Transform(s complex128) complex128 {
	sigma := math.Sqrt(math.Log1p(l.SCV))
	return l.average(s, l.Mean*math.Exp(-sigma*sigma/2), func(z complex128) complex128 {
		if real(z) > 700 {
			return 0
		}
		return cmplx.Exp(-z)
	})
}

func (l Lognormal) check(c *Domain, of string) {
	c.Positive("mean"+of, l.Mean)
	c.Positive("SCV"+of, l.SCV)
	if c.Err == nil && l.SCV > 1e4 {
		c.Fail("SCV"+of, l.SCV, "SCV <= 1e4")
	}
}

// residual is the mean of 1 − (1 − e^(−sX))/(sX) over the length-biased law of
// X, lognormal with μ + σ².
func (l Lognormal) residual(s complex128) complex128 {
	sigma := math.Sqrt(math.Log1p(l.SCV))
	return l.average(s, l.Mean*math.Exp(sigma*sigma/2), func(z complex128) complex128 {
		if real(z) > 700 {
			return 1 - 1/z
		}
		return numeric.CResidualUnit(z)
	})
}

// average returns E[f(sX)] for X lognormal with the given median. With
// X = median·e^{σu} the trapezoidal rule in u converges faster than any power.
// The line of integration is moved to u + iθ, towards real sX, as far as the
// Gaussian weight allows.
func (l Lognormal) average(s complex128, median float64, f func(z complex128) complex128) complex128 {
	const far = 10.5 // the weight there is 1e-24
	sigma := math.Sqrt(math.Log1p(l.SCV))
	size, angle := cmplx.Polar(s)
	if size == 0 {
		return f(0)
	}
	theta := math.Max(-1.5, math.Min(1.5, -angle/sigma))
	scale := size * median
	turn := cmplx.Rect(1, angle+sigma*theta)
	damp := math.Max(real(turn), 1e-3)
	// Beyond |sX| = 40/damp the exponential is gone.
	reach := math.Min(scale*math.Exp(sigma*far), 40/damp)
	step := 2 * math.Pi / (22 + sigma*reach)
	n := int(math.Ceil(far / step))
	sum := complex(0, 0)
	for j := -n; j <= n; j++ {
		u := float64(j) * step
		weight := cmplx.Rect(math.Exp((theta*theta-u*u)/2), -u*theta)
		sum += weight * f(turn*complex(scale*math.Exp(sigma*u), 0))
	}
	return sum * complex(step/math.Sqrt(2*math.Pi), 0)
}

func (l Lognormal) abscissa() float64 { return 0 }

func (l Lognormal) above(x float64) [3]float64 {
	m1, m2, _ := l.Moments()
	sigma := math.Sqrt(math.Log1p(l.SCV))
	z := (math.Log(x/l.Mean) + sigma*sigma/2) / sigma
	upper := func(z float64) float64 { return 0.5 * math.Erfc(z/math.Sqrt2) }
	return [3]float64{upper(z), m1 * upper(z-sigma), m2 * upper(z-2*sigma)}
}

func (l Lognormal) density(x float64) float64 {
	sigma := math.Sqrt(math.Log1p(l.SCV))
	z := (math.Log(x/l.Mean) + sigma*sigma/2) / sigma
	return math.Exp(-z*z/2) / (x * sigma * math.Sqrt(2*math.Pi))
}

func (l Lognormal) atoms() (times, weights []float64) { return nil, nil }
