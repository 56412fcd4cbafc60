package simulate

import (
	"cmp"
	"context"
	"maps"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
)

// A Model is a system other than a station that stands for a closed form.
type Model struct {
	Model  string // in words
	System sim.Model
	// Horizon of each run, and how much of it is not counted, in the time of the
	// model, where the question says nothing of them.
	Horizon, WarmUp float64
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
	}
	if q.WarmUp == nil {
		if o.WarmUp = m.WarmUp; o.WarmUp >= o.Horizon/2 {
			o.WarmUp = o.Horizon / 5
		}
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
	maps.DeleteFunc(m.Closed, func(_ string, v *float64) bool { return v == nil })
	a.compare(got, System{Closed: m.Closed}, unit)
	return a, nil
}
