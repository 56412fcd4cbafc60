package attempts

import (
	"math"
	"testing"

	"github.com/capplan/capplan/law"
)

// Where stays are exponential of rate λ a task of w that is begun anew after a delay D takes
// (e^(λw) − 1)(1/λ + D) on average, and of many attempts nearly an exponential law of that, however
// D lies among the steps.
func TestRestartingTakesTheDelayAsItIs(t *testing.T) {
	const up, w = 2500.0, 7100.0
	taker := Taker{Course: Course{Up: law.Exponential{Scale: up}, Down: law.Exponential{Scale: 300}}}
	for _, delay := range []float64{0, 100, 600, 900, 1100, 1400} {
		const step = 600
		f := Restarting(taker, Times{{1, w}}, delay, step, 2000)
		mean := 0.0
		for _, v := range f.F {
			mean += (1 - v) * step
		}
		want := math.Expm1(w/up) * (up + delay)
		if off := mean/want - 1; math.Abs(off) > 0.04 {
			t.Errorf("delay %g s: mean %.0f s, want %.0f s, %+.3f", delay, mean, want, off)
		}
	}
}
