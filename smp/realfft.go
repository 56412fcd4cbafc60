package smp

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// A realFFT transforms real series of one length, a power of two from 8. It
// is not to be shared by goroutines.
//
// A short one is done as a complex transform of half the length: the even
// terms as real parts, the odd ones as imaginary parts, and the two spectra
// taken apart by the symmetry that a real series' spectrum has. That takes
// about half the time of gonum's planned real transform. Long ones use the
// plan all the same: the unplanned transform finds its roots of unity by
// repeated multiplication, whose error grows with the length.
type realFFT struct {
	plan *fourier.FFT // nil where short
	z    []complex128 // half the length
	turn []complex128 // e^(−2πi·m/length)/2 for m = 0 … length/4
}

// shortFFT is the longest transform done at half its length.
const shortFFT = 512

func newRealFFT(length int) *realFFT {
	if length > shortFFT {
		return &realFFT{plan: fourier.NewFFT(length)}
	}
	f := &realFFT{z: make([]complex128, length/2), turn: make([]complex128, length/4+1)}
	for m := range f.turn {
		f.turn[m] = cmplx.Rect(0.5, -2*math.Pi*float64(m)/float64(length))
	}
	return f
}

// Coefficients sets dst to Σ_t src_t e^(−2πi·mt/length), m = 0 … length/2, and
// returns it.
func (f *realFFT) Coefficients(dst []complex128, src []float64) []complex128 {
	if f.plan != nil {
		return f.plan.Coefficients(dst, src)
	}
	z, h := f.z, len(f.z)
	for t := range z {
		z[t] = complex(src[2*t], src[2*t+1])
	}
	fourier.CoefficientsRadix2(z)
	dst[0] = complex(real(z[0])+imag(z[0]), 0)
	dst[h] = complex(real(z[0])-imag(z[0]), 0)
	for m := 1; m <= h/2; m++ {
		a, b := z[m], cmplx.Conj(z[h-m])
		even := 0.5 * (a + b)
		odd := f.turn[m] * (a - b) // times i
		odd = complex(imag(odd), -real(odd))
		dst[m] = even + odd
		dst[h-m] = cmplx.Conj(even - odd)
	}
	return dst
}

// Sequence sets dst to length times the series with the given coefficients and
// returns it.
func (f *realFFT) Sequence(dst []float64, coeff []complex128) []float64 {
	if f.plan != nil {
		return f.plan.Sequence(dst, coeff)
	}
	z, h := f.z, len(f.z)
	z[0] = complex(real(coeff[0])+real(coeff[h]), real(coeff[0])-real(coeff[h]))
	for m := 1; m <= h/2; m++ {
		a, b := coeff[m], cmplx.Conj(coeff[h-m])
		even := a + b
		odd := 2 * cmplx.Conj(f.turn[m]) * (a - b)
		odd = complex(-imag(odd), real(odd))
		z[m] = even + odd
		z[h-m] = cmplx.Conj(even - odd)
	}
	fourier.SequenceRadix2(z)
	for t := range z {
		dst[2*t], dst[2*t+1] = real(z[t]), imag(z[t])
	}
	return dst
}
