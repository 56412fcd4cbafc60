package availability

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// predictFlags are the flags of predict beside those of the machine's trace. What
// belongs to the semi-Markov process alone is refused beside another model.
type predictFlags struct {
	in        *HostInput
	day       *dayInput
	fleet     *fleetInput
	asked     machines.PredictQuestion
	estimator string
	set       *cmdline.FlagSet
}

// flags binds the flags of the process, of the models and of the trace. The state and the time
// spent in it describe the machine at this moment; without them the days of the record say in which
// state the window begins.
func (f *predictFlags) flags(s *cmdline.FlagSet) {
	f.in, f.day, f.fleet, f.set = &HostInput{}, &dayInput{}, &fleetInput{}, s
	f.estimator = toFailure
	f.day.flags(s)
	cmdline.OneOf(s, "state", &f.asked.State,
		"`STATE` at the beginning of the window: S1 or S2 (default: the state in which more days "+
			"begin)", nil, "S1", "S2")
	cmdline.Number[units.Duration](s, "elapsed", &f.asked.Elapsed, "TIME",
		"time already spent in that state; ages then count from the entry of the state, else from the beginning of "+
			"the window")
	estimatorFlag(s, &f.estimator)
	cmdline.Into[units.Fraction](s, "level", &f.asked.Level, "P", "level of the confidence band (default 90%)",
		cmdline.Above0("a confidence level between 0 and 1 such as 90%"))
	// Below 20 draws the ends of a 90% band are the extremes of what was drawn.
	cmdline.Into[units.Count](s, "resamples", &f.asked.Resamples, "N", "bootstrap draws of days (default 400)",
		cmdline.Within(20, sizing.MaxSamples, "20 to 10000000 draws"))
	cmdline.Seed(s, &f.asked.Seed, "seed of the draws")
	f.fleet.flags(s, backtest.ModelNames...)
	f.in.Flags(s)
}

// predictedByProcess are the flags that only the semi-Markov process knows.
var predictedByProcess = []string{"state", "estimator", "resamples", "seed"}

// byFleet predicts by the hazard of the whole fleet, which a machine with little record
// of its own borrows from. The state at the window's beginning is no part of a hazard, which knows
// only free and failed.
func (f *predictFlags) byFleet(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	var err error
	q := &forecast.Question{Elapsed: f.asked.Elapsed, Level: f.asked.Level, Explain: f.set.Output.Explain}
	if q.DayWindow, err = f.day.fleetWindow(); err != nil {
		return nil, err
	}
	return f.fleet.foresee(ctx, f.in, st, args, q, false)
}

// byModel predicts by a named model, or by the one that foresaw the later half of the
// record best. That may be the process, which then answers as it would alone. process fills in the
// question that the caller began, so that the answer is the same as by --model smp.
func (f *predictFlags) byModel(ctx context.Context, st *cmdline.Streams, args []string,
	model string) (r *cmdline.Result, err error) {
	q := &f.asked
	// A model beside others learns from the whole record, so that no number of days is asked for.
	if q.DayWindow, err = f.day.fleetWindow(); err != nil {
		return nil, err
	}
	by := &forecast.ModelQuestion{
		DayWindow: q.DayWindow,
		Model:     model,
		Elapsed:   q.Elapsed,
		Level:     q.Level,
		Explain:   f.set.Output.Explain,
	}
	process := func(hosts []machines.Trace, counts, censored bool, c *machines.Choice) (*cmdline.Result, error) {
		q.Host, q.Labelling, q.Counts, q.Censored = &hosts[0], by.Labelling, counts, censored
		q.Explain = by.Explain
		a, err := machines.Predict(ctx, q)
		if err != nil {
			return nil, err
		}
		a.Chosen = c
		return cmdline.Answered(a, report.Predict(a), f.in.Warnings...), nil
	}
	return f.fleet.byModel(ctx, f.in, st, args, by, false, process)
}

// byProcess predicts by the semi-Markov process of the machine's own days. It needs --days, and
// answers with the kernel's own figures: states, mean time to failure, chance by step.
func (f *predictFlags) byProcess(ctx context.Context, st *cmdline.Streams, args []string) (r *cmdline.Result,
	err error) {
	q := &f.asked
	q.Explain = f.set.Output.Explain
	if q.DayWindow, err = f.day.question(); err != nil {
		return nil, err
	}
	if q.Counts, q.Censored, err = f.fleet.process(f.estimator); err != nil {
		return nil, err
	}
	if q.Labelling, err = f.in.Labelling(ctx); err != nil {
		return nil, err
	}
	if err := f.in.Read(ctx, args, st); err != nil {
		return nil, err
	}
	// Read has refused a trace of several machines where none is named.
	q.Host = &f.in.Hosts[0]
	return cmdline.Ask(ctx, q, machines.Predict, report.Predict, f.in.Warnings...)
}

// predictCommand answers for one machine; rank asks the same of several.
func predictCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	f := &predictFlags{}
	f.flags(s)
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
much, and on how many windows.

  $ capplan availability predict testdata/hosts-small.csv --host mixed --day weekday --start 09:00 --window 4h

By the whole fleet rather than the machine's own days, so that a machine with little or no
record can be predicted too; --elapsed says for how long the machine has been free:

  $ capplan availability predict testdata/hosts-small.csv --model frailty --host mixed --day weekday --start 09:00 --window 4h

A fleet can be kept in a file, and one more day added to it:

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out known.json
  $ capplan availability predict --fleet known.json --host new-one --day weekday --start 09:00 --window 4h`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			return f.fleet.answer(ctx, f.in, st, args, predictedByProcess, f)
		},
	}
}

// toFailure is the estimator that is taken without --estimator.
const toFailure = "to-failure"

// estimatorFlag binds --estimator, which predict, fit, replay and evaluate share. They differ in
// how a stay counts whose end the record does not show. The paper drops such stays, which makes
// long stays rarer than they are.
func estimatorFlag(s *cmdline.FlagSet, into *string) {
	cmdline.OneOf(s, "estimator", into,
		"`NAME` of the estimator: to-failure (default; all stays after a failure weigh as one), censored (they "+
			"weigh as much as those before), or counts (as in the paper, which drops stays that the window cuts off)",
		nil, toFailure, "censored", "counts")
}
