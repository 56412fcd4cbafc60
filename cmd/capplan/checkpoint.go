package main

import (
	"context"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

func checkpointCommand() *command {
	s := newFlags(true)
	var mtbf, cost, restart, work, mttr *units.Duration
	var replicas *units.Count
	value(s, "mtbf", &mtbf, "TIME", "mean time between failures of the machine, such as 1d")
	value(s, "cost", &cost, "TIME", "to write a checkpoint, such as 5min")
	value(s, "restart", &restart, "TIME", "from a failure until work goes on (default 0s)")
	value(s, "work", &work, "TIME", "of the job without failures and checkpoints, such as 7d")
	value(s, "mttr", &mttr, "TIME", "to replace a failed replica from a live one, for the comparison with replicas (default: --restart)")
	value(s, "replicas", &replicas, "K", "most replicas to compare with (default 4)")
	return &command{
		name: "checkpoint", usage: "when to checkpoint, or is replication better?", flags: s,
		description: `A job that saves its state on a machine that fails; beside it, the same job on
replicas without checkpoints.

  $ capplan checkpoint --mtbf 1d --cost 5min --restart 10min --work 7d`,
		ask: func(ctx context.Context, _ *streams, _ []string) (*result, error) {
			q := &survival.CheckpointQuestion{MTBF: float(mtbf), Cost: float(cost), Restart: float(restart), Work: float(work), MTTR: float(mttr), Explain: s.output.explain}
			if replicas != nil {
				if q.Replicas = int64(*replicas); q.Replicas == 0 {
					return nil, &ask.InputError{Field: "replicas", Reason: "is 0, want at least 1 replica to compare with"}
				}
			}
			a, err := survival.Checkpoint(ctx, q)
			if err != nil {
				return nil, err
			}
			return answered(a, report.Checkpoint(a)), nil
		},
	}
}
