package law

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// The two forms of each tail agree where they change over.
func TestTailsAreContinuous(t *testing.T) {
	for _, x := range []float64{0, 25, 100} {
		a, b := math.Nextafter(x, -1), x
		numtest.Close(t, "normal tail", logNormalTail(a), logNormalTail(b), 1e-13)
		numtest.Close(t, "normal hazard", normalHazard(a), normalHazard(b), 1e-12)
		numtest.Close(t, "hazard slope", hazardSlope(math.Nextafter(x, 1000), normalHazard(x)), hazardSlope(x, normalHazard(x)), 1e-11)
	}
	for _, k := range []float64{1e-3, 0.5, 1, 7, 300} {
		// Along z the slope of log Q is minus the hazard, across every change of form.
		for logZ := -700.0; logZ < 12; logZ += 0.37 {
			h := 1e-3 / (1 + k/10)
			q := func(x float64) float64 { return logGammaTail(k, math.Exp(x), x) }
			slope := (q(logZ-2*h) - q(logZ+2*h) + 8*(q(logZ+h)-q(logZ-h))) / (12 * h)
			hazard := math.Exp(k*logZ - math.Exp(logZ) - lgamma(k) - q(logZ))
			if hazard > 1e-250 && numtest.RelErr(-slope, hazard) > 1e-7 {
				t.Errorf("k = %g, log z = %g: slope %g, hazard %g", k, logZ, -slope, hazard)
			}
		}
	}
	for _, k := range []float64{1e-6, 0.3, 15.999, 16, 1e5} {
		const h = 1e-4
		slope := (gammaNormaliser(k*math.Exp(h)) - gammaNormaliser(k*math.Exp(-h))) / (2 * h * k)
		numtest.Close(t, "log k - digamma", logLessDigamma(k), slope, 1e-5)
		bend := (logLessDigamma(k*math.Exp(h)) - logLessDigamma(k*math.Exp(-h))) / (2 * h * k)
		numtest.Close(t, "1/k - trigamma", recipLessTrigamma(k), bend, 1e-5)
	}
}

func lgamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}
