package main

import (
	"context"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// epochFlags are the flags of epoch.
type epochFlags struct {
	migrations    *units.Number
	migrationTime *units.Duration
	failureRate   *units.Rate
	model         survival.EpochModel
	chain         bool
	mttf, mttr    *units.Duration
	target        *units.Fraction
	replicas      *units.Count
	jobs          *units.Number
	link          linkFlags
}

func epochCommand() *command {
	s := newFlags(true)
	f := &epochFlags{}
	value(s, "migrations", &f.migrations, "X", "migrations begun in an epoch")
	value(s, "migration-time", &f.migrationTime, "TIME", "of a migration or a respawn, such as 100s")
	value(s, "failure-rate", &f.failureRate, "RATE", "at which jobs lose all their replicas, such as 1/200s")
	oneOf(s, "model", &f.model, "`MODEL` of recoveries and migrations that overlap: mm1 (they queue, as PCU has it) or parallel (default mm1)", nil, "mm1", "parallel")
	toggle(s, "from-replicas", &f.chain, "the joint design: replicas, the rate at which all fail, the epoch, the load of the link")
	value(s, "mttf", &f.mttf, "TIME", "mean time to failure of a public resource (from-replicas)")
	value(s, "mttr", &f.mttr, "TIME", "mean time to repair (from-replicas)")
	value(s, "target", &f.target, "P", "chance that a job has a replica alive, such as 95% (from-replicas)")
	value(s, "replicas", &f.replicas, "K", "replicas of a job, in place of --target (from-replicas)")
	value(s, "public-jobs", &f.jobs, "N", "jobs on public resources at a time (from-replicas)")
	f.link.flags(s)
	return &command{
		name: "epoch", usage: "how often to reschedule?", flags: s,
		description: `A short epoch migrates often, a long one notices failures late. The best is given
with the interval of stable ones.

  $ capplan epoch --migrations 1 --migration-time 100s --failure-rate 1/200s

Recoveries and migrations that do not wait for one another:

  $ capplan epoch --migrations 100 --migration-time 100s --failure-rate 1/200s --model parallel

The whole chain, from replicas to the link:

  $ capplan epoch --from-replicas --mttf 2h --mttr 10min --target 99.9% --public-jobs 50 --migrations 1 --migration-time 30s --uplink 100Mbps --downlink 100Mbps --footprint 1MB --dedicated 100 --rate 1/s`,
		ask: func(ctx context.Context, _ *streams, _ []string) (*result, error) {
			q, err := f.question()
			if err != nil {
				return nil, err
			}
			q.Explain = s.output.explain
			a, err := survival.Epoch(ctx, q)
			if err != nil {
				return nil, err
			}
			return &result{
				value: a, warnings: a.Warnings,
				text: func(p *page) { showEpoch(p, a) },
				draw: func(context.Context) (*drawing, error) { return drawEpoch(a) },
			}, nil
		},
	}
}

func (f *epochFlags) question() (*survival.EpochQuestion, error) {
	q := &survival.EpochQuestion{Migrations: float(f.migrations), MigrationTime: float(f.migrationTime), FailureRate: float(f.failureRate), Model: f.model}
	if !f.chain {
		if f.mttf != nil || f.mttr != nil || f.target != nil || f.replicas != nil || f.jobs != nil || f.link.given() {
			return nil, &ask.InputError{Field: "from-replicas", Reason: "--mttf, --mttr, --target, --replicas, --public-jobs and the flags of the link belong to the joint design: add --from-replicas"}
		}
		return q, nil
	}
	q.Chain = &survival.EpochChain{MTTF: float(f.mttf), MTTR: float(f.mttr), Target: float(f.target), Replicas: whole(f.replicas), PublicJobs: float(f.jobs)}
	if f.link.given() {
		q.Chain.Link = f.link.question()
	}
	return q, nil
}

func showEpoch(p *page, a *survival.EpochAnswer) {
	p.headline("reschedule every %s s, which is %s (model %s)", units.FormatNumber(a.Epoch, 7), units.FormatDuration(a.Epoch, 4), a.Model)
	p.row("jobs down for failures", units.FormatNumber(a.JobsDownFailure, 5))
	p.row("jobs down for migrations", units.FormatNumber(a.JobsDownMigration, 5))
	p.row("jobs down in all", units.FormatNumber(a.JobsDown, 5))
	p.row("failures", units.FormatRate(a.FailureRate, 4), "jobs that lose all replicas")
	if a.StableMax != nil {
		p.row("stable epochs", units.FormatDuration(a.StableMin, 5)+" to "+units.FormatDuration(*a.StableMax, 5))
		p.row("in parallel", units.FormatDuration(a.ParallelEpoch, 5), "the answer of --model parallel")
	} else {
		p.row("stable epochs", "all")
	}
	if c := a.Chain; c != nil {
		p.list(chainRows(c))
		if c.Link != nil {
			showLink(p, c.Link)
		}
	}
	p.explain(a.Explanation)
}

// chainRows shows the joint design step by step.
func chainRows(c *survival.ChainAnswer) [][]string {
	rows := [][]string{
		{"step", "result", ""},
		{"replicas", count(c.Replicas), "one is alive " + units.FormatFraction(c.AvailabilityAll, 4) + " of the time"},
		{"all down", units.FormatFraction(c.AllDown, 4), units.FormatRate(c.AllDownRate, 4) + " for a job"},
		{"failure rate", units.FormatRate(c.FailureRate, 4), "of " + units.FormatNumber(c.PublicJobs, 6) + " public jobs"},
		{"epoch", units.FormatDuration(c.Epoch, 5), ""},
	}
	if c.Link != nil {
		load := ""
		if c.Link.UplinkUtilization != nil {
			load = "uplink " + optionalFraction(c.Link.UplinkUtilization) + ", downlink " + optionalFraction(c.Link.DownlinkUtilization) + " used"
		}
		rows = append(rows, []string{"link", load, "as below"})
	}
	return rows
}

// drawEpoch draws the jobs down against the epoch, as PCU figure 12 does.
func drawEpoch(a *survival.EpochAnswer) (*drawing, error) {
	v, err := a.Drawn()
	if err != nil {
		return nil, err
	}
	zero := 0.0
	c := chart.Chart{
		Title: "Jobs down against the scheduling epoch", Subtitle: "model " + string(a.Model) + ", failures " + units.FormatRate(a.FailureRate, 4),
		XLabel: "scheduling epoch (s)", YLabel: "jobs down", YMin: &zero,
		Marks: []chart.Mark{{X: a.Epoch, Y: a.JobsDown, Label: units.FormatNumber(a.Epoch, 5) + " s"}},
	}
	// The queues grow without end towards the bounds: show what is near the
	// best.
	most := 8 * a.JobsDown
	for _, s := range []struct {
		name string
		y    []float64
	}{{"all", v.Down}, {"for failures", v.Failure}, {"for migrations", v.Migration}} {
		line := chart.Series{Name: s.name, Style: chart.Line}
		for i, x := range v.Epoch {
			if v.Down[i] <= most {
				line.X, line.Y = append(line.X, x), append(line.Y, s.y[i])
			}
		}
		c.Series = append(c.Series, line)
	}
	if a.StableMax != nil {
		c.VLines = []chart.Rule{{Value: a.StableMin, Label: "stable from " + units.FormatNumber(a.StableMin, 5) + " s"}, {Value: *a.StableMax, Label: "to " + units.FormatNumber(*a.StableMax, 5) + " s"}}
	} else {
		c.XLog = true
	}
	return &drawing{bottom: c}, nil
}
