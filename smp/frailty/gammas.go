package frailty

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A weighted is a gamma law with its weight in a mixture, and ln Γ of its shape.
type weighted struct {
	distuv.Gamma
	weight, logGamma float64
}

// gammas are a mixture of gamma laws.
type gammas []weighted

// below returns the distribution function at e^x, and its derivative by x.
func (g gammas) below(x float64) (p, slope float64) {
	t := math.Exp(x)
	for i := range g {
		law := &g[i]
		z := law.Beta * t
		p += law.weight * law.CDF(t)
		slope += law.weight * math.Exp(law.Alpha*(x+math.Log(law.Beta))-z-law.logGamma)
	}
	return p, slope
}

// start is about where the mixture has the share p below it: that of the one gamma law of its mean and variance, by
// the normal law of its cube root. Source: Wilson and Hilferty 1931.
func (g gammas) start(p float64) float64 {
	total, mean, square := 0.0, 0.0, 0.0
	for _, law := range g {
		m := law.Alpha / law.Beta
		total += law.weight
		mean += law.weight * m
		square += law.weight * m * m * (1 + 1/law.Alpha)
	}
	mean, square = mean/total, square/total
	shape := 1 / (square/mean/mean - 1)
	cube := 1 - 1/(9*shape) + math.Sqrt2*math.Erfinv(2*p-1)/(3*math.Sqrt(shape))
	return math.Log(mean) + 3*math.Log(math.Max(cube, 1e-3))
}

// quantile inverts the distribution function by Newton's method on the logarithms of place and share, within a
// bracket. The share beyond is taken where it is the smaller.
func (g gammas) quantile(p float64) float64 {
	low, high := -700.0, 700.0
	x := g.start(p)
	for range 100 {
		if !(x > low && x < high) {
			x = (low + high) / 2
		}
		f, slope := g.below(x)
		if f < p {
			low = x
		} else {
			high = x
		}
		step := (p - f) / slope
		if p < 0.5 && f > 0 {
			step = math.Log(p/f) * f / slope
		}
		x += step
		if math.Abs(step) < 1e-7 || high-low < 1e-13 { // the step after it would be the square
			break
		}
	}
	return math.Exp(x)
}
