package attempts

import (
	"math/cmplx"
	"slices"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/law"
)

// aliased is the share of the masses beyond its end that a lattice adds to its own.
const aliased = 1e-7

// absences returns the masses of an absence on a lattice. They keep its mean: they are differences
// of differences of ∫ P(u > t) dt.
func absences(down law.Law, step float64, cells int) []float64 {
	mean := down.Mean() / step
	mass := make([]float64, cells)
	before, last := 0.0, 1.0
	for i := range mass {
		next := mean * law.Equilibrium(down, float64(i+1)*step)
		mass[i] = max(0, last-(next-before))
		before, last = next, next-before
	}
	return mass
}

func damped(v []float64, by float64) []float64 {
	factor := 1.0
	for i := range v {
		v[i] *= factor
		factor *= by
	}
	return v
}

// A transform is the scratch for inverting transforms of absences; it serves one goroutine at a
// time.
type transform struct {
	fft    *fourier.FFT
	absent [Ages + 1][]complex128
	masses []float64
}

// transforms holds those that are not in use.
var transforms sync.Pool

// transformOf returns one for the given number of cells.
func transformOf(cells int) *transform {
	if t, ok := transforms.Get().(*transform); ok && len(t.masses) == cells {
		return t
	}
	t := &transform{fft: fourier.NewFFT(cells), masses: make([]float64, cells)}
	for k := range t.absent {
		t.absent[k] = make([]complex128, cells/2+1)
	}
	return t
}

// absent sets out to the transforms of the sum of all absences, given that there is one: for a
// machine that has just come, and for each age.
func (p *interrupted) absent(away []complex128, out *[Ages + 1][]complex128) {
	cells := len(p.stay) - 1
	re, im := make([]float64, cells+1), make([]float64, cells+1) // of g, in reverse order
	re[cells] = 1
	var left [Ages][]float64 // in reverse order too
	for k := range left {
		left[k] = slices.Clone(p.aged[k].left)
		slices.Reverse(left[k])
	}
	for i, d := range away {
		scale := 1 / (1 - d*complex(p.fresh[0], 0))
		for j := 1; j <= cells; j++ {
			before := cells - j + 1 // index of g for one cell less
			sum := complex(p.last[j]+floats.Dot(p.fresh[1:j], re[before:cells]), floats.Dot(p.fresh[1:j], im[before:cells]))
			g := (complex(p.stay[j], 0) + d*sum) * scale
			re[before-1], im[before-1] = real(g), imag(g)
		}
		out[0][i] = complex(re[0]-p.stay[cells], im[0])
		for k := range left {
			out[k+1][i] = d * complex(floats.Dot(left[k], re), floats.Dot(left[k], im))
		}
		for k := range out {
			if cmplx.IsNaN(out[k][i]) { // stays and absences of length 0
				out[k][i] = 0
			}
		}
	}
}
