package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// epochCommand finds the time between two rounds of scheduling, alone or with the replicas and the
// link that it depends on.
func epochCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	// The chain is the joint design, in which replicas and their laws give the failure rate.
	q, chain := &survival.EpochQuestion{}, &survival.EpochChain{}
	var joint bool
	var link linkFlags
	cmdline.Number[units.Number](s, "migrations", &q.Migrations, "X", "migrations begun in an epoch")
	cmdline.Number[units.Duration](s, "migration-time",
		&q.MigrationTime, "TIME", "duration of a migration or a respawn, such as 100s")
	cmdline.Number[units.Rate](s, "failure-rate",
		&q.FailureRate, "RATE", "rate at which jobs lose all their replicas, such as 1/200s")
	// PCU lets recoveries queue, which has no stable epoch under a high failure rate; parallel has
	// one always.
	cmdline.OneOf(s, "model", &q.Model,
		"`MODEL` of recoveries and migrations that overlap: mm1 (they queue, as in PCU) or parallel (default mm1)",
		nil, "mm1", "parallel")
	s.Toggle("from-replicas",
		&joint, "design all together: replicas, the rate at which all of them fail, the epoch, and the load of the "+
			"link")
	cmdline.Number[units.Duration](s, "mttf",
		&chain.MTTF, "TIME", "mean time to failure of a public resource, with --from-replicas")
	cmdline.Number[units.Duration](s, "mttr", &chain.MTTR, "TIME", "mean time to repair, with --from-replicas")
	cmdline.Number[units.Fraction](s, "target",
		&chain.Target, "P", "chance that a job has a live replica, such as 95%, with --from-replicas")
	cmdline.Number[units.Count](s, "replicas",
		&chain.Replicas, "K", "replicas of a job, instead of --target, with --from-replicas")
	cmdline.Number[units.Number](s, "public-jobs",
		&chain.PublicJobs, "N", "jobs on public resources at one time, with --from-replicas")
	link.flags(s)
	return &cmdline.Command{
		Name: "epoch", Usage: "how often to reschedule?", Flags: s,
		Description: `A short epoch migrates jobs often, a long one notices failures late. The answer is the
best epoch, with the interval of stable ones.

  $ capplan epoch --migrations 1 --migration-time 100s --failure-rate 1/200s

With recoveries and migrations that overlap:

  $ capplan epoch --migrations 100 --migration-time 100s --failure-rate 1/200s --model parallel

The whole chain, from replicas to the link:

  $ capplan epoch --from-replicas --mttf 2h --mttr 10min --target 99.9% --public-jobs 50 --migrations 1 --migration-time 30s --uplink 100Mbps --downlink 100Mbps --footprint 1MB --dedicated 100 --rate 1/s`,
		Ask: func(ctx context.Context, _ *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			// The link is carried along only where one of its flags is given: without, the design ends
			// with the epoch.
			if link.given() {
				chain.Link = link.asked()
			}
			if joint {
				q.Chain = chain
			} else if *chain != (survival.EpochChain{}) {
				return nil, &ask.InputError{Field: "from-replicas",
					Reason: "--mttf, --mttr, --target, --replicas, --public-jobs and the flags of the link belong to " +
						"the joint design: add --from-replicas"}
			}
			// What a question cannot do without is checked by survival.Epoch, whose errors name the
			// fields.
			q.Explain = s.Output.Explain
			return cmdline.Ask(ctx, q, survival.Epoch, report.Epoch)
		},
	}
}
