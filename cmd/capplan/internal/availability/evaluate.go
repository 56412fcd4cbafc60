package availability

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/report/forecasts"
	"github.com/capplan/capplan/units"
)

// evaluateInput is what the flags say. Lists are kept as texts: question reads them, and says which
// flag is wrong.
type evaluateInput struct {
	set   *cmdline.FlagSet
	asked backtest.EvaluateQuestion
	put   backtest.NoiseQuestion // where noise is given
	// Which predictions are made and drawn. windows are lengths, starts times of day, and ratios
	// shares of the days, in (0, 1).
	windows, starts, baselines, ratios, series, figure string
	// Numbers of failures, how long one lasts, and the time of day around which it begins.
	noise, noiseDuration, noiseAt string
	// models, where they are given, are scored in place of relative errors.
	estimator, models, group string
}

// flags binds the flags. Without --baselines all are scored beside the prediction; to score none of
// them takes the word none.
func (f *evaluateInput) flags(s *cmdline.FlagSet) {
	// The defaults of choices that the help names in capitals stand here, so that a flag that is
	// not given has a value to compare with.
	f.series, f.figure = "before", forecasts.ErrorsFigure
	f.set = s
	q := &f.asked
	cmdline.OneOf(s, "day", &q.Day, "`KIND` of days: weekday, weekend or both", nil, "weekday", "weekend", "both")
	s.Text("windows", &f.windows, "LIST", "list of window lengths such as 1h,4h (default 1h to 10h)")
	s.Text("starts", &f.starts, "LIST", "list of times of day such as 09:00,13:00 (default every hour)")
	cmdline.Into[units.Fraction](s, "train", &q.Train, "P",
		"share of the days to train on, the oldest first (default 50%)", cmdline.Above0("a share such as 50%"))
	s.Text("ratios", &f.ratios, "LIST", "list of other training shares to compare for SMP, such as 20%,40%,60%")
	// The baselines are time-series models of the load, as iShare section 5 compares them.
	s.Text("baselines",
		&f.baselines, "LIST", "list of baselines to compare: "+strings.Join(backtest.BaselineNames, ",")+" (default all), or none")
	cmdline.Into[units.Count](s, "order", &q.Order, "N", "order of the time-series models (default 3)",
		cmdline.Within(1, 64, "1 to 64"))
	s.Toggle("aic", &q.AIC, "choose the order, up to N, by Akaike's criterion")
	cmdline.OneOf(s, "series", &f.series,
		"`WINDOW` that time-series models are fitted to: before (the window just before) or clock (the same hours "+
			"of the training days)",
		nil, "before", "clock")
	s.Text("noise", &f.noise, "LIST", "list of numbers of failures to add to the training days, such as 1,4,10")
	s.Text("noise-duration", &f.noiseDuration, "RANGE", "shortest and longest time that an added failure lasts "+
		"(default 1min..30min)")
	s.Text("noise-at",
		&f.noiseAt, "HH:MM", "time of day around which added failures begin, within half an hour; the windows begin "+
			"then too (default 08:00)")
	// A million draws are more than any run waits for.
	cmdline.Into[units.Count](s, "repetitions", &f.put.Repetitions, "N", "draws of the noise (default 20)",
		cmdline.Within(1, 1e6, "1 to 1e6"))
	cmdline.Seed(s, &f.put.Seed, "seed of the draws")
	cmdline.OneOf(s, "figure", &f.figure,
		"`KIND` of figure for --plot and the CSV: errors, observed, baselines, starts, ratios or noise", nil,
		forecasts.EvaluationFigures...)
	s.Needs("figure", "plot", "format=csv")
	s.Known("model", func() []string { return backtest.ModelNames })
	s.Text("model", &f.models, "LIST", "list of models to score: "+strings.Join(backtest.ModelNames, ","))
	groupFlag(s, &f.group)
	s.Needs("group", "model")
	estimatorFlag(s, &f.estimator)
	// iShare counts ages from the window's beginning; a machine that has been busy for an hour then
	// counts as one that has become so.
	s.Toggle("whole", &q.Whole, "judge all machines of a large fleet and forecast all test days, however long it takes "+
		"(default: those drawn for which some 15 s of computing are enough)")
	s.Toggle("ages", &q.Ages, "count ages from the entry of a state, not from the beginning of the window")
}

// question makes a question of the flags and refuses what would be answered otherwise than meant: a
// length given twice, or a figure whose data nobody asked for. Errors: *ask.InputError of the flag.
func (f *evaluateInput) question() (*backtest.EvaluateQuestion, error) {
	// Words of choices become switches of the question.
	q := &f.asked
	q.Counts, q.Censored, q.SameClock = f.estimator == "counts", f.estimator == "censored", f.series == "clock"
	var err error
	if q.Windows, err = durationList("windows", f.windows); err != nil {
		return nil, err
	}
	for _, t := range cmdline.Listed(f.starts) {
		v, err := timeOfDay("starts", t)
		if err != nil {
			return nil, err
		}
		if slices.Contains(q.Starts, v) {
			return nil, &ask.InputError{Field: "starts", Reason: spell.Quote(t) + " is given twice"}
		}
		q.Starts = append(q.Starts, v)
	}
	for _, t := range cmdline.Listed(f.ratios) {
		v, err := units.Parse[units.Fraction](t)
		if err != nil {
			return nil, &ask.InputError{Field: "ratios", Reason: cmdline.Plainly(err)}
		}
		q.Ratios = append(q.Ratios, float64(v))
	}
	// An empty list that is not nil means none, where nil means all.
	if q.Models = cmdline.Listed(f.baselines); f.baselines == "none" {
		q.Models = []string{}
	}
	if q.Noise, err = f.noiseQuestion(); err != nil {
		return nil, err
	}
	// These two figures show what is computed only where it is asked for: without, they would be
	// empty.
	switch {
	case f.figure == forecasts.RatiosFigure && q.Ratios == nil:
		return nil, ask.Inputf("ratios", "not given: --figure ratios wants shares such as 20%%,40%%,60%%")
	case f.figure == forecasts.NoiseFigure && q.Noise == nil:
		return nil, ask.Inputf("noise", "not given: --figure noise wants numbers of failures such as 1,4,10")
	}
	return q, nil
}

// noiseQuestion reads the flags of the failures that are put into the training days; nil where none
// are asked for.
func (f *evaluateInput) noiseQuestion() (*backtest.NoiseQuestion, error) {
	if f.noise == "" {
		return nil, f.set.Misplaced("only used with --noise", "noise-at", "noise-duration", "repetitions", "seed")
	}
	// What is left at its zero has a default in the question: lengths of 1 to 30 minutes, about 8
	// o'clock, 20 repetitions.
	q := &f.put
	for _, t := range cmdline.Listed(f.noise) {
		// No failure at all is allowed: it is the row to compare with.
		n, err := strconv.Atoi(t)
		if err != nil || n < 0 {
			return nil, ask.Inputf("noise", "%s, want numbers of failures such as 1,4,10", spell.Quote(t))
		}
		q.Instances = append(q.Instances, n)
	}
	if f.noiseDuration != "" {
		low, high, ok := strings.Cut(f.noiseDuration, "..")
		// A single duration is a range of one length.
		if !ok {
			high = low
		}
		a, err := units.Parse[units.Duration](low)
		b, err2 := units.Parse[units.Duration](high)
		if err != nil || err2 != nil || a <= 0 {
			return nil, &ask.InputError{Field: "noise-duration",
				Reason: spell.Quote(f.noiseDuration) + ", want a range such as 1min..30min"}
		}
		q.Shortest, q.Longest = float64(a), float64(b)
	}
	if f.noiseAt != "" {
		at, err := timeOfDay("noise-at", f.noiseAt)
		if err != nil {
			return nil, err
		}
		q.At = &at
	}
	return q, nil
}

// evaluateCommand compares predictions with what happened after. With --model it scores models by
// Brier score and log loss; without, it gives the relative errors that iShare draws.
func evaluateCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	in, f := &HostInput{Many: true}, &evaluateInput{}
	f.flags(s)
	in.Flags(s)
	s.Sharded()
	return &cmdline.Command{
		Name: "evaluate", Usage: "how well would the prediction have done?", Args: "TRACE...", MaxArgs: 10000, Flags: s,
		Description: `Trains on the first days of each trace and compares predictions with what was observed on
the other days, over start hours and lengths of the window. Beside them stand the
time-series models AR, BM, MA, ARMA and LAST, and the share of training days that were
free. The error is |predicted - observed|/observed, for each machine and start and,
"pooled", over the test days of all machines; it is undefined where no test day is free.
"expected" is the error of a perfect prediction, which comes from the small number of test
days alone. Of a fleet that would take longer than some 15 s of computing, machines are
drawn by their names, and of a long record the days that time-series models forecast;
standard errors then say how far off that may be, and --whole judges all.

  $ capplan availability evaluate testdata/host-small.csv --day weekday --windows 1h,4h --starts 08:00,12:00,16:00 --order 2

The effect of failures inserted into the training days, on several machines:

  $ capplan availability evaluate testdata/hosts-small.csv --day weekday --windows 1h,2h,5h --starts 08:00 --baselines last --noise 1,4 --repetitions 5

With --model each forecast is scored, on windows of 1, 2, 4 and 8 h or those of --windows:
Brier score and log loss, with standard errors clustered by machine and the differences to
smp, and the share that fails among the best tenth of the machines; --plot draws the
reliability diagram. Machines are read one by one, so that the fleet may be large; a very
large one is drawn from too. The models are frailty, the hazard of the fleet by age and
hour with a factor for each machine; smp, censored and counts, the machine's own days; km,
the fleet's product limit by age; exponential, the machine's rate of failures; share, the
share of its days that were free; always; and auto, the one of these that does best within
the older days, when the later half of them is held out.

  $ capplan availability evaluate testdata/hosts-small.csv --day weekday --windows 1h,4h --model auto,frailty,smp,km`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if err := in.given(args); err != nil {
				return nil, err
			}
			// Relative errors of a probability near 0 say little of a model; scores compare
			// several.
			if f.models != "" {
				if !strings.Contains(f.models, backtest.AutoModel) && !strings.Contains(f.models, backtest.FrailtyModel) {
					if err := s.Misplaced("only used with the models auto and frailty", "group"); err != nil {
						return nil, err
					}
				}
				return f.scores(ctx, in, st, args, s.Output.Explain)
			}
			q, err := f.question()
			if err != nil {
				return nil, err
			}
			q.Explain = s.Output.Explain
			if q.Labelling, err = in.Labelling(ctx); err != nil {
				return nil, err
			}
			a, err := evaluation(ctx, in, st, args, q)
			if err != nil {
				return nil, err
			}
			r := cmdline.Answered(a, forecasts.Evaluation(a, f.figure), in.Warnings...)
			// The machines that were evaluated before the interruption are an answer.
			if a.Stopped {
				r.Exit = ctx.Err()
			}
			return r, nil
		},
	}
}

// evaluation answers machine by machine. Work in shards, whose parts are chosen by the
// number of a machine, has all of them read before. Without shards the machines come as a stream,
// so that a fleet of any size takes the memory of one machine and of what is counted.
func evaluation(ctx context.Context, in *HostInput, st *cmdline.Streams, paths []string,
	q *backtest.EvaluateQuestion) (*backtest.EvaluateAnswer, error) {
	// A shard takes every n-th machine of the whole list, whose length a stream would know only at
	// its end.
	if pieces.Parted(ctx) {
		if err := in.Read(ctx, paths, st); err != nil {
			return nil, err
		}
		q.Hosts = in.Hosts
		return cmdline.Counting(ctx, st, "evaluate", &q.Done, q, backtest.Evaluate)
	}
	v, err := backtest.NewEvaluation(q)
	if err != nil {
		return nil, err
	}
	if paths, err = in.fetched(ctx, paths); err != nil {
		return nil, err
	}
	// The time-series models need the loads themselves, which are large; without those models only the
	// states are kept.
	q.KeepLoads = v.NeedsLoads()
	// q.Labelling is shared with the stream, which labels samples as it reads them.
	r, end, err := in.stream(st, &q.Labelling)
	defer end()
	if err != nil {
		return nil, err
	}
	// A fault is reported; an interruption is not one, and the answer covers what was evaluated
	// until then.
	err = r.ReadPlaced(ctx, paths, v.Add)
	in.Warnings = append(in.Warnings, r.Warnings...)
	st.Hear(in.Warnings...)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return cmdline.Counting(ctx, st, "evaluate", &q.Done, q,
		func(ctx context.Context, _ *backtest.EvaluateQuestion) (*backtest.EvaluateAnswer, error) {
			return v.Finish(ctx)
		})
}

// durationList reads lengths of time, in seconds, each of them once. Errors: *ask.InputError of the
// field that is named.
func durationList(field, text string) ([]float64, error) {
	var out []float64
	for _, part := range cmdline.Listed(text) {
		d, err := units.Parse[units.Duration](part)
		if err != nil {
			return nil, &ask.InputError{Field: field, Reason: cmdline.Plainly(err)}
		}
		if slices.Contains(out, float64(d)) {
			return nil, &ask.InputError{Field: field, Reason: spell.Quote(part) + " is given twice"}
		}
		out = append(out, float64(d))
	}
	return out, nil
}
