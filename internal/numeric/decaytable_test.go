package numeric

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The table agrees with the integrals themselves, for patience far below and far
// above a service and fleets from a third of the load to three times it.
func TestDecayTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for range 300 {
		y := math.Exp(20*rng.Float64() - 4)
		w0 := 0.0
		if rng.IntN(2) == 0 {
			w0 = 3 * rng.Float64()
		}
		d := NewDecayTable(y, w0)
		for range 20 {
			b := y * math.Exp(2.2*rng.Float64()-1.1)
			if rng.IntN(4) == 0 {
				b = 100 * y * rng.Float64()
			}
			if rng.IntN(4) == 0 { // near the pole
				b = math.Exp(8*rng.Float64() - 8)
			}
			got, want := d.At(b), DecayIntegrals(b, y, w0)
			for name, x := range map[string][2]float64{
				"Log": {got.Log, want.Log}, "Spent": {got.Spent, want.Spent}, "Left": {got.Left, want.Left},
				"WLeft": {got.WLeft, want.WLeft}, "MeanW": {got.MeanW, want.MeanW},
			} {
				// What Log is off by is relative in the integral itself; E is told
				// to some rounding of its terms.
				scale := math.Abs(x[1])
				if name == "Log" {
					scale = math.Max(1, 1e-5*(y+scale))
				}
				if off := math.Abs(x[0] - x[1]); off > 1e-10*scale {
					t.Fatalf("y %v, b %v, w0 %v: %s = %v, want %v", y, b, w0, name, x[0], x[1])
				}
			}
		}
	}
}
