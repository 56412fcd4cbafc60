package shifts

import (
	"context"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// Plots returns the people present against those needed. Both are steps, since
// people are counted by slot.
func (a *Answer) Plots(context.Context) ([]ask.Plot, error) {
	if len(a.Slots) == 0 {
		return nil, ask.NotDrawn("the answer has no slots")
	}
	present, needed := ask.Curve{Name: "present", Style: ask.Held}, ask.Curve{Name: "needed", Style: ask.Held}
	for _, s := range a.Slots {
		present.Add(s.Start/3600, float64(s.Present))
		needed.Add(s.Start/3600, float64(s.Needed))
	}
	time := ask.Axis{Name: "time of day", Clock: true}
	if a.PeriodSeconds > 2*day {
		time.Name = "time"
	}
	return []ask.Plot{{
		Title:    units.FormatNumber(a.PaidHours, 6) + " paid hours cover the need",
		Subtitle: "people present and people needed, with shrinkage",
		X:        time,
		Y:        ask.Axis{Name: "people", Min: new(float64)},
		Curves:   []ask.Curve{present, needed},
	}}, nil
}
