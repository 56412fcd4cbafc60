package approximations

import (
	"math"
	"slices"

	"github.com/capplan/capplan/queueing"
)

// A Case is one system: what an approximation says of it, and what is true.
type Case struct {
	Name      string  `json:"name"`
	Estimate  float64 `json:"estimate"`
	Reference float64 `json:"reference"`
	Half      float64 `json:"half"` // of the 95 % interval of the reference; 0: exact
}

// error is the relative error; ok is false where the reference is too unsure, or
// too small, to tell.
func (c *Case) error() (e float64, ok bool) {
	const surest = 0.1 // half an interval's width over the reference
	if !(c.Reference > 0) || !(c.Half <= surest*c.Reference) || math.IsNaN(c.Estimate) || math.IsInf(c.Estimate, 0) {
		return 0, false
	}
	return c.Estimate/c.Reference - 1, true
}

// A Measure is what was found of one figure by one approximation.
type Measure struct {
	// Key names the range in queueing/internal/measured/measured.go.
	Key    string `json:"key"`
	Method string `json:"method"`
	Figure string `json:"figure"`
	Regime string `json:"regime"`
	Source string `json:"source"` // of the references
	// Default says that a question that names no method takes this one.
	Default bool `json:"default"`
	Cases   int  `json:"cases"` // that tell something
	// Low and High are the least and the greatest error, estimate over truth less
	// 1; nine of ten are within ± Most, half within ± Median.
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Most   float64 `json:"nine_of_ten"`
	Median float64 `json:"median"`
	// Worst is the case of the greatest error in either direction.
	Worst Case `json:"worst"`

	quoted bool     // by a model
	groups [][]Case // a range is the worst of those of the groups
	also   []Case   // a group beside that of the simulations of the key
}

// judge computes the errors of the cases, rounded outwards to whole per cents.
// Rounding outwards keeps the range true whatever digits are shown.
func (m *Measure) judge() {
	var all []float64
	greatest := -1.0
	for _, group := range m.groups {
		var errors []float64
		for i := range group {
			e, ok := group[i].error()
			if !ok {
				continue
			}
			errors = append(errors, e)
			if math.Abs(e) > greatest {
				greatest, m.Worst = math.Abs(e), group[i]
			}
		}
		if len(errors) == 0 {
			continue
		}
		r := outwards(errors)
		if m.Cases == 0 {
			m.Low, m.High = r.Low, r.High
		}
		m.Low, m.High, m.Most = min(m.Low, r.Low), max(m.High, r.High), max(m.Most, r.Most)
		m.Cases += len(errors)
		all = append(all, errors...)
	}
	// The median is over all groups together; it is shown and not quoted.
	m.Median = sizeAt(all, 0.5)
}

// outwards returns least, greatest and what nine of ten keep, in whole per cents.
func outwards(errors []float64) queueing.ErrorRange {
	up := func(x float64) float64 { return math.Ceil(100*x) / 100 }
	return queueing.ErrorRange{
		Low:  -up(-slices.Min(errors)) + 0, // no −0
		High: up(slices.Max(errors)) + 0,
		Most: up(sizeAt(errors, 0.9)),
	}
}

// sizeAt is the error that a share of them does not pass in size. The least of
// them is sorted in: it is the value of a case and no interpolation.
func sizeAt(errors []float64, share float64) float64 {
	if len(errors) == 0 {
		return 0
	}
	size := make([]float64, len(errors))
	for i, e := range errors {
		size[i] = math.Abs(e)
	}
	slices.Sort(size)
	return size[int(math.Ceil(share*float64(len(size))))-1]
}
