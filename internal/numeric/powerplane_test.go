package numeric

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Below the plane it gives what single evaluations give, and above it no less
// than at the plane.
func TestPowerPlane(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	worst := 0.0
	for range 400 {
		ends := make([]Power, 1+rng.IntN(4))
		load := math.Exp(14*rng.Float64() - 4)
		deep := 40 * rng.Float64()
		for j := range ends {
			a := load * math.Exp(4*rng.Float64()-2)
			ends[j] = Power{a, a + deep/3 + math.Sqrt(deep*deep/9+2*a*deep)}
		}
		plane, _ := NewPowerPlane(ends)
		w := &PowerWeights{}
		for _, height := range []float64{1, rng.Float64(), 0} {
			counts, factors, whole := make([]float64, len(ends)), make([]Power, len(ends)), 0.0
			for j := range counts {
				counts[j] = rng.Float64()
				whole += counts[j]
			}
			for j, e := range ends {
				counts[j] *= height * e.Count / whole
				factors[j] = Power{e.Scale, counts[j]}
			}
			want := PowerIntegrals(factors).Log
			if e := math.Abs(plane.Log(w, counts) - want); !(e <= 1e-10) {
				t.Errorf("ln U of %v alone is off by %.2g", factors, e)
			}
			plane.Start(w, counts)
			e := math.Abs(w.Log() - want)
			if worst = max(worst, e); !(e <= 1e-10) {
				t.Errorf("ln U of %v below %v = %v, want %v (off by %.2g)", factors, ends, w.Log(), want, e)
			}
			// More of one factor by the factors of a step.
			before := w.Log()
			for k, r := range plane.Factor(0, math.Min(2.5, 200/plane.Longest(0))) {
				w.Value[k] *= r
			}
			if w.Log() <= before {
				t.Errorf("%v: ln U falls from %v to %v as a factor is added", factors, before, w.Log())
			}
			if height == 1 {
				continue
			}
			factors[0].Count += math.Min(0.3*(1-height)*ends[0].Count, 200/plane.Longest(0))
			plane.Start(w, counts)
			for k, r := range plane.Factor(0, factors[0].Count-counts[0]) {
				w.Value[k] *= r
			}
			if e := math.Abs(w.Log() - PowerIntegrals(factors).Log); !(e <= 1e-10) {
				t.Errorf("ln U of %v by steps is off by %.2g", factors, e)
			}
		}
	}
	t.Logf("worst error %.2g", worst)
}
