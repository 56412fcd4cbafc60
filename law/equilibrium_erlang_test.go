package law

import (
	"math"
	"testing"
)

// The fast quantile of two exponential times is that of the gamma law, and the inverse of
// its distribution, from the least chances to the greatest.
func TestErlang2Quantile(t *testing.T) {
	for _, p := range []float64{1e-300, 1e-30, 1e-12, 1e-7, 5e-7, 1e-6, 1e-3, 0.1, 0.3, 0.4999, 0.5, 0.75, 0.99, 1 - 1e-9, 1 - 1e-15} {
		x := erlang2Quantile(p)
		want, err := Gamma{2, 1}.Quantile(p)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(x-want) > 1e-12*want {
			t.Errorf("p = %g: %v, the gamma law has %v", p, x, want)
		}
	}
	if erlang2Quantile(0) != 0 || !math.IsInf(erlang2Quantile(1), 1) {
		t.Error("the ends")
	}
}

// Steps of Newton leave the quantile of the gamma law what bisection finds.
func TestGammaQuantileNarrowed(t *testing.T) {
	for _, k := range []float64{0.02, 0.3, 0.9, 1, 1.5, 2.7, 11, 400, 1e5} {
		g := Gamma{k, 3}
		for _, p := range []float64{1e-200, 1e-9, 0.01, 0.2, 0.4999, 0.5, 0.7, 0.99, 1 - 1e-9, 1 - 1e-15} {
			x, err := g.Quantile(p)
			if err != nil {
				t.Fatal(err)
			}
			logZ := math.Log(x) - math.Log(3)
			near := 3e-14 * max(1, math.Abs(logZ))
			if math.IsInf(logZ, -1) { // below the least number
				continue
			}
			if !g.atLeast(logZ+near, p) || g.atLeast(logZ-near, p) {
				t.Errorf("shape %g, p = %g: %v is not where the law passes p", k, p, x)
			}
		}
	}
}

func BenchmarkGammaQuantile(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		if _, err := (Gamma{2.5, 1}).Quantile(float64(i%997) / 997); err != nil {
			b.Fatal(err)
		}
	}
}
