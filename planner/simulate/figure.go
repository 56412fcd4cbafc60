package simulate

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
)

// A Figure is one by simulation. What is not known is null.
type Figure struct {
	Mean *float64 `json:"mean"`
	Low  *float64 `json:"low"` // of the 95 % interval
	High *float64 `json:"high"`
	// ClosedForm is the figure by the model that is checked; Agrees says whether it lies within the
	// interval, widened for the number of figures.
	ClosedForm *float64 `json:"closed_form"`
	Agrees     *bool    `json:"agrees"`
	// Difference is closed form over mean, less 1.
	Difference *float64 `json:"difference"`
}

// widened is by how much a closed form may lie outside the 95 % interval. An
// answer compares many figures, and by 95 % intervals one in twenty would differ
// by chance alone.
const widened = 1.75

// judge compares the figure of a name with a closed form. Rounding alone is no disagreement, nor is one
// customer more or less in a run, which changes the figure by one.
//
// Runs that met few of a rare event differ little too, since the variance of a count is in proportion to its
// mean: the interval is widened to what it would be if the closed form held.
func (f *Figure) judge(name string, closed, one float64) {
	mean := *f.Mean
	if mean != 0 {
		f.Difference = ask.Figure(closed/mean - 1)
	}
	if f.Low == nil && f.High == nil {
		return // one replay has no interval to lie in
	}
	off := closed - mean
	agrees := math.Abs(off) <= 1e-9*math.Abs(closed)+one
	switch {
	case off < 0:
		rare := 1.0
		if _, most := possible(name); most == 1 && mean < 1 {
			rare = math.Sqrt((1 - closed) / (1 - mean))
		}
		agrees = agrees || f.Low == nil || -off <= widened*rare*(mean-*f.Low)
	case off > 0:
		rare := 1.0
		if mean > 0 {
			rare = math.Sqrt(closed / mean)
		}
		agrees = agrees || f.High == nil || off <= widened*rare*(*f.High-mean)
	}
	f.Agrees = &agrees
}
