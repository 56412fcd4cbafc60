package law

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The quantile that is told by a few steps is that of the halves of an interval.
func TestGammaQuantileNearby(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	told, worst := 0, 0.0
	const draws = 2000
	for range draws {
		l, p := Gamma{Shape: 1 + 20*math.Pow(r.Float64(), 3), Scale: 1}, r.Float64()
		if r.IntN(2) == 0 {
			l.Shape = 0.02 + 0.98*r.Float64()
		}
		if tail := math.Pow(10, -6*r.Float64()); r.IntN(3) == 0 {
			p = 1 - tail
		}
		got, ok := l.nearby(p)
		if !ok {
			continue
		}
		told++
		lo, hi := -800.0, 10.0
		for range 70 {
			if mid := (lo + hi) / 2; l.atLeast(mid, p) {
				hi = mid
			} else {
				lo = mid
			}
		}
		want := math.Exp(hi)
		if worst = max(worst, math.Abs(got/want-1)); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("%+v: %v-quantile %v, want %v", l, p, got, want)
		}
	}
	t.Logf("%d of %d told, off by %.1e at most", told, draws, worst)
	if told < 0.9*draws {
		t.Errorf("%d of %d told", told, draws)
	}
}
