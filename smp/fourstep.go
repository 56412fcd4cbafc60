package smp

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// A fourStep is a complex Fourier transform of a power of two, put together
// from short ones (Gentleman and Sande, AFIPS 1966): with z as a matrix of rows
// of shortFFT terms, transforms of its columns, a turn of each term, transforms
// of its rows. The spectrum is left in the order in which that ends, which does
// not matter to products. Against gonum's planned transform of the same length
// it takes less than half the time.
//
// Short ones are gonum's unplanned transforms, which find roots of unity by
// repeated multiplication: to a length of shortFFT the error of that is within
// rounding.
//
// It is not to be shared by goroutines; fork makes another with the same tables.
type fourStep struct {
	n       int
	columns *fourStep    // nil where n ≤ shortFFT
	turn    []complex128 // e^(−2πi·ck/n) of column c, whose row r holds frequency k
	four    []complex128 // columns being transformed
}

const shortFFT = 256

func newFourStep(n int) *fourStep {
	f := &fourStep{n: n}
	if n <= shortFFT {
		return f
	}
	f.columns = newFourStep(n / shortFFT)
	f.turn = make([]complex128, n)
	for r, k := range f.columns.frequencies() {
		for c := range shortFFT {
			f.turn[r*shortFFT+c] = cmplx.Rect(1, -2*math.Pi*float64(c*k)/float64(n))
		}
	}
	f.four = make([]complex128, 4*f.columns.n)
	return f
}

// fork returns one for another goroutine.
func (f *fourStep) fork() *fourStep {
	if f.columns == nil {
		return f
	}
	return &fourStep{n: f.n, columns: f.columns.fork(), turn: f.turn, four: make([]complex128, len(f.four))}
}

// frequencies returns the frequency of each place of a spectrum.
func (f *fourStep) frequencies() []int {
	out := make([]int, 0, f.n)
	if f.columns == nil {
		for k := range f.n {
			out = append(out, k)
		}
		return out
	}
	for _, k := range f.columns.frequencies() {
		for c := range shortFFT {
			out = append(out, k+f.columns.n*c)
		}
	}
	return out
}

// forward transforms z in place, Σ_t z_t e^(−2πi·kt/n).
func (f *fourStep) forward(z []complex128) {
	if f.columns == nil {
		fourier.CoefficientsRadix2(z)
		return
	}
	for c := 0; c < shortFFT; c += 4 {
		f.gather(z, c)
		for u := 0; u < len(f.four); u += f.columns.n {
			f.columns.forward(f.four[u : u+f.columns.n])
		}
		f.scatter(z, c)
		for at := c; at < f.n; at += shortFFT {
			for u := at; u < at+4; u++ {
				z[u] *= f.turn[u]
			}
		}
	}
	for r := 0; r < f.n; r += shortFFT {
		fourier.CoefficientsRadix2(z[r : r+shortFFT])
	}
}

// backward undoes forward, but for a factor of n.
func (f *fourStep) backward(z []complex128) {
	if f.columns == nil {
		fourier.SequenceRadix2(z)
		return
	}
	for r := 0; r < f.n; r += shortFFT {
		fourier.SequenceRadix2(z[r : r+shortFFT])
	}
	for c := 0; c < shortFFT; c += 4 {
		for at := c; at < f.n; at += shortFFT {
			for u := at; u < at+4; u++ {
				z[u] *= cmplx.Conj(f.turn[u])
			}
		}
		f.gather(z, c)
		for u := 0; u < len(f.four); u += f.columns.n {
			f.columns.backward(f.four[u : u+f.columns.n])
		}
		f.scatter(z, c)
	}
}

// gather takes four columns, which lie in the same lines of the cache.
func (f *fourStep) gather(z []complex128, c int) {
	n := f.columns.n
	for r := range n {
		for u, v := range z[r*shortFFT+c : r*shortFFT+c+4] {
			f.four[u*n+r] = v
		}
	}
}

// scatter puts four columns back.
func (f *fourStep) scatter(z []complex128, c int) {
	n := f.columns.n
	for r := range n {
		to := z[r*shortFFT+c : r*shortFFT+c+4]
		for u := range to {
			to[u] = f.four[u*n+r]
		}
	}
}
