package planner

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/foreseen"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

// available answers the part availability.
func (p *premises) available(ctx context.Context) (*foreseen.Machines, error) {
	v := p.Availability
	if v == nil {
		return nil, nil
	}
	label, err := v.Labelling()
	if err != nil {
		return nil, ask.In("availability", err)
	}
	start, _ := units.ParseTimeOfDay(v.Start) // checked before
	seen, err := foreseen.See(ctx, &foreseen.Question{
		Hosts:     v.Hosts,
		Labelling: label,
		Window: machines.DayWindow{
			Day:    v.Day,
			Start:  float64(start),
			Window: float64(v.Window),
			Days:   int(min(v.Days, 1_000_000)),
		},
		Task:    ask.Number(v.Task),
		Seed:    p.seed,
		Explain: p.Explain,
	})
	p.warn(seen.Warnings()...)
	return seen, err
}

// predict finds, for a type that asks for it, the mean chance of its machines to be free throughout
// the window; nil for any other. There are no more of them than are predicted.
func (p *premises) predict(t *scenario.MachineType, i int, seen *foreseen.Machines) (*foreseen.Prediction, error) {
	if t.Predicted == "" {
		return nil, nil
	}
	one, err := seen.Of(t.Predicted, fmt.Sprintf("machines[%d].predicted", i))
	if err != nil {
		return nil, err
	}
	if one.Never > 0 {
		p.warn(fmt.Sprintf(
			"%s: %d of %d machines are never free at the beginning of the window and count with chance 0", t.Name,
			one.Never, one.Machines,
		))
	}
	if t.Limit == nil {
		t.Limit = new(units.Count(one.Machines))
	}
	return one, nil
}
