package availability

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

func predictCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	in, day, fleet := &HostInput{}, &dayInput{}, &fleetInput{}
	var state string
	var elapsed *units.Duration
	estimator := toFailure
	var level *units.Fraction
	var resamples, seed *units.Count
	day.flags(s)
	cmdline.OneOf(s, "state", &state,
		"`STATE` at the window's beginning: S1 or S2 (default: the one in which more days begin)", nil, "S1", "S2")
	cmdline.Value(s, "elapsed", &elapsed,
		"TIME", "already spent in it; ages then count from the entry of a state, else from the window's beginning")
	estimatorFlag(s, &estimator)
	cmdline.Value(s, "level", &level, "P", "of the confidence band (default 90%)")
	cmdline.Value(s, "resamples", &resamples, "N", "bootstrap draws of days (default 400)")
	cmdline.Value(s, "seed", &seed, "N", "of the draws (default 1)")
	fleet.flags(s, backtest.ModelNames...)
	in.Flags(s)
	return &cmdline.Command{
		Name:    "predict",
		Usage:   "how likely is this machine free through a window?",
		Args:    "TRACE",
		MaxArgs: 1,
		Flags:   s,
		Description: `TRACE is ` + hostForm + `.
The kernel is estimated from the window's clock time on the most recent days of the kind, sojourns
that the window cuts being right-censored; what comes after a failure says little of the time
from the window's beginning, and weighs little (--estimator).

  $ capplan availability predict testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10

The machine has been under heavy load for 10 minutes:

  $ capplan availability predict testdata/host-small.csv --day weekday --start 10:00 --window 1h --days 10 --state S2 --elapsed 10min

Without --days the model is chosen by the record itself: all learn from the older half
of it, and the one that foresees the later half best is taken. The answer says which,
by how much and on how many windows.

  $ capplan availability predict testdata/hosts-small.csv --host mixed --day weekday --start 09:00 --window 4h

By the whole fleet rather than by the machine's own days, so that one with little
record, or none, is foreseen too; with --elapsed for a machine that has been free
for some time:

  $ capplan availability predict testdata/hosts-small.csv --model frailty --host mixed --day weekday --start 09:00 --window 4h

The fleet may be kept, and one more day added to it:

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out known.json
  $ capplan availability predict --fleet known.json --host new-one --day weekday --start 09:00 --window 4h`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			byFleet, err := fleet.frailty()
			if err != nil {
				return nil, err
			}
			if byFleet {
				if err := smpAlone(
					smpFlag{"state", state != ""},
					smpFlag{"estimator", estimator != toFailure},
					smpFlag{"resamples", resamples != nil},
					smpFlag{"seed", seed != nil},
				); err != nil {
					return nil, err
				}
				q := &forecast.Question{Elapsed: cmdline.Float(elapsed), Explain: s.Output.Explain}
				if level != nil {
					if q.Level = float64(*level); q.Level == 0 {
						return nil, &ask.InputError{Field: "level",
							Reason: "is 0, want a confidence level between 0 and 1 such as 90%"}
					}
				}
				if q.DayWindow, err = day.fleetWindow(); err != nil {
					return nil, err
				}
				return fleet.foresee(ctx, in, st, args, q, false)
			}
			q := &machines.PredictQuestion{
				State:   state,
				Elapsed: cmdline.Float(elapsed),
				Explain: s.Output.Explain,
			}
			if level != nil {
				if q.Level = float64(*level); q.Level == 0 {
					return nil, &ask.InputError{Field: "level",
						Reason: "is 0, want a confidence level between 0 and 1 such as 90%"}
				}
			}
			if err := in.given(args); err != nil {
				return nil, err
			}
			model, err := fleet.others(
				smpFlag{"days", day.days != nil},
				smpFlag{"state", state != ""},
				smpFlag{"estimator", estimator != toFailure},
				smpFlag{"resamples", resamples != nil},
				smpFlag{"seed", seed != nil},
			)
			if err != nil {
				return nil, err
			}
			if model != "" {
				if q.DayWindow, err = day.fleetWindow(); err != nil {
					return nil, err
				}
				by := &forecast.ModelQuestion{
					DayWindow: q.DayWindow,
					Model:     model,
					Elapsed:   q.Elapsed,
					Level:     q.Level,
					Explain:   q.Explain,
				}
				process := func(hosts []machines.Trace, counts, censored bool,
					c *machines.Choice) (*cmdline.Result, error) {
					q.Host, q.Labelling, q.Counts, q.Censored = &hosts[0], by.Labelling, counts, censored
					a, err := machines.Predict(ctx, q)
					if err != nil {
						return nil, err
					}
					a.Chosen = c
					return cmdline.Answered(a, report.Predict(a), in.Warnings...), nil
				}
				return fleet.byModel(ctx, in, st, args, by, false, process)
			}
			if q.DayWindow, err = day.question(); err != nil {
				return nil, err
			}
			if q.Counts, q.Censored, err = fleet.process(estimator); err != nil {
				return nil, err
			}
			if q.Labelling, err = in.Labelling(ctx); err != nil {
				return nil, err
			}
			if resamples != nil {
				if *resamples < 20 || *resamples > sizing.MaxSamples {
					return nil, &ask.InputError{Field: "resamples", Reason: "want 20 to 10000000 draws"}
				}
				q.Resamples = int(*resamples)
			}
			q.Seed = cmdline.Seed(seed)
			if err := in.Read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Host = &in.Hosts[0]
			a, err := machines.Predict(ctx, q)
			if err != nil {
				return nil, err
			}
			return cmdline.Answered(a, report.Predict(a), in.Warnings...), nil
		},
	}
}

// toFailure is the estimator that is taken without --estimator.
const toFailure = "to-failure"

func estimatorFlag(s *cmdline.FlagSet, into *string) {
	cmdline.OneOf(s, "estimator", into,
		"`NAME`: to-failure (default), by which stays after a failure weigh as one together; censored, by which they weigh as those before; or counts, as the paper, which drops stays that the window cuts",
		nil, toFailure, "censored", "counts")
}
