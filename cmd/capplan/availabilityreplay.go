package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

// The figures of replay.
const (
	failuresFigure = "failures" // iShare figure 15
	makespanFigure = "makespan"
	slowdownFigure = "slowdown" // figure 16
)

func replayCommand() *command {
	s := newFlags(true)
	in := &hostInput{many: true}
	var lengths, from, to string
	var times, days, seed *units.Count
	var train *units.Fraction
	var horizon *units.Duration
	var cv *units.Number
	var rates []string
	figure, against, estimator := failuresFigure, "length", "censored"
	text(s, "lengths", &lengths, "LIST", "of jobs on a machine of speed 1, such as 1h,4h (default 30min and 1h to 6h)")
	value(s, "times", &times, "N", "submission times, each with a job of every length (default 60)")
	text(s, "from", &from, "HH:MM", "earliest time of day of a submission (default 06:00)")
	text(s, "to", &to, "HH:MM", "latest (default 22:00)")
	value(s, "train", &train, "P", "share of the dates, the oldest, before any job (default 50%)")
	value(s, "days", &days, "N", "most recent days of a kind to predict from (default all)")
	value(s, "horizon", &horizon, "TIME", "of the prediction (default 12h)")
	s.list = append(s.list, &cli.GenericFlag{Name: "rate", Usage: "`NAME=X`, repeated: " + rateWant + " (default 1)", Value: &list{&rates, rateWant}})
	value(s, "speed-cv", &cv, "X", "draw the other speeds anew at each submission time: lognormal of mean 1 and this coefficient of variation (default 0)")
	value(s, "seed", &seed, "N", "of the draws (default 1)")
	oneOf(s, "figure", &figure, "`KIND` of --plot: failures, makespan or slowdown (default failures)", nil, failuresFigure, makespanFigure, slowdownFigure)
	s.needs("figure", "plot")
	oneOf(s, "against", &against, "what the plot and the CSV go by: `LENGTH` of the job or hour of arrival", nil, "length", "arrival")
	s.needs("against", "plot", "format=csv")
	estimatorFlag(s, &estimator)
	in.flags(s)
	return &command{
		name: "replay", usage: "what would schedulers have made of jobs on these machines?", args: "TRACE...", maxArgs: 10000, flags: s,
		description: `Submits jobs on the later days of the traces to three schedulers: proactive, which
predicts from what came before and takes the machine of least expected completion
time; condor-like, which takes the fastest machine that is free; and omniscient,
which knows what is to come. A job that fails begins again on its machine. Shows
how many jobs fail and how long they take.

  $ capplan availability replay testdata/hosts-small.csv --times 20 --lengths 1h,4h --speed-cv 0.3`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, errNoTrace()
			}
			q := &machines.ReplayQuestion{Counts: estimator == "counts", Explain: s.output.explain, Seed: 1}
			var err error
			if q.Lengths, err = durationList("lengths", lengths); err != nil {
				return nil, err
			}
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
				if *f.v < 1 || *f.v > f.most {
					return nil, &ask.InputError{Field: f.name, Reason: "want 1 to 1e6"}
				}
				*f.into = int(*f.v)
			}
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
			if cv != nil {
				q.SpeedCV = float64(*cv)
			}
			if seed != nil {
				q.Seed = uint64(*seed)
			}
			if q.Rates, err = machineRates(rates); err != nil {
				return nil, err
			}
			if q.Labelling, err = in.labelling(ctx); err != nil {
				return nil, err
			}
			if err := in.read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Hosts = in.hosts
			var finish func()
			q.Done, finish = st.counted("replay")
			a, err := machines.Replay(ctx, q)
			finish()
			if err != nil {
				return nil, err
			}
			return &result{
				value: a, warnings: slices.Concat(in.warnings, a.Warnings),
				text: func(p *page) { showReplay(p, a) },
				rows: func() [][]string { return scalarRows(replayed(a, against)) },
				draw: func(context.Context) (*drawing, error) { return drawReplay(a, figure, against) },
			}, nil
		},
	}
}

func replayed(a *machines.ReplayAnswer, against string) []machines.ReplayScore {
	if against == "arrival" {
		return a.Arrivals
	}
	return a.Lengths
}

func showReplay(p *page, a *machines.ReplayAnswer) {
	rate := func(s machines.ReplayScore) string { return orDash(optionalFraction(s.FailureRate)) }
	all := a.Schedulers
	p.headline("%s of the jobs fail with the %s scheduler, %s %s, %s %s", rate(all[0]), all[0].Scheduler, rate(all[1]), all[1].Scheduler, rate(all[2]), all[2].Scheduler)
	rows := [][]string{{"length", "scheduler", "jobs", "unscheduled", "failed", "restarts", "unfinished", "compared", "mean makespan", "slowdown"}}
	for _, s := range slices.Concat(a.Lengths, a.Schedulers) {
		length := "all"
		if s.Length != nil {
			length = units.FormatDuration(*s.Length, 4)
		}
		rows = append(rows, []string{length, s.Scheduler, count(int64(s.Jobs)), count(int64(s.Unscheduled)), rate(s), count(int64(s.Restarts)), count(int64(s.Unfinished)), count(int64(s.Common)), orDash(optionalTime(s.MeanMakespan)), orDash(optionalFraction(s.Slowdown))})
	}
	p.table(rows)
	p.row("machines", count(int64(a.Hosts)), fmt.Sprintf("speeds with a coefficient of variation of %s", units.FormatNumber(a.SpeedCV, 3)))
	p.row("submitted", count(int64(a.Times))+" times", a.First+" to "+a.Last)
	p.row("horizon", units.FormatDuration(a.Horizon, 4), fmt.Sprintf("seed %d", a.Seed))
	p.explain(a.Explanation)
}

// drawReplay draws one figure for each scheduler.
func drawReplay(a *machines.ReplayAnswer, figure, against string) (*drawing, error) {
	zero := 0.0
	c := chart.Chart{Subtitle: fmt.Sprintf("%d machines, %d submission times", a.Hosts, a.Times), XLabel: "length of the job (h)", YMin: &zero, XStep: 1}
	x := func(s machines.ReplayScore) float64 { return *s.Length / 3600 }
	if against == "arrival" {
		c.XLabel, c.XStep = "hour of submission", 2
		x = func(s machines.ReplayScore) float64 { return *s.Arrival / 3600 }
	}
	var y func(machines.ReplayScore) *float64
	switch figure {
	case makespanFigure:
		c.Title, c.YLabel = "Mean makespan by scheduler", "mean makespan (h)"
		y = func(s machines.ReplayScore) *float64 {
			if s.MeanMakespan == nil {
				return nil
			}
			v := *s.MeanMakespan / 3600
			return &v
		}
	case slowdownFigure:
		c.Title, c.YLabel, c.YMin = "Slowdown against the omniscient scheduler", "slowdown (%)", nil
		y = func(s machines.ReplayScore) *float64 { return percent(s.Slowdown) }
	default:
		c.Title, c.YLabel = "Jobs that fail by scheduler", "jobs that fail at least once (%)"
		y = func(s machines.ReplayScore) *float64 { return percent(s.FailureRate) }
	}
	for _, total := range a.Schedulers {
		if figure == slowdownFigure && total.Scheduler == "omniscient" {
			continue
		}
		var own []machines.ReplayScore
		for _, s := range replayed(a, against) {
			if s.Scheduler == total.Scheduler {
				own = append(own, s)
			}
		}
		put(&c, curve(total.Scheduler, chart.Line, own, x, y))
	}
	if len(c.Series) == 0 {
		return nil, &usageError{reason: "--plot: no job finished with every scheduler, there is no curve to draw"}
	}
	return &drawing{bottom: c}, nil
}
