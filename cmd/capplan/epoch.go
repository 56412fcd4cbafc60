package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// epochFlags are the flags of epoch. The first four are the question as it stands; the rest belong
// to the joint design, in which replicas and their laws give the failure rate.
type epochFlags struct {
	// migrations begin in an epoch, each of which takes migrationTime seconds.
	migrations    *units.Number
	migrationTime *units.Duration
	// failureRate is how often jobs lose all replicas, per s.
	failureRate *units.Rate
	model       survival.EpochModel
	// chain asks for the joint design, of which all below are: times in s, a target in (0, 1) or
	// replicas in its place, and jobs on public machines at a time.
	chain      bool
	mttf, mttr *units.Duration
	target     *units.Fraction
	replicas   *units.Count
	jobs       *units.Number
	link       linkFlags
}

// epochCommand finds the time between two rounds of scheduling, alone or with the replicas and the
// link that it depends on.
func epochCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	f := &epochFlags{}
	cmdline.Value(s, "migrations", &f.migrations, "X", "migrations begun in an epoch")
	cmdline.Value(s, "migration-time", &f.migrationTime, "TIME", "of a migration or a respawn, such as 100s")
	cmdline.Value(s, "failure-rate", &f.failureRate, "RATE", "at which jobs lose all their replicas, such as 1/200s")
	// PCU lets recoveries queue, which has no stable epoch under a high failure rate; parallel has
	// one always.
	cmdline.OneOf(s, "model", &f.model,
		"`MODEL` of recoveries and migrations that overlap: mm1 (they queue, as PCU has it) or parallel (default mm1)",
		nil, "mm1", "parallel")
	s.Toggle("from-replicas",
		&f.chain, "the joint design: replicas, the rate at which all fail, the epoch, the load of the link")
	cmdline.Value(s, "mttf", &f.mttf, "TIME", "mean time to failure of a public resource (from-replicas)")
	cmdline.Value(s, "mttr", &f.mttr, "TIME", "mean time to repair (from-replicas)")
	cmdline.Value(s, "target", &f.target, "P", "chance that a job has a replica alive, such as 95% (from-replicas)")
	cmdline.Value(s, "replicas", &f.replicas, "K", "replicas of a job, in place of --target (from-replicas)")
	cmdline.Value(s, "public-jobs", &f.jobs, "N", "jobs on public resources at a time (from-replicas)")
	f.link.flags(s)
	return &cmdline.Command{
		Name: "epoch", Usage: "how often to reschedule?", Flags: s,
		Description: `A short epoch migrates often, a long one notices failures late. The best is given
with the interval of stable ones.

  $ capplan epoch --migrations 1 --migration-time 100s --failure-rate 1/200s

Recoveries and migrations that do not wait for one another:

  $ capplan epoch --migrations 100 --migration-time 100s --failure-rate 1/200s --model parallel

The whole chain, from replicas to the link:

  $ capplan epoch --from-replicas --mttf 2h --mttr 10min --target 99.9% --public-jobs 50 --migrations 1 --migration-time 30s --uplink 100Mbps --downlink 100Mbps --footprint 1MB --dedicated 100 --rate 1/s`,
		Ask: func(ctx context.Context, _ *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			// What a question cannot do without is checked by survival.Epoch, whose errors name the
			// fields.
			q, err := f.question()
			if err != nil {
				return nil, err
			}
			q.Explain = s.Output.Explain
			return cmdline.Ask(ctx, q, survival.Epoch, report.Epoch)
		},
	}
}

// question makes a question of the flags. Those of the joint design are refused without
// --from-replicas: they would change nothing, in silence.
func (f *epochFlags) question() (*survival.EpochQuestion, error) {
	q := &survival.EpochQuestion{
		Migrations:    cmdline.Float(f.migrations),
		MigrationTime: cmdline.Float(f.migrationTime),
		FailureRate:   cmdline.Float(f.failureRate),
		Model:         f.model,
	}
	if !f.chain {
		if f.mttf != nil || f.mttr != nil || f.target != nil || f.replicas != nil || f.jobs != nil || f.link.given() {
			return nil, &ask.InputError{Field: "from-replicas",
				Reason: "--mttf, --mttr, --target, --replicas, --public-jobs and the flags of the link belong to the joint design: add --from-replicas"}
		}
		return q, nil
	}
	q.Chain = &survival.EpochChain{
		MTTF:       cmdline.Float(f.mttf),
		MTTR:       cmdline.Float(f.mttr),
		Target:     cmdline.Float(f.target),
		Replicas:   cmdline.Whole(f.replicas),
		PublicJobs: cmdline.Float(f.jobs),
	}
	// The link is carried along only where one of its flags is given: without, the design ends with
	// the epoch.
	if f.link.given() {
		q.Chain.Link = f.link.question()
	}
	return q, nil
}
