package main

import (
	"context"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

func checkCommand() *command {
	q := &sizing.CheckQuestion{}
	f := newSizeFlags(&q.SizeQuestion)
	var servers *units.Count
	value(f.set, "servers", &servers, "N", "servers that are there; beside --public the dedicated ones")
	return &command{
		name: "check", usage: "does this fleet meet the objectives? Exit code 0 met, 3 not met", flags: f.set,
		description: `Takes the flags of size, and --servers.

A gate for scripts, exit code 0:

  $ capplan check --servers 138 --load 120 --max-blocking 1%`,
		ask: func(ctx context.Context, s *streams, _ []string) (*result, error) {
			if servers == nil {
				return nil, &ask.InputError{Field: "servers", Reason: "no fleet given, want a number of servers such as --servers 138"}
			}
			q.Servers = int64(*servers)
			if err := f.read(ctx, s); err != nil {
				return nil, err
			}
			defer s.watched(q.Simulate)()
			a, err := sizing.Check(ctx, q)
			if err != nil {
				return nil, err
			}
			r := answered(a, report.Check(a))
			if r.exit = interruptedBy(ctx, a.Simulation); r.exit == nil && !a.Met {
				r.exit = errNotMet
			}
			return r, nil
		},
	}
}
