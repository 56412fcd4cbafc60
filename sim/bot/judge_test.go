package bot

import (
	"math"
	"testing"
)

// Bounds against the exact binomial sums of Python (math.comb, by bisection), and that help
// holds a chance from its share of the runs on, if they are so many that they tell.
func TestJudgedBounds(t *testing.T) {
	for _, k := range []struct {
		late, runs int
		low, high  float64
	}{{0, 59, 0.9504924, 1}, {59, 59, 0, 0.0495076}, {1, 2, 0.0253206, 0.9746794}, {30, 600, 0.9327903, 0.9637840}, {8, 1000, 0.9856118, 0.9960131}, {0, 0, 0, 1}} {
		low, high := (&Trial{Runs: k.runs, Late: k.late}).Bounds()
		if math.Abs(low-k.low) > 1e-6 || math.Abs(high-k.high) > 1e-6 {
			t.Errorf("%d of %d late: %v to %v, want %v to %v", k.late, k.runs, low, high, k.low, k.high)
		}
	}
	for _, k := range []struct {
		late, runs int
		chance     float64
		want       bool
	}{{30, 600, 0.95, true}, {31, 600, 0.95, false}, {1, 20, 0.95, false}, {0, 39, 0.95, true}, {0, 38, 0.95, false},
		{8, 1000, 0.99, true}, {9, 1000, 0.99, false}, {99, 100, 0.01, true}} {
		if got := (&Trial{Runs: k.runs, Late: k.late}).Holds(k.chance); got != k.want {
			t.Errorf("%d of %d late, %v wanted: %v", k.late, k.runs, k.chance, got)
		}
	}
}

// So many runs hold a chance if all are in time, and one fewer does not.
func TestLeastHeld(t *testing.T) {
	for _, chance := range []float64{0.01, 0.5, 0.9, 0.95, 0.99} {
		n := LeastHeld(chance)
		if !(&Trial{Runs: n}).Holds(chance) || n > 1 && (&Trial{Runs: n - 1}).Holds(chance) {
			t.Errorf("%v: %d runs", chance, n)
		}
	}
}
