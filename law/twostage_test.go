package law

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// Means and SCVs of the laws against known cases: exponential (β = 1), the gap
// of InterGrid table 2 (α = 7, β = 0.5: 14 s, c² = 5), Rayleigh (β = 2,
// c² = 4/π − 1), and lognormal moments.
func TestLawMoments(t *testing.T) {
	for _, c := range []struct{ scale, shape, mean, scv float64 }{
		{3, 1, 3, 1},
		{7, 0.5, 14, 5},
		{2, 2, math.Sqrt(math.Pi), 4/math.Pi - 1},
	} {
		w := Weibull{Scale: c.scale, Shape: c.shape}
		numtest.Close(t, "mean", w.Mean(), c.mean, 1e-14)
		numtest.Close(t, "scv", w.SCV(), c.scv, 1e-13)
	}
	l := LogNormal{Mu: math.Log(10), Sigma: math.Sqrt(2 * math.Ln2)}
	numtest.Close(t, "lognormal mean", l.Mean(), 20, 1e-14)
	numtest.Close(t, "lognormal scv", l.SCV(), 3, 1e-14)
}

// E[2^r] against InterGrid's parameters: 5.40 where 2^E[r] is 3.76.
func TestTwoStageMoments(t *testing.T) {
	l := TwoStage{0.8, 2.5, 6, 0.9}
	numtest.Close(t, "E[2^r]", l.Moment(1), 5.40, 1e-3)
	numtest.Close(t, "2^E[r]", math.Exp2(l.MeanLog2()), 3.76, 1e-3)
	for _, l := range []TwoStage{l, {-1, 3, 12, 0.4}, {10.5, 12, 13, 0.5}, {1, 1.1, 11, 0}} {
		total, mean := 0.0, 0.0
		for s := 1; float64(s)-0.5 < math.Exp2(l.H); s++ {
			total += l.Probability(s)
			mean += float64(s) * l.Probability(s)
		}
		numtest.Close(t, "sum of probabilities", total, 1, 1e-12)
		numtest.Close(t, "mean size", l.MeanSize(), mean, 1e-6)
	}
}
