package simulate

import (
	"cmp"
	"context"
	"maps"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/station"
)

// A Model is a system other than a station that stands for a closed form.
type Model struct {
	Model  string // in words
	System sim.Model
	// Horizon of each run, and how much of it is not counted, in the time of the
	// model, where the question says nothing of them.
	Horizon, WarmUp float64
	// Forget is about how long it takes to forget its start, and Events how many it has in a unit of time: runs of
	// too many events are shorter.
	Forget, Events float64
	// Unit is how many seconds the model's unit of time is; 0 is 1.
	Unit float64
	// Closed are the figures of the closed form by the names of the model, nil where
	// it has none, in seconds. Others are left out.
	Closed map[string]*float64
}

// OfModel simulates it. Errors as [Question.Of].
func (q *Question) OfModel(ctx context.Context, m Model) (*Simulation, error) {
	unit := cmp.Or(m.Unit, 1)
	o, err := q.options(unit)
	if err != nil {
		return nil, err
	}
	if q.Horizon == nil {
		if o.Horizon = m.Horizon; !(o.Horizon > 0 && o.Horizon < math.Inf(1)) {
			return nil, ask.Inputf("simulate", "rates and times differ too much to choose a simulated time, want a "+
				"horizon")
		}
		o.Span(m.Horizon, m.Forget, m.Events)
	}
	forget := 5 * m.Forget
	switch {
	case q.WarmUp != nil || o.WarmUp > 0: // as of runs that are shorter
	case m.WarmUp < o.Horizon/2:
		o.WarmUp = m.WarmUp
	case q.Horizon == nil:
		o.WarmUp = forget
	default:
		o.WarmUp = o.Horizon / 5
	}
	if !(o.WarmUp < o.Horizon) {
		return nil, ask.Inputf("warm_up", "is not shorter than the horizon: nothing would be counted")
	}
	got, err := sim.Run(ctx, m.System, o)
	if err != nil {
		return nil, refused(err)
	}
	a := answer(q, m.Model, got, unit)
	a.Horizon = o.Horizon * unit
	a.Unsettled = q.WarmUp == nil && q.Horizon == nil && o.WarmUp < min(forget, m.WarmUp)
	maps.DeleteFunc(m.Closed, func(_ string, v *float64) bool { return v == nil })
	a.compare(got, System{Closed: m.Closed}, unit)
	return a, nil
}

// Drawable refuses a law whose mean is no number, or whose SCV is so little that its inverse is none: nothing can
// be drawn from it. Errors: *ask.InputError.
func Drawable(field string, l station.Law, scv float64) error {
	if l == nil {
		return ask.Missing(field, "a law")
	}
	if m, _, _ := l.Moments(); !(m > 0 && m <= math.MaxFloat64) || scv > 0 && scv < 1e-300 {
		return ask.Inputf(field, "an SCV of %g leaves the range of numbers, want 0, or about 1e-300 to 1e300", scv)
	}
	return nil
}
