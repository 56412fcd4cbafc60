package availability

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// A CurveInput is what is predicted of a machine of a fleet, for commands of other
// subjects.
type CurveInput struct {
	// A file of a fleet, and the machine whose curve is wanted, which the fleet need not know.
	fleet, host string
	day         dayInput
	// elapsed is the time in s for which the machine has been free; nil: not known.
	elapsed *units.Duration
}

// Flags binds the flags. A command that takes a mean time between failures may take these in its
// place.
func (in *CurveInput) Flags(s *cmdline.FlagSet) {
	s.Text("fleet", &in.fleet, "FILE",
		"fleet written by availability fit --model frailty; predicts one of its machines, instead of using a mean "+
			"time")
	s.Text("host", &in.host, "NAME", "name of the machine; the fleet need not know it")
	cmdline.OneOf(s, "day", &in.day.day, "`KIND` of day: weekday or weekend", nil, "weekday", "weekend")
	s.Text("start", &in.day.start, "HH:MM", "time of day at which the job begins")
	cmdline.Value(s, "window", &in.day.window, "TIME", "time for which the machine is predicted, such as 8h")
	cmdline.Value(s, "elapsed", &in.elapsed, "TIME", "time that the machine has already been free at that moment "+
		"(default: not known)")
	for _, name := range []string{"host", "day", "start", "window", "elapsed"} {
		s.Needs(name, "fleet")
	}
}

// Read predicts the machine; nil without a fleet. The strings are warnings. Errors: *ask.InputError
// of a flag that is missing; *source.FileError of the fleet.
func (in *CurveInput) Read(ctx context.Context, st *cmdline.Streams) (*survival.PredictedCurve, []string, error) {
	if in.fleet == "" {
		return nil, nil, nil
	}
	if in.host == "" {
		return nil, nil, ask.Missing("host", "the name of a machine")
	}
	// The flags of the other command have no number of days: a fleet that was kept has learned from all
	// of its record.
	q := &forecast.Question{Host: in.host, Elapsed: ask.Number(in.elapsed)}
	var err error
	if q.DayWindow, err = in.day.fleetWindow(); err != nil {
		return nil, nil, err
	}
	if q.Fleet, err = ReadFleet(ctx, st, in.fleet); err != nil {
		return nil, nil, err
	}
	a, err := forecast.Ask(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	// The curve is the chance to stay free up to each step, from 1 on downwards.
	return &survival.PredictedCurve{Step: a.Step, Chance: a.Curve(), Machine: a.Host}, a.Warnings, nil
}
