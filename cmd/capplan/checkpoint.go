package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

func checkpointCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	var mtbf, cost, restart, work, mttr *units.Duration
	var replicas *units.Count
	cmdline.Value(s, "mtbf", &mtbf, "TIME", "mean time between failures of the machine, such as 1d")
	cmdline.Value(s, "cost", &cost, "TIME", "to write a checkpoint, such as 5min")
	cmdline.Value(s, "restart", &restart, "TIME", "from a failure until work goes on (default 0s)")
	cmdline.Value(s, "work", &work, "TIME", "of the job without failures and checkpoints, such as 7d")
	cmdline.Value(s, "mttr", &mttr,
		"TIME", "to replace a failed replica from a live one, for the comparison with replicas (default: --restart)")
	cmdline.Value(s, "replicas", &replicas, "K", "most replicas to compare with (default 4)")
	return &cmdline.Command{
		Name: "checkpoint", Usage: "when to checkpoint, or is replication better?", Flags: s,
		Description: `A job that saves its state on a machine that fails; beside it, the same job on
replicas without checkpoints.

  $ capplan checkpoint --mtbf 1d --cost 5min --restart 10min --work 7d`,
		Ask: func(ctx context.Context, _ *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			q := &survival.CheckpointQuestion{
				MTBF:    cmdline.Float(mtbf),
				Cost:    cmdline.Float(cost),
				Restart: cmdline.Float(restart),
				Work:    cmdline.Float(work),
				MTTR:    cmdline.Float(mttr),
				Explain: s.Output.Explain,
			}
			if replicas != nil {
				if q.Replicas = int64(*replicas); q.Replicas == 0 {
					return nil, &ask.InputError{Field: "replicas",
						Reason: "is 0, want at least 1 replica to compare with"}
				}
			}
			a, err := survival.Checkpoint(ctx, q)
			if err != nil {
				return nil, err
			}
			return cmdline.Answered(a, report.Checkpoint(a)), nil
		},
	}
}
