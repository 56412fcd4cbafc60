package law

import (
	"math"
	"testing"
)

// Survivals are those of Survival, before the first knot, in and between segments and after the
// last one, and of laws without knots.
func TestSurvivals(t *testing.T) {
	knots, err := NewLogLinear([]float64{0, 0.25, 0.5, 0.75, 1}, []float64{3, 9, 9.1, 50, 180})
	if err != nil {
		t.Fatal(err)
	}
	bare := LogLinear{P: knots.P, T: knots.T}
	for _, l := range []Law{knots, bare, Exponential{20}, Weibull{0.6, 30}, LogNormal{2, 1}} {
		for _, step := range []float64{0.1, 1, 3, 70, 1000} {
			got := make([]float64, 300)
			Survivals(l, step, got)
			for k, p := range got {
				want := Survival(l, float64(k+1)*step)
				if !(math.Abs(p-want) <= 1e-14) {
					t.Fatalf("%v: P(X > %v) = %v, want %v", l, float64(k+1)*step, p, want)
				}
			}
		}
	}
	one := make([]float64, 1)
	if Survivals(nil, 1, one); !math.IsNaN(one[0]) {
		t.Errorf("without a law: %v, want NaN", one[0])
	}
}
