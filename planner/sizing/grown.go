package sizing

import (
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// Grown returns the traffic with its growth put in, itself where there is none.
func (t *Traffic) Grown() (Traffic, error) {
	out := *t
	if t.Growth == nil {
		return out, nil
	}
	factor, err := t.Growth.Factor()
	if err != nil {
		return out, err
	}
	if t.Log != nil {
		return out, ask.Inputf("growth",
			"a log is the load that was, job by job: give its rate or load to let that grow")
	}
	if t.Curve != nil {
		more := *t.Curve
		more.Rate = make([]float64, len(t.Curve.Rate))
		for i, r := range t.Curve.Rate {
			more.Rate[i] = r * factor
		}
		out.Curve = &more
	}
	out.OfferedLoad, out.Rate = times(t.OfferedLoad, factor), times(t.Rate, factor)
	out.Growth = nil
	if factor != 1 {
		out.Notes = append(slices.Clone(t.Notes), t.Growth.Note(factor))
	}
	return out, nil
}

// times is a range with all its points times a factor.
func times[T units.Quantity](r *units.Range[T], factor float64) *units.Range[T] {
	if r == nil {
		return nil
	}
	out := *r
	out.Low, out.Mode, out.High = T(float64(r.Low)*factor), T(float64(r.Mode)*factor), T(float64(r.High)*factor)
	return &out
}
