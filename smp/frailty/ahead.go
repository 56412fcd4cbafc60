package frailty

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/capplan/capplan/smp"
)

// An Ahead is what a window holds at frailty 1.
type Ahead struct {
	Expected float64 // ΔL, failures
	// Unsure is the relative variance v of ΔL by what the hazards of ages rest on:
	// great beyond the oldest age that was seen. It is part of [Model.Uncertainty].
	Unsure float64
}

// Aheads returns those of all windows of 0 … w.Steps steps: [Model.Cumulative], and
//
//	v = wᵀ C⁻¹ w,   C = diag(D_a) + q T
//
// where w are the shares of ΔL by age bin, D_a the failures that the bins rest on and q T
// is the precision of the walk of the hazards by age, see [Fit]. A step adds to one bin,
// which changes the form by what is known of that bin alone: time is O(w.Steps), and a
// solution of C for each bin.
func (m *Model) Aheads(c smp.Calendar, w Window) ([]Ahead, error) { return m.AheadsOn(c)(nil, w) }

// AheadsOn returns a function that is Aheads on one calendar, and solves C once for each bin however
// many windows it is asked for; what it returns may take the memory of the slice given. It may be called
// by many goroutines, but not beside Aheads after the model was changed.
func (m *Model) AheadsOn(c smp.Calendar) func(memory []Ahead, w Window) ([]Ahead, error) {
	var columns [Ages]atomic.Pointer[[]float64] // C⁻¹ by bin
	return func(memory []Ahead, w Window) ([]Ahead, error) { return m.aheads(c, memory, w, &columns) }
}

func (m *Model) aheads(c smp.Calendar, memory []Ahead, w Window,
	columns *[Ages]atomic.Pointer[[]float64]) ([]Ahead, error) {
	if err := m.check("Model.Aheads", w); err != nil {
		return nil, err
	}
	if len(m.AgeFailures) != Ages {
		return nil, &smp.DomainError{
			Func:  "Model.Aheads",
			Arg:   "len(AgeFailures)",
			Value: float64(len(m.AgeFailures)),
			Want:  "a model that Fit made",
		}
	}
	out := slices.Grow(memory[:0], int(w.Steps)+1)[:w.Steps+1]
	clear(out)
	var (
		sums   [Ages]float64 // of ΔL by bin
		column []float64     // C⁻¹ of the bin
		at     = -1
		total  float64
		square float64 // sumsᵀ C⁻¹ sums
	)
	Clock{m.Period, c}.each(w.First, w.Age, w.Steps, func(cell int, from, steps int64) bool {
		bin, l := cell/Hours, m.Age[cell/Hours]*m.Hour[cell%Hours]
		half := bin - bin%ageBins
		if bin != at {
			known := columns[bin].Load()
			if known == nil {
				known = new(unit(bin%ageBins, m.AgeFailures[half:half+ageBins], m.agePseudo()))
				columns[bin].Store(known)
			}
			at, column = bin, *known
		}
		along := 0.0 // (C⁻¹ sums) of the bin
		for a, x := range column {
			along += x * sums[half+a]
		}
		own := column[bin%ageBins]
		for s := from; s < from+steps; s++ {
			square += l * (2*along + l*own)
			along += l * own
			total += l
			out[s+1].Expected = total
			if total > 0 {
				out[s+1].Unsure = square / total / total
			}
		}
		sums[bin] += l * float64(steps)
		return true
	})
	return out, nil
}

// Ahead returns the sum ΔL of the failures expected at frailty 1 in each age bin, and its relative
// variance v, as [Model.Aheads] does for a window. Errors: *smp.DomainError for other than [Ages]
// finite numbers >= 0, and for a model that no fit made.
func (m *Model) Ahead(failures []float64) (Ahead, error) {
	if len(failures) != Ages || len(m.AgeFailures) != Ages {
		return Ahead{}, &smp.DomainError{
			Func:  "Model.Ahead",
			Arg:   "len(failures)",
			Value: float64(len(failures)),
			Want:  fmt.Sprintf("%d, and a model that Fit made", Ages),
		}
	}
	var a Ahead
	for _, l := range failures {
		if !(l >= 0) || math.IsInf(l, 1) {
			return Ahead{}, &smp.DomainError{Func: "Model.Ahead", Arg: "failures", Value: l, Want: "finite numbers >= 0"}
		}
		a.Expected += l
	}
	if a.Expected == 0 {
		return a, nil
	}
	shares := make([]float64, Ages)
	for i, l := range failures {
		shares[i] = l / a.Expected
	}
	for _, from := range []int{0, ageBins} {
		a.Unsure += spread(shares[from:from+ageBins], m.AgeFailures[from:from+ageBins], m.agePseudo())
	}
	return a, nil
}

// unit returns a column of C⁻¹, see [spread].
func unit(bin int, d []float64, q float64) []float64 {
	diagonal, x := walkPrecision(d, q), make([]float64, len(d))
	x[bin] = 1
	eliminate(diagonal, x, q)
	next := 0.0
	for a := len(x) - 1; a >= 0; a-- {
		x[a] = (x[a] + q*next) / diagonal[a]
		next = x[a]
	}
	return x
}

// Foresee returns the chance that a machine stays free through a window, as
// [Model.Survival], where the hazard is not known either: its factor has mean 1 and
// variance v, so that the product with the machine's frailty, of mean θ and the shape
// k + d, is taken as a gamma law of the same mean and variance:
//
//	p = (1 + θ ΔL/s)^(−s),   1/s = 1/(k + d) + v + v/(k + d),   θ = (k + d)/(k + L)
//
// averaged over the law of its group's frailty where it has one. It is Survival for
// v = 0, and grows with v: of a hazard that is hardly known, as one of ages beyond all
// that were seen in a short record, little can be said against a machine that stays.
func (m *Model) Foresee(x Machine, w Ahead) float64 {
	switch {
	case !(w.Expected >= 0) || !(w.Unsure >= 0):
		return math.NaN()
	case math.IsInf(w.Unsure, 1): // the limit
		return 1
	}
	return m.overGroup(x, func(phi float64) float64 { return m.foreseeAt(x, w, phi) })
}

// foreseeAt is Foresee where the group's frailty is phi.
func (m *Model) foreseeAt(x Machine, w Ahead, phi float64) float64 {
	shape := m.Shape + x.Failures
	s := 1 / (1/shape + w.Unsure + w.Unsure/shape)
	return math.Exp(-s * math.Log1p(shape/s*phi*w.Expected/(m.Shape+phi*x.Expected)))
}
