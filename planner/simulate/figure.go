package simulate

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

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

// beyond is the chance that a figure differs from a closed form that holds. An answer compares many figures, and by
// 95 % intervals one in twenty would differ by chance alone.
const beyond = 6e-4

// widened is how many times as wide as the 95 % interval of some runs that is of which a figure lies outside with
// the chance beyond: 1.75 for many runs, 2.3 for ten and 9.5 for three, whose spread tells little.
func widened(runs int) float64 {
	t := distuv.StudentsT{Sigma: 1, Nu: float64(max(1, runs-1))}
	return t.Quantile(1-beyond/2) / t.Quantile(0.975)
}

// judge compares the figure of a name, of some runs, with a closed form. Rounding alone is no disagreement, nor is one
// customer more or less in a run, which changes the figure by one.
//
// Runs that met few of a rare event differ little too, since the variance of a count is in proportion to its
// mean: the interval is widened to what it would be if the closed form held.
func (f *Figure) judge(name string, runs int, closed, one float64) {
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
		agrees = agrees || f.Low == nil || -off <= widened(runs)*rare*(mean-*f.Low)
	case off > 0:
		rare := 1.0
		if mean > 0 {
			rare = math.Sqrt(closed / mean)
		}
		agrees = agrees || f.High == nil || off <= widened(runs)*rare*(*f.High-mean)
	}
	f.Agrees = &agrees
}
