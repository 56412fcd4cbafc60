package main

import (
	"context"

	"github.com/capplan/capplan/cmd/capplan/internal/availability"
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// checkpointCommand finds the interval between checkpoints that makes a job shortest, and compares
// with replicas.
func checkpointCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	q := &survival.CheckpointQuestion{}
	var curve availability.CurveInput
	cmdline.Number[units.Duration](s, "mtbf", &q.MTBF, "TIME", "mean time between failures of the machine, such as 1d")
	cmdline.Number[units.Duration](s, "cost", &q.Cost, "TIME", "time to write a checkpoint, such as 5min")
	cmdline.Number[units.Duration](s, "restart", &q.Restart, "TIME", "time from a failure until the work goes on "+
		"(default 0s)")
	cmdline.Number[units.Duration](s, "work", &q.Work, "TIME", "length of the job without failures and checkpoints, "+
		"such as 7d")
	cmdline.Number[units.Duration](s, "mttr", &q.MTTR,
		"TIME", "time to replace a failed replica by copying a live one, for the comparison with replicas (default: "+
			"the time of --restart)")
	cmdline.Into[units.Count](s, "replicas", &q.Replicas, "K", "largest number of replicas to compare with (default "+
		"4)",
		cmdline.Above0("at least 1 replica to compare with"))
	// A machine of a fitted fleet may stand in for --mtbf: its hazard depends on the hour,
	// and the interval with it.
	curve.Flags(s)
	return &cmdline.Command{
		Name: "checkpoint", Usage: "when to checkpoint, or is replication better?", Flags: s,
		Description: `Answers how often a job should save its state on a machine that fails, and shows the same
job on replicas without checkpoints beside it.

  $ capplan checkpoint --mtbf 1d --cost 5min --restart 10min --work 7d

On a machine of a fitted fleet, as predicted from nine o'clock on:

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out fitted-hosts.json
  $ capplan checkpoint --fleet fitted-hosts.json --host mixed --day weekday --start 09:00 --window 8h --cost 2min --work 1d`,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			// Values that are not given stay nil: the question says which of them it cannot do
			// without, in words that embedders see too.
			q.Explain = s.Output.Explain
			// The prediction may have its own warnings, such as few days to learn from; they are
			// shown with the answer.
			var warnings []string
			var err error
			if q.Curve, warnings, err = curve.Read(ctx, st); err != nil {
				return nil, err
			}
			return cmdline.Ask(ctx, q, survival.Checkpoint, report.Checkpoint, warnings...)
		},
	}
}
