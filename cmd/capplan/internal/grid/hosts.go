package grid

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// Hosts simulates how many machines are there. The answer is a mean and a spread over runs of how
// many machines are up.
func Hosts() *cmdline.Command {
	s := cmdline.NewFlags(true)
	var machines hostsInput
	q := &bags.HostsQuestion{}
	machines.flags(s)
	// 10 days show a week with its weekend.
	cmdline.Number[units.Duration](s, "horizon", &q.Horizon, "TIME", "time that is simulated (default 10d, less of "+
		"very many machines)")
	counted(s, &q.Seed, &q.Replications, "30")
	s.Sharded()
	return &cmdline.Command{
		Name: "hosts", Usage: "how many of these machines are there, over time?", Flags: s,
		Description: `Machines come and go by renewal processes, as recorded in a trace, or as predicted from a
fitted fleet (--fleet). The answer is how many are there over time, beside what SpeQuloS
table 2 says of its traces.

  $ capplan simulate hosts --hosts g5klyo --horizon 2d
  $ capplan simulate hosts --hosts g5klyo --groups 1 --group-up 1d --group-down 8h --horizon 2d`,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			var err error
			if q.Hosts, err = machines.read(ctx, st); err != nil {
				return nil, err
			}
			if err := machines.Counted(); err != nil {
				return nil, err
			}
			a, err := cmdline.Counting(ctx, st, "runs", &q.Progress, q, bags.Hosts)
			if err != nil {
				return nil, err
			}
			a.Warnings = append(machines.warnings, a.Warnings...)
			r := cmdline.Answered(a, report.Hosts(a))
			// The runs that are finished when a signal comes are an answer.
			r.Stoppable = true
			return r, nil
		},
	}
}
