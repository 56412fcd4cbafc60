package availability

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// replayFlags are the flags of replay. Lists and times of day are kept as texts.
type replayFlags struct {
	in                         HostInput
	question                   backtest.ReplayQuestion
	lengths, from, to          string
	rates                      []string
	figure, against, estimator string
}

// flags binds them.
func (f *replayFlags) flags(s *cmdline.FlagSet) {
	// Jobs are placed on all machines that are given.
	f.in.Many = true
	q := &f.question
	f.figure, f.against = report.FailuresFigure, "length"
	s.Text("lengths", &f.lengths, "LIST", "list of job lengths on a machine of speed 1, such as 1h,4h (default "+
		"30min and 1h to 6h)")
	cmdline.Into[units.Count](s, "times", &q.Times, "N",
		"submission times, each with one job of every length (default 60, fewer of a very large fleet)",
		cmdline.Within(1, 1e6, "1 to 1e6"))
	s.Text("from", &f.from, "HH:MM", "earliest time of day of a submission (default 06:00)")
	s.Text("to", &f.to, "HH:MM", "latest time of day of a submission (default 22:00)")
	// What the schedulers know is what lies before the first job, so that nothing of the future is used.
	cmdline.Into[units.Fraction](s, "train", &q.Train, "P",
		"share of the days, the oldest, that lie before any job (default 50%)", cmdline.Above0("a share such as 50%"))
	cmdline.Into[units.Count](s, "days", &q.Days, "N", "number of most recent days of a kind to predict from "+
		"(default all)",
		cmdline.Within(1, 1e6, "1 to 1e6"))
	cmdline.Into[units.Duration](s, "horizon", &q.Horizon, "TIME", "length of the prediction (default 12h)",
		cmdline.Above0("a time such as 12h"))
	s.Repeated("rate", &f.rates, rateWant, "`NAME=X` of "+rateWant+"; may be repeated (default 1)")
	// Machines of equal speed make the choice by reliability alone; a spread of speeds sets the two
	// against each other.
	cmdline.Into[units.Number](s, "speed-cv", &q.SpeedCV, "X",
		"coefficient of variation of the other speeds, drawn anew at each submission time: lognormal with mean 1 "+
			"(default 0)")
	cmdline.Seed(s, &q.Seed, "seed of the draws")
	cmdline.OneOf(s, "figure", &f.figure, "`KIND` of figure for --plot: failures, makespan or slowdown",
		nil, report.FailuresFigure, report.MakespanFigure, report.SlowdownFigure)
	s.Needs("figure", "plot")
	cmdline.OneOf(s, "against",
		&f.against, "`QUANTITY` on the horizontal axis of the plot and in the CSV: length (of the job) or arrival "+
			"(its hour)", nil,
		"length", "arrival")
	s.Needs("against", "plot", "format=csv")
	cmdline.OneOf(s, "model", &f.question.Model,
		"`NAME` of the model of the proactive scheduler: auto (the one that predicts best what lies before the "+
			"first job), smp (default), censored, counts, frailty, km, exponential, share or always",
		nil, backtest.ModelNames...)
	estimatorFlag(s, &f.estimator)
	f.in.Flags(s)
	s.Sharded()
}

// replayCommand lets three schedulers place the same jobs on machines as they were recorded. All
// three see the same jobs at the same times; they differ in what they know of the machines.
func replayCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	f := &replayFlags{}
	f.flags(s)
	return &cmdline.Command{
		Name: "replay", Usage: "how would schedulers have run jobs on these machines?", Args: "TRACE...",
		MaxArgs: 10000, Flags: s,
		Description: `Submits jobs on the later days of the traces to three schedulers: proactive, which predicts
from the past and takes the machine with the least expected completion time; condor-like,
which takes the fastest free machine; and omniscient, which knows the future. A job that
fails starts again on its machine. The answer is how many jobs fail and how long they take.

  $ capplan availability replay testdata/hosts-small.csv --times 20 --lengths 1h,4h --speed-cv 0.3

The same, where the proactive scheduler predicts by the hazard of the fleet and a factor for
each machine, fitted anew each midnight:

  $ capplan availability replay testdata/hosts-small.csv --times 20 --lengths 1h,4h --speed-cv 0.3 --model frailty`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			f.question.Explain = s.Output.Explain
			return f.ask(ctx, st, args)
		},
	}
}

// ask replays the traces, which are read last, when all that is quick to check was checked.
func (f *replayFlags) ask(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	if err := f.in.given(args); err != nil {
		return nil, err
	}
	q := &f.question
	// The two estimators are switches of the question, and at most one is on.
	q.Counts, q.Censored = f.estimator == "counts", f.estimator == "censored"
	if err := f.jobs(); err != nil {
		return nil, err
	}
	var err error
	if q.Rates, err = machineRates(f.rates); err != nil {
		return nil, err
	}
	if q.Labelling, err = f.in.Labelling(ctx); err != nil {
		return nil, err
	}
	if err := f.in.Read(ctx, args, st); err != nil {
		return nil, err
	}
	q.Hosts = f.in.Hosts
	a, err := cmdline.Counting(ctx, st, "replay", &q.Done, q, backtest.Replay)
	if err != nil {
		return nil, err
	}
	// The figure chooses what --plot draws; the table has all three.
	return cmdline.Answered(a, report.Replay(a, f.figure, f.against == "arrival"), f.in.Warnings...), nil
}

// jobs puts the jobs into the question: their lengths, and between which hours they come. Errors: *ask.InputError
// of the flag.
func (f *replayFlags) jobs() (err error) {
	q := &f.question
	if q.Lengths, err = durationList("lengths", f.lengths); err != nil {
		return err
	}
	// In the question nil distinguishes an unset time from midnight.
	for _, t := range []struct {
		name, text string
		into       **float64
	}{{"from", f.from, &q.From}, {"to", f.to, &q.To}} {
		if t.text == "" {
			continue
		}
		v, err := timeOfDay(t.name, t.text)
		if err != nil {
			return err
		}
		*t.into = &v
	}
	return nil
}
