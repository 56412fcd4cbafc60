package sizing

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
)

// A LoadAnswer says what comes in. A figure that the load does not hold is
// null; of a range it is the most likely value.
type LoadAnswer struct {
	OfferedLoad *float64 `json:"offered_load_erl"` // of a curve at its peak
	// Rate is that of arrivals, of a curve the greatest.
	Rate        *float64 `json:"arrival_rate_per_s"`
	ServiceTime *float64 `json:"service_time_s"`
	MeanRate    *float64 `json:"mean_rate_per_s"` // over a curve
	// LoadLow and LoadHigh are the ends of the offered load.
	LoadLow   *float64 `json:"offered_load_low_erl"`
	LoadHigh  *float64 `json:"offered_load_high_erl"` // both null without a range
	Uncertain bool     `json:"uncertain"`
}

// Load restates the load in figures; nil where there is none. A rate without a
// service time is a stream to be routed and no load in erlangs.
func (t *Traffic) Load() (*LoadAnswer, error) {
	if t.OfferedLoad == nil && t.Rate == nil && t.Curve == nil && t.Log == nil {
		return nil, nil
	}
	a := &LoadAnswer{Uncertain: t.Uncertain()}
	if t.ServiceTime != nil {
		a.ServiceTime = ask.Figure(float64(t.ServiceTime.Nominal()))
	}
	switch {
	case t.Curve != nil:
		a.Rate, a.MeanRate = ask.Figure(t.Curve.Peak()), ask.Figure(t.Curve.Mean())
		if t.ServiceTime != nil {
			a.OfferedLoad = ask.Figure(t.Curve.Peak() * float64(t.ServiceTime.Nominal()))
		}
	case t.Log != nil:
		a.Rate, a.ServiceTime, a.OfferedLoad =
			ask.Figure(t.Log.ArrivalRate), ask.Figure(t.Log.ServiceMean), ask.Figure(t.Log.OfferedLoad)
	case t.Loaded():
		if err := t.Complete(); err != nil {
			return nil, err
		}
		s := t.Nominal()
		a.OfferedLoad = ask.Figure(s.Offered())
		if s.Clock {
			a.Rate, a.ServiceTime = ask.Figure(s.Rate), ask.Figure(s.Service)
		}
		if a.Uncertain {
			low, high := t.Quantile(0, 0, 0), t.Quantile(1, 1, 1)
			if t.OfferedLoad != nil { // whatever the service time is
				a.LoadLow, a.LoadHigh = ask.Figure(float64(t.OfferedLoad.Low)), ask.Figure(float64(t.OfferedLoad.High))
			} else {
				a.LoadLow, a.LoadHigh = ask.Figure(math.Min(low.Offered(), high.Offered())), ask.Figure(high.Offered())
			}
		}
	default:
		a.Rate = ask.Figure(float64(t.Rate.Nominal()))
	}
	return a, nil
}

// Loaded reports whether there is a load that can be sized. A rate without a
// service time is routed and not sized.
func (t *Traffic) Loaded() bool {
	return t.Log != nil || t.OfferedLoad != nil || (t.Rate != nil || t.Curve != nil) && t.ServiceTime != nil
}
