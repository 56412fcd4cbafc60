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

// judge compares with a closed form. Rounding alone is no disagreement.
func (f *Figure) judge(closed float64) {
	if *f.Mean != 0 {
		f.Difference = ask.Figure(closed / *f.Mean - 1)
	}
	if f.Low == nil && f.High == nil {
		return // one replay has no interval to lie in
	}
	off := closed - *f.Mean
	agrees := math.Abs(off) <= 1e-9*math.Abs(closed)
	switch {
	case off < 0:
		agrees = agrees || f.Low == nil || -off <= widened*(*f.Mean-*f.Low)
	case off > 0:
		agrees = agrees || f.High == nil || off <= widened*(*f.High-*f.Mean)
	}
	f.Agrees = &agrees
}
