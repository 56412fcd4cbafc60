package numeric

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/capplan/capplan/internal/numtest"
)

// ∫ exp(E) = e^y y^(−b) γ(b, y), by gonum's incomplete gamma function.
func TestDecayIsIncompleteGamma(t *testing.T) {
	for _, b := range []float64{1e-3, 0.3, 1, 7.5, 60, 300} {
		for _, y := range []float64{1e-6, 0.2, 1, 8, 60, 400} {
			lg, _ := math.Lgamma(b)
			p := mathext.GammaIncReg(b, y)
			if p < 1e-200 {
				continue
			}
			want := y - b*math.Log(y) + math.Log(p) + lg
			d := DecayIntegrals(b, y, 0)
			if e := math.Abs(d.Log - want); e > 1e-11*math.Max(1, math.Abs(want)) {
				t.Errorf("b = %v, y = %v: ln integral %v, want %v", b, y, d.Log, want)
			}
			// Integrating dE/dw·exp(E) by parts: y·Left − b = −exp(E(0))/∫.
			if e := y*d.Left - b + math.Exp(-d.Log); math.Abs(e) > 1e-11*(b+y*d.Left+math.Exp(-d.Log)) {
				t.Errorf("b = %v, y = %v: y·Left − b + 1/∫ = %v, want 0", b, y, e)
			}
			numtest.Close(t, fmt.Sprintf("Left + Spent at b = %v, y = %v", b, y), d.Left+d.Spent, 1, 1e-12)
		}
	}
}

// From w0 on it is what is left: the tail of e^(−bw) alone is e^(−b·w0)/b.
func TestDecayTail(t *testing.T) {
	for _, w0 := range []float64{0, 0.1, 3, 50} {
		d := DecayIntegrals(2.5, 0, w0)
		numtest.Close(t, "ln tail", d.Log, -2.5*w0-math.Log(2.5), 1e-13)
		numtest.Close(t, "mean", d.MeanW, w0+1/2.5, 1e-13)
	}
}

// A b at which the exponential of the way to the end overflows: γ(b, y) is 1/b to 1e-300.
func TestDecayOfTinyRates(t *testing.T) {
	for _, b := range []float64{1e-3, 1e-100, 1e-305, 1e-307, 1e-312} {
		for _, y := range []float64{1e-3, 1, 40, 1e6} {
			want := y - math.Log(max(b, 1e-307))
			got := DecayIntegrals(b, y, 0).Log
			if tol := 1e-13*want + 20*b*math.Max(1, math.Log(y+2)); !(math.Abs(got-want) <= tol) {
				t.Errorf("b %g, y %g: %.17g, want %.17g", b, y, got, want)
			}
		}
	}
}
