package main

import (
	"context"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/report"
)

func labelCommand() *command {
	s := newFlags(true)
	in := &hostInput{}
	var date string
	var perSample bool
	toggle(s, "per-sample", &perSample, "with --format csv: a row for each step, not for each stay")
	s.needs("per-sample", "format=csv")
	text(s, "date", &date, "DATE", "of the day that --plot draws (default: the day with most changes of state)")
	s.needs("date", "plot")
	in.flags(s)
	return &command{
		name: "label", usage: "the states of a machine", args: "TRACE", maxArgs: 1, flags: s,
		description: `Turns the samples of a trace into the five states. --plot draws a day.

  $ capplan availability label testdata/host-small.csv --working-set 256MB
  $ capplan availability label testdata/host-small.csv --format csv`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, errNoTrace()
			}
			q := &machines.LabelQuestion{Explain: s.output.explain}
			var err error
			if q.Labelling, err = in.labelling(ctx); err != nil {
				return nil, err
			}
			if err := in.read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Host = &in.hosts[0]
			a, err := machines.Label(q)
			if err != nil {
				return nil, err
			}
			if date != "" {
				if _, err := a.Ribbon(date); err != nil {
					return nil, err
				}
			}
			return answered(a, report.Label(ctx, a, date, perSample), in.warnings...), nil
		},
	}
}
