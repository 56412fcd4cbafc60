package main

import (
	"context"

	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

func simulateHostsCommand() *command {
	s := newFlags(true)
	var machines hostsInput
	var run simulationFlags
	var horizon *units.Duration
	machines.flags(s)
	value(s, "horizon", &horizon, "TIME", "that is simulated (default 10d)")
	run.flags(s, "10")
	return &command{
		name: "hosts", usage: "how many of these machines are there, over time?", flags: s,
		description: `Machines come and go by renewal processes, or as recorded; how many are there is
counted, and set beside what SpeQuloS table 2 says of its traces.

  $ capplan simulate hosts --hosts g5klyo --horizon 2d
  $ capplan simulate hosts --hosts g5klyo --groups 1 --group-up 1d --group-down 8h --horizon 2d`,
		ask: func(ctx context.Context, st *streams, _ []string) (*result, error) {
			q := &bags.HostsQuestion{Horizon: float(horizon), Seed: run.seeded()}
			var err error
			if q.Hosts, err = machines.read(ctx, st); err != nil {
				return nil, err
			}
			if q.Replications, err = run.runs(); err != nil {
				return nil, err
			}
			var done func()
			q.Progress, done = st.runs()
			a, err := bags.Hosts(ctx, q)
			done()
			if err != nil {
				return nil, err
			}
			a.Warnings = append(machines.warnings, a.Warnings...)
			r := answered(a, report.Hosts(a))
			r.stoppable = true
			return r, nil
		},
	}
}
