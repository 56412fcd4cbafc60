package smp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/longtest"
)

// TestRightAngle holds the middle of a product against its definition, of
// whole blocks and of shorter ones, of transforms of one, two and three steps.
func TestRightAngle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	sizes := []int{2, 4, 8, 64, shortFFT, 2 * shortFFT, 8 * shortFFT, shortFFT * shortFFT, 2 * shortFFT * shortFFT}
	for _, b := range sizes[:longtest.Of(7, len(sizes))] {
		f := newRightAngle(b).fork()
		for _, short := range []int{0, 1, b / 2, b - 1} {
			lags, steps := make([]float64, 2*b-short), make([]float64, b-short)
			for i := range lags {
				lags[i] = rng.Float64()
			}
			for i := range steps {
				steps[i] = rng.Float64()
			}
			// Four roundings for each of log₂ 4b steps, relative to the norms.
			most := 4 * 0x1p-53 * math.Log2(float64(4*b)) * floats.Norm(lags, 2) * floats.Norm(steps, 2)
			product, known := make([]complex128, b), make([]complex128, b)
			f.steps(known, steps)
			multiplyAdd(product, f.lags(lags), known)
			got := make([]float64, b-short)
			f.addTo(got, product)
			for u := 0; u < len(got); u += 1 + len(got)/97 {
				// Σ_s lags_{b+u−s}·steps_s over the lags there are.
				from := max(0, b+u+1-len(lags))
				past := make([]float64, 0, b)
				for s := from; s < len(steps); s++ {
					past = append(past, lags[b+u-s])
				}
				want := floats.Dot(past, steps[min(from, len(steps)):])
				if math.Abs(got[u]-want) > most {
					t.Errorf("b = %d, %d short: term %d is %v, want %v", b, short, u, got[u], want)
				}
			}
		}
	}
}

// TestTwoProducts adds two products at once and one after the other.
func TestTwoProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	some := func() []complex128 {
		z := make([]complex128, 7)
		for i := range z {
			z[i] = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		return z
	}
	p, q, r, s := some(), some(), some(), some()
	one, two := make([]complex128, 7), make([]complex128, 7)
	multiplyAdd(one, p, q)
	multiplyAdd(one, r, s)
	multiplyAddTwo(two, p, q, r, s)
	for m := range one {
		if d := one[m] - two[m]; math.Hypot(real(d), imag(d)) > 1e-14 {
			t.Errorf("term %d: %v, want %v", m, two[m], one[m])
		}
	}
}
