package main

import (
	"context"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
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
			return &result{
				value: a, warnings: a.Warnings,
				text: func(p *page) { showCheckpoint(p, a) },
				draw: func(context.Context) (*drawing, error) { return drawCheckpoint(q, a) },
			}, nil
		},
	}
}

func showCheckpoint(p *page, a *survival.CheckpointAnswer) {
	p.headline("save after every %s of work: %s for %s", units.FormatDuration(a.Interval, 4), runText(a.ExpectedRun, a.Log10Slowdown), units.FormatDuration(a.Question.Work, 4)+" of work")
	rules := [][]string{{"rule", "interval", "expected run", "slowdown"}}
	for _, r := range a.Rules {
		rules = append(rules, []string{r.Rule, units.FormatDuration(r.Interval, 4), runText(r.ExpectedRun, r.Log10Slowdown), orDash(optionalNumber(r.Slowdown, 5))})
	}
	p.table(rules)
	if len(a.Options) > 0 {
		options := [][]string{{"option", "expected run", "machine time", "set back at least once", "begun anew at least once"}}
		for _, o := range a.Options {
			options = append(options, []string{o.Name, orDash(optionalTime(o.ExpectedRun)), orDash(optionalTime(o.MachineTime)),
				units.FormatFraction(o.Setback, 3), units.FormatFraction(o.Loss, 3)})
		}
		p.table(options)
		p.row("fastest", a.Fastest)
		p.row("cheapest", a.Cheapest, "by machine time")
	}
	p.explain(a.Explanation)
}

// runText writes a run time, or the power of ten of the slowdown where no
// number holds it.
func runText(run *float64, log10 float64) string {
	if run == nil {
		return "10^" + units.FormatNumber(log10, 4) + " times the work"
	}
	return optionalTime(run)
}

// drawCheckpoint draws the expected run time against the interval.
func drawCheckpoint(q *survival.CheckpointQuestion, a *survival.CheckpointAnswer) (*drawing, error) {
	v, err := a.Drawn()
	if err != nil {
		return nil, err
	}
	if len(v.Interval) < 2 || a.ExpectedRun == nil {
		return nil, &usageError{reason: "--plot: the run time is beyond what can be drawn"}
	}
	unit, name := timeAxis(*a.ExpectedRun)
	at, atName := timeAxis(a.Interval * 10)
	c := chart.Chart{
		Title: "Expected run time against the checkpoint interval", Subtitle: units.FormatDuration(a.Question.Work, 4) + " of work, MTBF " + units.FormatDuration(a.Question.MTBF, 4) + ", checkpoint " + units.FormatDuration(a.Question.Cost, 4),
		XLabel: "work between checkpoints (" + atName + ")", YLabel: "expected run time (" + name + ")", XLog: true,
		Marks: []chart.Mark{{X: a.Interval / at, Y: *a.ExpectedRun / unit, Label: units.FormatDuration(a.Interval, 4)}},
	}
	most := 4 * *a.ExpectedRun
	line := chart.Series{Name: "checkpoints", Style: chart.Line}
	for i, x := range v.Interval {
		if v.Run[i] <= most {
			line.X, line.Y = append(line.X, x/at), append(line.Y, v.Run[i]/unit)
		}
	}
	c.Series = append(c.Series, line)
	rules := chart.Series{Name: "Young, Daly", Style: chart.Points}
	for _, r := range a.Rules[:3] {
		if r.ExpectedRun != nil && *r.ExpectedRun <= most {
			rules.X, rules.Y = append(rules.X, r.Interval/at), append(rules.Y, *r.ExpectedRun/unit)
		}
	}
	if len(rules.X) > 0 {
		c.Series = append(c.Series, rules)
	}
	// Room below the line that replicas make.
	low := 0.96 * *a.ExpectedRun / unit
	for _, o := range a.Options {
		if o.Name == a.Fastest && o.Interval == nil && o.ExpectedRun != nil && *o.ExpectedRun <= most {
			c.HLines = append(c.HLines, chart.Rule{Value: *o.ExpectedRun / unit, Label: o.Name + ", no checkpoint"})
			low = min(low, 0.96**o.ExpectedRun/unit)
		}
	}
	c.YMin = &low
	return &drawing{bottom: c}, nil
}
