package smp

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// TestRealFFT holds the transform against its definition, both ways.
func TestRealFFT(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 8; n <= 2*shortFFT; n *= 2 {
		f := newRealFFT(n)
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.Float64()
		}
		got := f.Coefficients(make([]complex128, n/2+1), x)
		for m, g := range got {
			var want complex128
			for i, v := range x {
				want += complex(v, 0) * cmplx.Rect(1, -2*math.Pi*float64(m*i%n)/float64(n))
			}
			if e := cmplx.Abs(g - want); e > 1e-15*float64(n) {
				t.Errorf("n = %d: coefficient %d is %v off", n, m, e)
			}
		}
		back := f.Sequence(make([]float64, n), got)
		for i, v := range back {
			if e := math.Abs(v/float64(n) - x[i]); e > 1e-14 {
				t.Errorf("n = %d: term %d comes back %v off", n, i, e)
			}
		}
	}
}
