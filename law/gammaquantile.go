package law

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// nearby is the quantile of a gamma law of scale 1 where it is neither far out nor of a law with a
// pole, ok where it is told: by Halley of the chance, from the cube of a normal quantile, which is
// within some hundredths. It takes two or three chances in place of a dozen: runs of machines that
// come and go begin with one for each of them. Source: Wilson, Hilferty, Proc. Nat. Acad. Sci. 17, 1931.
func (l Gamma) nearby(p float64) (z float64, ok bool) {
	const least, most = 1e-3, 1 - 1e-6
	k := l.Shape
	if k < 1 {
		return l.steep(p)
	}
	if !(k >= 1 && k <= 1e3 && p >= least && p <= most) {
		return 0, false
	}
	root := 1 - 1/(9*k) + distuv.UnitNormal.Quantile(p)/(3*math.Sqrt(k))
	if z = k * root * root * root; !(root > 0.1) {
		return 0, false
	}
	lg, _ := math.Lgamma(k)
	for range 6 {
		density := math.Exp((k-1)*math.Log(z) - z - lg)
		step := 0.0
		if p < 0.5 {
			step = (mathext.GammaIncReg(k, z) - p) / density
		} else {
			step = (1 - p - mathext.GammaIncRegComp(k, z)) / density
		}
		step /= 1 - step*((k-1)/z-1)/2
		if z -= step; !(z > 0) {
			return 0, false
		}
		if math.Abs(step) < 1e-5*z { // the next is of its third power
			return z, true
		}
	}
	return 0, false
}

// steep is nearby of a law with a pole at 0, in log z, from the first term of the chance, which is below the
// quantile.
func (l Gamma) steep(p float64) (z float64, ok bool) {
	const least, most = 1e-3, 1 - 1e-6
	k := l.Shape
	if !(k >= 0.02 && p >= least && p <= most) {
		return 0, false
	}
	lg, _ := math.Lgamma(k)
	x, ok := l.settle((math.Log(p*k)+lg)/k, p, 1-p, lg)
	return math.Exp(x), ok
}

// settle goes from x near it to the log z of which the chance is p, by Halley; above is 1 − p, and lg the
// logarithm of Γ of the shape. It is not ok where the steps do not settle.
func (l Gamma) settle(x, p, above, lg float64) (logZ float64, ok bool) {
	k := l.Shape
	for range 12 {
		z := math.Exp(x)
		if z == 0 {
			return 0, false
		}
		density := math.Exp(k*x - z - lg) // of log z
		step := 0.0
		if p < 0.5 {
			step = (p - mathext.GammaIncReg(k, z)) / density
		} else {
			step = (mathext.GammaIncRegComp(k, z) - above) / density
		}
		step /= max(0.5, 1+step*(k-z)/2)
		x += step
		if math.Abs(step) < 1e-5 { // the next is of its third power
			return x, true
		}
	}
	return 0, false
}
