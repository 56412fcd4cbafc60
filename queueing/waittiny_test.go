package queueing

import (
	"math"
	"testing"
)

// At loads so small that the tail falls by more digits than a float64 has at
// each whole service time. Wanted: 1 − (1−ρ)Σₖ e^(ρ(t−k)) (−ρ(t−k))ᵏ/k!
// (Erlang 1909), summed by mpmath with 400 digits. Below 1e-250 it may count as 0.
func TestMD1TailAtTinyLoads(t *testing.T) {
	at := []float64{0.5, 0.99, 1.5, 2.5}
	for _, c := range []struct {
		rho  float64
		want [4]float64
	}{
		{1e-15, [4]float64{5.0000000000000041e-16, 1.000000000000051e-17, 1.2500000000000039e-31, 2.0833333333333518e-47}},
		{1e-18, [4]float64{5.0000000000000004e-19, 1.000000000000001e-20, 1.2500000000000002e-37, 2.0833333333333338e-56}},
		{1e-20, [4]float64{4.9999999999999997e-21, 1.0000000000000008e-22, 1.2499999999999999e-41, 2.083333333333333e-62}},
		{1e-40, [4]float64{4.9999999999999996e-41, 1.0000000000000008e-42, 1.2499999999999998e-81, 2.0833333333333329e-122}},
		{1e-60, [4]float64{4.9999999999999999e-61, 1.0000000000000009e-62, 1.2499999999999999e-121, 2.0833333333333331e-182}},
		{1e-90, [4]float64{5.0e-91, 1.0000000000000009e-92, 1.25e-181, 2.0833333333333333e-272}},
		{1e-101, [4]float64{5.0000000000000003e-102, 1.0000000000000009e-103, 1.2500000000000001e-203, 0}},
		{1e-120, [4]float64{4.9999999999999999e-121, 1.0000000000000009e-122, 1.2499999999999999e-241, 0}},
	} {
		f, err := MG1{ArrivalRate: c.rho, Service: Deterministic{1}}.Figures()
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range at {
			if got := f.WaitTail(x); c.want[i] > 1e-250 && !(math.Abs(got-c.want[i]) <= 1e-12*c.want[i]) {
				t.Errorf("rho %g: P(W > %g) = %.16g, want %.16g", c.rho, x, got, c.want[i])
			}
		}
	}
}
