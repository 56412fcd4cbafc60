package sweeps

import (
	"math"
	"testing"
)

// A map of waits of idle fleets shows the waits that matter: not 180 decades, nor one colour since
// the least of them is 0.
func TestColorScale(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		log    bool
		floor  float64
	}{
		{"waits of idle servers", []float64{1.4, 0.02, 1e-7, 1e-60, 1e-180}, true, 1e-8},
		{"waits that vanish", []float64{1.4, 0.02, 1e-7, 1e-60, 0}, true, 1e-8},
		{"a few decades", []float64{1.4, 0.02, 1e-7}, true, 0},
		{"a few decades and none", []float64{3000, 2, 0, 0, math.NaN()}, true, 1},
		{"one decade", []float64{1, 2, 9}, false, 0},
		{"spread evenly from 0", []float64{0, 1, 500, 1000, 1500, 2000}, false, 0},
		{"both signs", []float64{-1, 1e-9, 1}, false, 0},
		{"nothing but 0", []float64{0, math.NaN()}, false, 0},
	} {
		log, floor := colorScale(c.values)
		if log != c.log || math.Abs(floor-c.floor) > 1e-9*c.floor {
			t.Errorf("%s: logarithm %v down to %v, want %v down to %v", c.name, log, floor, c.log, c.floor)
		}
	}
}
