package noneleft

import (
	"math"
	"slices"
	"testing"
)

// The chance that no task is left by the table is as the formula, between its steps too.
func TestNoneTable(t *testing.T) {
	for _, k := range []float64{FewestByTable, 73.4, 400, 31092} {
		for i := range 10_001 {
			v := Most * float64(i) / 10_000
			got := []float64{v}
			if ByTable(k, got); math.Abs(got[0]-math.Exp(k*math.Log1p(-v/k))) > 1e-7 {
				t.Fatalf("%v of %v tasks left on average: none with chance %v, want %v", v, k, got[0], math.Exp(k*math.Log1p(-v/k)))
			}
		}
	}
	for _, n := range []float64{50, fewestExact, 31092} {
		left := make([]float64, 10_001)
		for i := range left {
			left[i] = 1.01 * Most * float64(i) / 10_000
		}
		none := slices.Clone(left)
		Chances(n, none)
		for i, got := range none {
			if want := Chance(n, left[i]); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v of %v tasks left on average: none with chance %v, want %v", left[i], n, got, want)
			}
		}
	}
}
