package availability

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// replayCommand lets three schedulers place the same jobs on machines as they were recorded. All
// three see the same jobs at the same times; they differ in what they know of the machines.
func replayCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	// Jobs are placed on all machines that are given.
	in := &HostInput{Many: true}
	var lengths, from, to, model string
	var times, days, seed *units.Count
	var train *units.Fraction
	var horizon *units.Duration
	var cv *units.Number
	var rates []string
	figure, against, estimator := report.FailuresFigure, "length", toFailure
	s.Text("lengths", &lengths, "LIST", "of jobs on a machine of speed 1, such as 1h,4h (default 30min and 1h to 6h)")
	cmdline.Value(s, "times", &times, "N", "submission times, each with a job of every length (default 60)")
	s.Text("from", &from, "HH:MM", "earliest time of day of a submission (default 06:00)")
	s.Text("to", &to, "HH:MM", "latest (default 22:00)")
	cmdline.Value(s, "train", &train, "P", "share of the dates, the oldest, before any job (default 50%)")
	cmdline.Value(s, "days", &days, "N", "most recent days of a kind to predict from (default all)")
	cmdline.Value(s, "horizon", &horizon, "TIME", "of the prediction (default 12h)")
	s.Repeated("rate", &rates, rateWant, "`NAME=X`, repeated: "+rateWant+" (default 1)")
	// Machines of equal speed make the choice by reliability alone; a spread of speeds sets the two
	// against each other.
	cmdline.Value(s, "speed-cv", &cv, "X",
		"draw the other speeds anew at each submission time: lognormal of mean 1 and this coefficient of variation (default 0)")
	cmdline.Value(s, "seed", &seed, "N", "of the draws (default 1)")
	cmdline.OneOf(s, "figure", &figure, "`KIND` of --plot: failures, makespan or slowdown (default failures)",
		nil, report.FailuresFigure, report.MakespanFigure, report.SlowdownFigure)
	s.Needs("figure", "plot")
	cmdline.OneOf(s, "against",
		&against, "what the plot and the CSV go by: `LENGTH` of the job or hour of arrival", nil, "length", "arrival")
	s.Needs("against", "plot", "format=csv")
	cmdline.OneOf(s, "model", &model,
		"`NAME` by which the proactive scheduler predicts: auto, the one of the others that does best on what lies before the first job; smp (default), censored, counts, frailty, km, exponential, share or always",
		nil, backtest.ModelNames...)
	estimatorFlag(s, &estimator)
	in.Flags(s)
	s.Sharded()
	return &cmdline.Command{
		Name: "replay", Usage: "what would schedulers have made of jobs on these machines?", Args: "TRACE...",
		MaxArgs: 10000, Flags: s,
		Description: `Submits jobs on the later days of the traces to three schedulers: proactive, which
predicts from what came before and takes the machine of least expected completion
time; condor-like, which takes the fastest machine that is free; and omniscient,
which knows what is to come. A job that fails begins again on its machine. Shows
how many jobs fail and how long they take.

  $ capplan availability replay testdata/hosts-small.csv --times 20 --lengths 1h,4h --speed-cv 0.3

The same, the proactive one predicting by the hazard of the fleet and a factor for
each machine, which it learns anew each midnight:

  $ capplan availability replay testdata/hosts-small.csv --times 20 --lengths 1h,4h --speed-cv 0.3 --model frailty`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if err := in.given(args); err != nil {
				return nil, err
			}
			// The two estimators are switches of the question, of which one at most is on.
			q := &backtest.ReplayQuestion{
				Model:    model,
				Counts:   estimator == "counts",
				Censored: estimator == "censored",
				Explain:  s.Output.Explain,
			}
			var err error
			if q.Lengths, err = durationList("lengths", lengths); err != nil {
				return nil, err
			}
			// The question tells an unset time from midnight by nil.
			for _, f := range []struct {
				name, text string
				into       **float64
			}{{"from", from, &q.From}, {"to", to, &q.To}} {
				if f.text == "" {
					continue
				}
				v, err := timeOfDay(f.name, f.text)
				if err != nil {
					return nil, err
				}
				*f.into = &v
			}
			for _, f := range []struct {
				name string
				v    *units.Count
				most units.Count
				into *int
			}{{"times", times, 1e6, &q.Times}, {"days", days, 1e6, &q.Days}} {
				if f.v == nil {
					continue
				}
				// The bound keeps the conversion to an int of 32 bits.
				if *f.v < 1 || *f.v > f.most {
					return nil, &ask.InputError{Field: f.name, Reason: "want 1 to 1e6"}
				}
				*f.into = int(*f.v)
			}
			// A share, a time or a number of 0 stands for the default in the question, and is
			// therefore refused here. What the schedulers know is what lies before the first job,
			// so that nothing of the future is used.
			if train != nil {
				if q.Train = float64(*train); q.Train == 0 {
					return nil, &ask.InputError{Field: "train", Reason: "is 0, want a share such as 50%"}
				}
			}
			if horizon != nil {
				if q.Horizon = float64(*horizon); q.Horizon == 0 {
					return nil, &ask.InputError{Field: "horizon", Reason: "is 0, want a time such as 12h"}
				}
			}
			q.SpeedCV = ask.Or(cv, q.SpeedCV)
			q.Seed = cmdline.Seed(seed)
			if q.Rates, err = machineRates(rates); err != nil {
				return nil, err
			}
			// Traces are read last, when all that is quick to check was checked.
			if q.Labelling, err = in.Labelling(ctx); err != nil {
				return nil, err
			}
			if err := in.Read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Hosts = in.Hosts
			a, err := cmdline.Counting(ctx, st, "replay", &q.Done, q, backtest.Replay)
			if err != nil {
				return nil, err
			}
			// The figure chooses what --plot draws; the table has all three.
			return cmdline.Answered(a, report.Replay(a, figure, against == "arrival"), in.Warnings...), nil
		},
	}
}
