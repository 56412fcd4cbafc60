package main

import (
	"cmp"
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/shifts"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// shiftsCommand first sizes the need over the day, as size does, and then covers it by shifts.
func shiftsCommand() *cmdline.Command {
	// The load, the objectives and the pool are asked as by size, so that a question can be moved
	// from there by its command alone.
	q := &sizing.SizeQuestion{}
	f := newSizeFlags(q)
	var shrinkage, gap *units.Fraction
	var slot *units.Duration
	cmdline.Value(f.set, "shrinkage", &shrinkage,
		"P", "share of the people present who are not at work, for leave, training or illness (default: from the "+
			"file, else 0)")
	cmdline.Value(f.set, "slot", &slot, "TIME", "length of the slots in which people are counted (default: from the "+
		"file, else 15min)")
	cmdline.Value(f.set, "gap", &gap, "P", "relative gap to the proven bound at which the search may end (default 1%)")
	return &cmdline.Command{
		Name: "shifts", Usage: "which shifts cover the load curve for the least paid hours?", Args: "SHIFTS.yaml",
		MaxArgs: 1, Flags: f.set,
		NoArgs: "no kinds of shift given, want SHIFTS.yaml, a file with " + shifts.Form,
		Description: `Takes the flags of size with --load-curve, and a file with the types of shift: when they
may begin, how long they last and when their breaks are (- is stdin). The answer is how
many people begin each shift, with a proven bound on how far its cost is from the least.

  $ capplan shifts testdata/shifts.yaml --load-curve testdata/day.csv --service-time 4min --max-wait 20s --percentile 80%

With a third of the people on leave, in training or ill, and with a plot:

  $ capplan shifts testdata/shifts.yaml --load-curve testdata/day.csv --service-time 4min --max-wait 20s --shrinkage 33% --plot staff.svg`,
		Ask: func(ctx context.Context, s *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if err := f.read(ctx, s); err != nil {
				return nil, err
			}
			// A load that does not change over the day needs the same people at all times, and no
			// shifts.
			if q.Curve == nil {
				return nil, &ask.InputError{Field: "load-curve",
					Reason: "shifts cover a load that changes over the day: want --load-curve FILE.csv"}
			}
			if q.Simulate != nil {
				return nil, ask.Inputf("simulate", "a roster is not simulated: simulate its need with size")
			}
			// The file is read after the flags and the curve, and each fault is reported with the
			// name of its place.
			file, err := cmdline.Read(ctx, s, args[0], shifts.Form, shifts.Read)
			if err != nil {
				return nil, err
			}
			// A flag goes before the file, so that one file of shifts serves several questions.
			file.Shrinkage, file.Slot = cmp.Or(shrinkage, file.Shrinkage), cmp.Or(slot, file.Slot)
			// The need of each slot is that of size, with all of its objectives.
			size, err := sizing.Size(ctx, q)
			if err != nil {
				return nil, err
			}
			asked, err := file.Question(size.Staffing)
			if err != nil {
				return nil, err
			}
			// Rostering is an integer program: a gap of 0 may take very long.
			asked.Gap = ask.Or(gap, asked.Gap)
			a, err := shifts.Plan(ctx, asked)
			if err != nil {
				return nil, err
			}
			// What is said of the need holds for the roster too.
			a.Warnings = append(a.Warnings, size.Warnings...)
			return cmdline.Answered(a, report.Shifts(a)), nil
		},
	}
}
