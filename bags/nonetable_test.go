package bags

import (
	"math"
	"testing"
)

// A table of the chance that no task is left is as the formula, between its steps too.
func TestNoneTable(t *testing.T) {
	for _, k := range []float64{fewestTold, 73.4, 400, 31092} {
		var x noneTable
		x.fill(k)
		for i := range 10_000 {
			v := mostLeft * float64(i) / 10_000
			if got, want := x.at(v), math.Exp(k*math.Log1p(-v/k)); math.Abs(got-want) > 3e-7 {
				t.Fatalf("%v of %v tasks left on average: none with chance %v, want %v", v, k, got, want)
			}
		}
	}
}
