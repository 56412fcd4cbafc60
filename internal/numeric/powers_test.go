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

// A branch point so near that its distance is lost beside the peak: a load of 2e-16 erl on 7
// servers. The part left of the peak was left out, and a table had no nodes.
func TestPowerIntegralsOfHardlyAnyLoad(t *testing.T) {
	for _, scale := range []float64{1e-3, 1e-12, 2e-16, 1e-20, 1e-40} {
		for _, n := range []int{1, 2, 7, 30} {
			want, part := math.Inf(-1), 0.0 // ln Σ n!/(n−k)! scale^−k
			for k := 0; k <= n; k++ {
				low, high := min(want, part), max(want, part)
				want = high + math.Log1p(math.Exp(low-high))
				part += math.Log(float64(n-k)) - math.Log(scale)
			}
			one := []Power{{Scale: scale, Count: float64(n)}}
			if got := PowerIntegrals(one).Log; !(math.Abs(got-want) < 1e-12*math.Abs(want)) {
				t.Errorf("%d at %g: ln U = %.15g, want %.15g", n, scale, got, want)
			}
			two := []Power{one[0], {Scale: 2 * scale, Count: 3}}
			p := NewPowerTable([]Power{one[0], {Scale: 2 * scale}}, two)
			got, all := p.At([]float64{float64(n), 3}, make([]float64, 2)), PowerIntegrals(two)
			if !(math.Abs(got.LogExcess-all.LogExcess) < 1e-10) {
				t.Errorf("%d at %g beside 3: ln(U - 1) = %.15g in a table, %.15g by itself", n, scale, got.LogExcess, all.LogExcess)
			}
		}
	}
}
