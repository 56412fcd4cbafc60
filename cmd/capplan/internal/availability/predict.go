package availability

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// predictCommand answers for one machine; rank asks the same of several.
func predictCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	q := &machines.PredictQuestion{}
	f := &windowFlags{set: s, own: []string{"state", "estimator", "resamples", "seed"}}
	f.predictFlags(q)
	f.process = func(ctx context.Context, p *processQuestion) (*cmdline.Result, error) {
		q.Host, q.Labelling, q.DayWindow, q.Elapsed, q.Level = &p.hosts[0], p.labelling, p.window, f.elapsed, f.level
		q.Counts, q.Censored, q.Explain = p.counts, p.censored, s.Output.Explain
		a, err := machines.Predict(ctx, q)
		if err != nil {
			return nil, err
		}
		a.Chosen = p.chosen
		return cmdline.Answered(a, report.Predict(a), f.in.Warnings...), nil
	}
	return &cmdline.Command{
		Name: "predict", Usage: "how likely is this machine free through a window?", Args: "TRACE", MaxArgs: 1,
		Flags: s,
		Description: `TRACE is ` + hostForm + `.
With --days the kernel is estimated from the same hours of the most recent days of the kind.
Stays that the end of the window cuts are right-censored, and stays after a failure weigh
little, since they say little about the time from the window's beginning (--estimator).

  $ capplan availability predict testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10

The machine has been under heavy load for 10 minutes:

  $ capplan availability predict testdata/host-small.csv --day weekday --start 10:00 --window 1h --days 10 --state S2 --elapsed 10min

Without --days the record itself chooses the model: all models learn from its older half,
and the one that predicts the later half best is taken. The answer says which one, by how
much, and on how many windows. Each length of window is judged by itself, and smp learns from
the hours of the window alone: a longer window may get a greater chance. Those of frailty, km and
exponential fall with the window.

  $ capplan availability predict testdata/hosts-small.csv --host mixed --day weekday --start 09:00 --window 4h

By the whole fleet rather than the machine's own days, so that a machine with little or no
record can be predicted too; --elapsed says for how long the machine has been free:

  $ capplan availability predict testdata/hosts-small.csv --model frailty --host mixed --day weekday --start 09:00 --window 4h

A fleet can be kept in a file, and one more day added to it:

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out known.json
  $ capplan availability predict --fleet known.json --host new-one --day weekday --start 09:00 --window 4h`,
		Ask: f.ask,
	}
}

// predictFlags binds the flags of predict. The state and the time spent in it describe the machine at
// this moment; without them the days of the record say in which state the window begins.
func (f *windowFlags) predictFlags(q *machines.PredictQuestion) {
	s := f.set
	f.day.flags(s)
	stateFlag(s, &q.State)
	cmdline.Number[units.Duration](s, "elapsed", &f.elapsed, "TIME",
		"time already spent in that state; ages then count from the entry of the state, else from the beginning of "+
			"the window")
	estimatorFlag(s, &f.estimator)
	cmdline.Into[units.Fraction](s, "level", &f.level, "P", "level of the confidence band (default 90%)",
		cmdline.Above0("a confidence level between 0 and 1 such as 90%"))
	// Below 20 draws the ends of a 90% band are the extremes of what was drawn.
	cmdline.Into[units.Count](s, "resamples", &q.Resamples, "N",
		"bootstrap draws of days (default 400, fewer of a very long record)",
		cmdline.Within(20, sizing.MaxSamples, "20 to 10000000 draws"))
	cmdline.Seed(s, &q.Seed, "seed of the draws")
	f.fleet.flags(s, backtest.ModelNames...)
	f.in.Flags(s)
}

// toFailure is the estimator that is taken without --estimator.
const toFailure = "to-failure"

// stateFlag binds --state, which predict and rank share.
func stateFlag(s *cmdline.FlagSet, into *string) {
	cmdline.OneOf(s, "state", into,
		"`STATE` at the beginning of the window: S1 or S2 (default: the state in which more days begin)",
		nil, "S1", "S2")
}

// estimatorFlag binds --estimator, which predict, fit, replay and evaluate share. They differ in
// how a stay counts whose end the record does not show. The paper drops such stays, which makes
// long stays rarer than they are.
func estimatorFlag(s *cmdline.FlagSet, into *string) {
	*into = toFailure
	cmdline.OneOf(s, "estimator", into,
		"`NAME` of the estimator: to-failure (default; all stays after a failure weigh as one), censored (they "+
			"weigh as much as those before), or counts (as in the paper, which drops stays that the window cuts off)",
		nil, toFailure, "censored", "counts")
}
