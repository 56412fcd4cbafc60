package smp

import (
	"math"
	"math/cmplx"
)

// A rightAngle computes what a block of b steps is owed by a block before it,
// the middle of the product of 2b lags and b steps,
//
//	out_u = Σ_t lags_{b+u−t}·steps_t,   0 ≤ u, t < b,
//
// from one complex transform of length b of each. Modulo X^2b + 1 the middle of
// the product is as it is without. Of a real series modulo X^2b + 1 =
// (X^b − i)(X^b + i) the residue modulo the first factor says all; with
// X = ωY, ω = e^(iπ/2b), that residue is Σ_t (x_t + i·x_{t+b}) ω^t Y^t modulo
// Y^b − 1, where products are cyclic (right-angle convolution: Crandall and
// Fagin, Mathematics of Computation 62, 1994).
//
// It is not to be shared by goroutines; fork makes another with the same tables.
type rightAngle struct {
	b    int
	fft  *fourStep
	turn []complex128 // ω^t
	back []complex128 // ω^−t / b
}

// newRightAngle returns one for blocks of b steps, a power of two.
func newRightAngle(b int) *rightAngle {
	f := &rightAngle{b: b, fft: newFourStep(b), turn: make([]complex128, b), back: make([]complex128, b)}
	for t := range b {
		angle := math.Pi * float64(t) / float64(2*b)
		f.turn[t] = cmplx.Rect(1, angle)
		f.back[t] = cmplx.Rect(1/float64(b), -angle)
	}
	return f
}

// fork returns one for another goroutine.
func (f *rightAngle) fork() *rightAngle {
	return &rightAngle{b: f.b, fft: f.fft.fork(), turn: f.turn, back: f.back}
}

// lags returns the transform of at most 2b lags.
func (f *rightAngle) lags(x []float64) []complex128 {
	z := make([]complex128, f.b)
	for t, v := range x[:min(len(x), f.b)] {
		z[t] = complex(v, 0)
	}
	if len(x) > f.b {
		for t, v := range x[f.b:] {
			z[t] += complex(0, v)
		}
	}
	for t, w := range f.turn {
		z[t] *= w
	}
	f.fft.forward(z)
	return z
}

// steps sets dst to the transform of at most b steps.
func (f *rightAngle) steps(dst []complex128, x []float64) {
	for t, v := range x {
		w := f.turn[t]
		dst[t] = complex(v*real(w), v*imag(w))
	}
	clear(dst[len(x):])
	f.fft.forward(dst)
}

// addTo adds the middle of a product, given by its transform, which is used up,
// to at most b steps. A sum of non-negative terms: what is below zero is
// rounding.
func (f *rightAngle) addTo(out []float64, product []complex128) {
	f.fft.backward(product)
	for u := range out {
		z, w := product[u], f.back[u]
		out[u] += max(0, real(z)*imag(w)+imag(z)*real(w))
	}
}

// multiplyAdd adds the product of two transforms to a third.
func multiplyAdd(sum, p, q []complex128) {
	p, q = p[:len(sum)], q[:len(sum)]
	for m := range sum {
		a, b := p[m], q[m]
		sum[m] += complex(real(a)*real(b)-imag(a)*imag(b), real(a)*imag(b)+imag(a)*real(b))
	}
}

// multiplyAddTwo adds two products at once, which takes a sixth less than one
// after the other.
func multiplyAddTwo(sum, p, q, r, s []complex128) {
	p, q, r, s = p[:len(sum)], q[:len(sum)], r[:len(sum)], s[:len(sum)]
	for m := range sum {
		a, b, c, d := p[m], q[m], r[m], s[m]
		sum[m] += complex(real(a)*real(b)-imag(a)*imag(b)+(real(c)*real(d)-imag(c)*imag(d)),
			real(a)*imag(b)+imag(a)*real(b)+(real(c)*imag(d)+imag(c)*real(d)))
	}
}
