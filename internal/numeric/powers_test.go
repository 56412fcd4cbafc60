package numeric

import (
	"math"
	"testing"
)

// With one factor, or several that are alike, the integral is the incomplete
// gamma ratio.
func TestPowerIntegralsOfOneScale(t *testing.T) {
	for _, n := range []float64{1e-3, 0.5, 1, 7.25, 30, 138, 5000, 1e6, 1e9, 1e12} {
		for _, a := range []float64{1e-6, 0.01, 0.5, 5, 29, 120, 4900, 1.001e6, 0.9999e9, 1e12} {
			logU, excess := LogUpperRatio(n, a)
			tol := 3e-13 + 4e-15*math.Abs(logU)
			if n+a > 1e7 {
				tol = 1e-9 + 4e-15*math.Abs(logU)
			}
			for _, factors := range [][]Power{{{a, n}}, {{a, 0.25 * n}, {a, 0.75 * n}, {2 * a, 0}}} {
				p := PowerIntegrals(factors)
				if e := math.Abs(p.Log - logU); !(e <= tol) {
					t.Errorf("ln U(%v, %v) = %.17g, want %.17g (off by %.2g)", n, a, p.Log, logU, e)
				}
				if e := math.Abs(p.LogExcess - math.Log(excess)); !math.IsInf(excess, 1) && !(e <= tol) {
					t.Errorf("ln(U − 1)(%v, %v) = %.17g, want %.17g", n, a, p.LogExcess, math.Log(excess))
				}
				// Σ busy = a(1 − B) = a(U − 1)/U.
				busy := 0.0
				for j, f := range factors {
					busy += f.Count * p.Left[j]
				}
				want := a
				if !math.IsInf(excess, 1) {
					want = a * excess / (1 + excess)
				}
				if math.Abs(busy/want-1) > 10*tol {
					t.Errorf("busy(%v, %v) = %.17g, want %.17g", n, a, busy, want)
				}
				if n > a && !math.IsInf(excess, 1) {
					// V = U − (U − 1)·a/n.
					want := math.Log(1 + excess*(1-a/n))
					if e := math.Abs(p.LogDelay - want); !(e <= 10*tol) {
						t.Errorf("ln V(%v, %v) = %.17g, want %.17g", n, a, p.LogDelay, want)
					}
				}
			}
		}
	}
}
