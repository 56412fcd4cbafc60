package bags

import (
	"math"
	"math/cmplx"
	"sort"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/capplan/capplan/law"
)

// waitingTimes is for how many times of a task absences are summed; between them
// their law is interpolated. The work of each is cut to at least so many cells, and to
// two in a mean stay up to the most.
const (
	waitingTimes   = 8
	workCells      = 40
	mostWorkCells  = 120
	cellsInOneStay = 2
)

// An interrupted is how stays end while a task of a time is worked on, by cell of
// its work: with the chance that one does, spread over the corners of its cell so
// that its mean is kept.
type interrupted struct {
	time    float64
	stay    []float64 // P(a > x) at the corners
	fresh   []float64 // weights of what is left, j cells fewer, where a machine has come
	last    []float64 // weight of none left, where j cells are
	found   []float64 // weights of what is left, j cells, where a machine was found up
	without float64   // P(the stay found lasts)
}

// A waiting sums the absences of machines that hold results.
type waiting struct {
	course course
	times  times
	parts  []interrupted
}

func newWaiting(c course, w times) *waiting {
	out := &waiting{course: c, times: w}
	if c.down == nil {
		return out
	}
	for _, n := range merged(w, waitingTimes) {
		out.parts = append(out.parts, c.interrupt(n.speed))
	}
	return out
}

// interrupt cuts the work of a task.
func (c course) interrupt(time float64) interrupted {
	cells := int(min(mostWorkCells, max(workCells, math.Ceil(cellsInOneStay*time/c.up.Mean()))))
	width := time / float64(cells)
	p := interrupted{
		time:    time,
		stay:    make([]float64, cells+1),
		fresh:   make([]float64, cells+1),
		last:    make([]float64, cells+1),
		found:   make([]float64, cells+1),
		without: c.residual(time),
	}
	for j := range p.stay {
		p.stay[j] = c.stay(float64(j) * width)
	}
	below := 0.0 // ∫ P(a > x) dx up to the cell
	before := 1.0
	for i := range cells {
		above := c.up.Mean() * (1 - c.residual(float64(i+1)*width))
		mass := p.stay[i] - p.stay[i+1]
		at := 0.5 // of the cell, where on average a stay ends that does in it
		if mass > 1e-12 {
			at = min(1, max(0, (above-below-width*p.stay[i+1])/(width*mass)))
		}
		p.fresh[i] += mass * (1 - at)
		p.fresh[i+1] += mass * at
		p.last[i+1] = mass * at
		after := c.residual(float64(i+1) * width)
		p.found[cells-i] += (before - after) / 2
		p.found[cells-i-1] += (before - after) / 2
		below, before = above, after
	}
	return p
}

// laws are those of the time of a result that waits on its machine while that is
// away: the time of the task and as many absences as stays end meanwhile. found is
// that where its machine was found up, fresh where it had just come. With d(s) the
// transform of an absence, that of all absences while x is to be worked is
//
//	g(x) = P(a > x) + d ∫₀ˣ g(x − y) dP(a <= y)              fresh
//	e(x) = P(R > x) + d ∫₀ˣ g(x − y) dP(R <= y)              found
//
// with a a stay and R what is left of one, by steps of work, and inverted on a
// lattice of time with a damped discrete transform: there is no bound on how often a
// machine leaves. Source: Cox, Renewal Theory, 1962, section 4; Abate, Whitt,
// Numerical inversion of probability generating functions, OR Letters 12, 1992.
func (w *waiting) laws(step float64, cells int) (found, fresh grid) {
	found, fresh = grid{step, make([]float64, cells)}, grid{step, make([]float64, cells)}
	if w.course.down == nil {
		for i := range found.f {
			for _, n := range w.times {
				if n.speed <= float64(i)*step {
					found.f[i] += n.share
				}
			}
		}
		copy(fresh.f, found.f)
		return found, fresh
	}
	damping := math.Pow(aliased, 1/float64(cells))
	transform := fourier.NewFFT(cells)
	away := transform.Coefficients(nil, damped(absences(w.course.down, step, cells), damping))
	sums := make([][2][]float64, len(w.parts))
	for k := range w.parts {
		e, g := w.parts[k].absent(away)
		for i, c := range [][]complex128{e, g} {
			sums[k][i] = below(damped(transform.Sequence(nil, c), 1/damping), 1/float64(cells))
		}
	}
	for _, n := range w.times {
		high := sort.Search(len(w.parts)-1, func(k int) bool { return w.parts[k].time >= n.speed })
		low := max(0, high-1)
		part := 1.0
		if span := w.parts[high].time - w.parts[low].time; span > 0 {
			part = min(1, max(0, (n.speed-w.parts[low].time)/span))
		}
		for i, f := range [][]float64{found.f, fresh.f} {
			spread(f, sums[low][i], n.speed/step, n.share*(1-part))
			spread(f, sums[high][i], n.speed/step, n.share*part)
		}
	}
	return found, fresh
}

// aliased is what a lattice of masses takes of those beyond its end.
const aliased = 1e-7

// absences are the masses of an absence on a lattice that keep its mean: differences
// of those of ∫ P(u > t) dt.
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

// absent returns the transforms of all absences where a machine was found, and where
// it had just come.
func (p *interrupted) absent(away []complex128) (found, fresh []complex128) {
	found, fresh = make([]complex128, len(away)), make([]complex128, len(away))
	cells := len(p.stay) - 1
	g := make([]complex128, cells+1)
	g[0] = 1
	for i, d := range away {
		scale := 1 / (1 - d*complex(p.fresh[0], 0))
		for j := 1; j <= cells; j++ {
			re, im := p.last[j], 0.0
			for k := 1; k < j; k++ {
				re += p.fresh[k] * real(g[j-k])
				im += p.fresh[k] * imag(g[j-k])
			}
			g[j] = (complex(p.stay[j], 0) + d*complex(re, im)) * scale
		}
		var ends complex128
		for j, weight := range p.found {
			ends += complex(weight, 0) * g[j]
		}
		found[i], fresh[i] = complex(p.without, 0)+d*ends, g[cells]
		if cmplx.IsNaN(found[i]) || cmplx.IsNaN(fresh[i]) { // stays and absences of no time at all
			found[i], fresh[i] = 0, 0
		}
	}
	return found, fresh
}

// below sums masses: of what lies below each cell.
func below(mass []float64, scale float64) []float64 {
	sums := make([]float64, len(mass)+1)
	for i, m := range mass {
		sums[i+1] = sums[i] + max(0, m*scale)
	}
	return sums
}

// spread adds a share of a law of masses, each spread over its cell, a time later.
func spread(f, sums []float64, late, share float64) {
	if share < 1e-12 {
		return
	}
	shift := 0.5 - late
	for i := max(0, int(-shift)); i < len(f); i++ {
		if at := float64(i) + shift; at >= 0 {
			k := int(at)
			f[i] += share * (sums[k] + (at-float64(k))*(sums[k+1]-sums[k]))
		}
	}
}
