package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

// evaluateInput is what the flags say.
type evaluateInput struct {
	day, windows, starts, baselines, ratios, series, figure string
	train                                                   *units.Fraction
	order, repetitions, seed                                *units.Count
	aic, ages                                               bool
	noise, noiseDuration, noiseAt                           string
	estimator                                               string
}

func (f *evaluateInput) flags(s *flagSet) {
	f.estimator, f.series, f.figure = "censored", "before", errorsFigure
	oneOf(s, "day", &f.day, "`KIND` of days: weekday, weekend or both", nil, "weekday", "weekend", "both")
	text(s, "windows", &f.windows, "LIST", "of lengths such as 1h,4h (default 1h to 10h)")
	text(s, "starts", &f.starts, "LIST", "of times of day such as 09:00,13:00 (default every hour)")
	value(s, "train", &f.train, "P", "share of the days, the oldest, to train on (default 50%)")
	text(s, "ratios", &f.ratios, "LIST", "of other shares to train SMP on, such as 20%,40%,60%, to compare")
	text(s, "baselines", &f.baselines, "LIST", "out of "+strings.Join(machines.BaselineNames, ",")+" (default all), or none")
	value(s, "order", &f.order, "N", "of the time-series models (default 3)")
	toggle(s, "aic", &f.aic, "choose the order up to N by Akaike's criterion")
	oneOf(s, "series", &f.series, "what the time-series models are fitted to: the window just `BEFORE`, or the same clock window on the training days", nil, "before", "clock")
	text(s, "noise", &f.noise, "LIST", "of numbers of failures put into the training days, such as 1,4,10")
	text(s, "noise-duration", &f.noiseDuration, "RANGE", "that such a failure lasts (default 1min..30min)")
	text(s, "noise-at", &f.noiseAt, "HH:MM", "around which they begin, within half an hour, and the windows with them (default 08:00)")
	value(s, "repetitions", &f.repetitions, "N", "draws of the noise (default 20)")
	value(s, "seed", &f.seed, "N", "of the draws (default 1)")
	oneOf(s, "figure", &f.figure, "`KIND` of --plot and of the CSV: errors, observed, baselines, starts, ratios or noise (default errors)", nil, evaluateFigures...)
	s.needs("figure", "plot", "format=csv")
	estimatorFlag(s, &f.estimator)
	toggle(s, "ages", &f.ages, "count ages from the entry of a state, not from the window's beginning")
}

func (f *evaluateInput) question() (*machines.EvaluateQuestion, error) {
	q := &machines.EvaluateQuestion{Day: f.day, Counts: f.estimator == "counts", AIC: f.aic, Ages: f.ages, SameClock: f.series == "clock"}
	var err error
	if q.Windows, err = durationList("windows", f.windows); err != nil {
		return nil, err
	}
	for _, t := range listed(f.starts) {
		v, err := timeOfDay("starts", t)
		if err != nil {
			return nil, err
		}
		if slices.Contains(q.Starts, v) {
			return nil, &ask.InputError{Field: "starts", Reason: quote(t) + " is given twice"}
		}
		q.Starts = append(q.Starts, v)
	}
	if f.train != nil {
		if q.Train = float64(*f.train); q.Train == 0 {
			return nil, &ask.InputError{Field: "train", Reason: "is 0, want a share such as 50%"}
		}
	}
	for _, t := range listed(f.ratios) {
		v, err := units.Parse[units.Fraction](t)
		if err != nil {
			return nil, &ask.InputError{Field: "ratios", Reason: plainly(err)}
		}
		q.Ratios = append(q.Ratios, float64(v))
	}
	if f.order != nil {
		if *f.order < 1 || *f.order > 64 {
			return nil, &ask.InputError{Field: "order", Reason: "want 1 to 64"}
		}
		q.Order = int(*f.order)
	}
	if q.Models = listed(f.baselines); f.baselines == "none" {
		q.Models = []string{}
	}
	if q.Noise, err = f.noiseQuestion(); err != nil {
		return nil, err
	}
	switch {
	case f.figure == ratiosFigure && q.Ratios == nil:
		return nil, &ask.InputError{Field: "ratios", Reason: "not given: --figure ratios wants shares such as 20%,40%,60%"}
	case f.figure == noiseFigure && q.Noise == nil:
		return nil, &ask.InputError{Field: "noise", Reason: "not given: --figure noise wants numbers of failures such as 1,4,10"}
	}
	return q, nil
}

func (f *evaluateInput) noiseQuestion() (*machines.NoiseQuestion, error) {
	if f.noise == "" {
		for name, given := range map[string]bool{"noise-duration": f.noiseDuration != "", "noise-at": f.noiseAt != "", "repetitions": f.repetitions != nil, "seed": f.seed != nil} {
			if given {
				return nil, &ask.InputError{Field: name, Reason: "belongs to --noise"}
			}
		}
		return nil, nil
	}
	q := &machines.NoiseQuestion{Seed: 1}
	for _, t := range listed(f.noise) {
		n, err := strconv.Atoi(t)
		if err != nil || n < 0 {
			return nil, &ask.InputError{Field: "noise", Reason: quote(t) + ", want numbers of failures such as 1,4,10"}
		}
		q.Instances = append(q.Instances, n)
	}
	if f.noiseDuration != "" {
		low, high, ok := strings.Cut(f.noiseDuration, "..")
		if !ok {
			high = low
		}
		a, err := units.Parse[units.Duration](low)
		b, err2 := units.Parse[units.Duration](high)
		if err != nil || err2 != nil || a <= 0 {
			return nil, &ask.InputError{Field: "noise-duration", Reason: quote(f.noiseDuration) + ", want a range such as 1min..30min"}
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
	if f.repetitions != nil {
		if *f.repetitions < 1 || *f.repetitions > 1e6 {
			return nil, &ask.InputError{Field: "repetitions", Reason: "want 1 to 1e6"}
		}
		q.Repetitions = int(*f.repetitions)
	}
	if f.seed != nil {
		q.Seed = uint64(*f.seed)
	}
	return q, nil
}

func evaluateCommand() *command {
	s := newFlags(true)
	in, f := &hostInput{many: true}, &evaluateInput{}
	f.flags(s)
	in.flags(s)
	return &command{
		name: "evaluate", usage: "how well would the prediction have done?", args: "TRACE...", maxArgs: 10000, flags: s,
		description: `Trains on the first days of each trace and compares prediction and observation
on the others, over start hours and lengths of the window, beside the time-series
models AR, BM, MA, ARMA and LAST and the share of the training days that were
free. The error is |predicted - observed|/observed, of each machine and start and,
"pooled", of the test days of all machines together; a window in which no test day
is free has none. "expected" is the error of a prediction that is right, which
comes of the number of test days alone.

  $ capplan availability evaluate testdata/host-small.csv --day weekday --windows 1h,4h --starts 08:00,12:00,16:00 --order 2

What failures put into the training days change, on several machines:

  $ capplan availability evaluate testdata/hosts-small.csv --day weekday --windows 1h,2h,5h --starts 08:00 --baselines last --noise 1,4 --repetitions 5`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, errNoTrace()
			}
			q, err := f.question()
			if err != nil {
				return nil, err
			}
			q.Explain = s.output.explain
			if q.Labelling, err = in.labelling(ctx); err != nil {
				return nil, err
			}
			if err := in.read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Hosts = in.hosts
			var finish func()
			q.Done, finish = st.counted("evaluate")
			a, err := machines.Evaluate(ctx, q)
			finish()
			if err != nil {
				return nil, err
			}
			var exit error
			if a.Stopped {
				exit = ctx.Err()
			}
			return &result{
				value: a, warnings: slices.Concat(in.warnings, a.Warnings), exit: exit,
				text: func(p *page) { showEvaluation(p, a) },
				rows: func() [][]string { return evaluationRows(a, f.figure) },
				draw: func(context.Context) (*drawing, error) { return drawEvaluation(a, f.figure) },
			}, nil
		},
	}
}

// counted returns what shows the progress of work whose size is told with
// each part.
func (s *streams) counted(what string) (done func(n, all int), finish func()) {
	var add func(int)
	end := func() {}
	done = func(_, all int) {
		if add == nil {
			add, end = s.steps(all, what)
		}
		add(1)
	}
	return done, func() { end() }
}

// listed splits a list at its commas; nil for an empty one.
func listed(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out []string
	for _, part := range strings.Split(text, ",") {
		out = append(out, strings.TrimSpace(part))
	}
	return out
}

func durationList(field, text string) ([]float64, error) {
	var out []float64
	for _, part := range listed(text) {
		d, err := units.Parse[units.Duration](part)
		if err != nil {
			return nil, &ask.InputError{Field: field, Reason: plainly(err)}
		}
		if slices.Contains(out, float64(d)) {
			return nil, &ask.InputError{Field: field, Reason: quote(part) + " is given twice"}
		}
		out = append(out, float64(d))
	}
	return out, nil
}

func showEvaluation(p *page, a *machines.EvaluateAnswer) {
	best := "no relative error is defined"
	if a.Best != nil {
		best = *a.Best + " has the least mean relative error"
		if a.Hosts > 1 && a.BestPool != nil {
			best = fmt.Sprintf("least mean relative error: %s by machine, %s pooled", *a.Best, *a.BestPool)
		}
	}
	p.headline("%s (%s, %s, trained on %s of the days)", best, a.Host, a.Day, units.FormatFraction(a.Train, 3))
	kinds := 1
	if a.Day == "both" {
		kinds = 2
	}
	per := len(a.Models) / kinds
	for k := range kinds {
		models := a.Models[k*per : (k+1)*per]
		showErrors(p, models, "mean error", func(s *machines.ErrorSummary) (string, *float64, *float64) {
			return fmt.Sprintf("%s of %s", count(int64(s.Scores)), count(int64(s.Scores+s.Undefined))), s.Mean, s.Expected
		})
		if a.Hosts > 1 {
			showErrors(p, models, "pooled", func(s *machines.ErrorSummary) (string, *float64, *float64) {
				return count(int64(s.Pools)), s.PoolMean, s.PoolExpected
			})
		}
	}
	showRatios(p, a)
	showNoise(p, a)
	p.explain(a.Explanation)
}

// showErrors shows one kind of mean by window and model; of returns how many
// scores it is of, it, and what a right prediction would show.
func showErrors(p *page, models []machines.ModelScore, title string, of func(*machines.ErrorSummary) (string, *float64, *float64)) {
	rows := [][]string{{models[0].Day + "s, " + title, "scores", "test days", "observed"}}
	for _, m := range models {
		rows[0] = append(rows[0], m.Model)
	}
	rows[0] = append(rows[0], "expected")
	line := func(name string, at func(m int) *machines.ErrorSummary) {
		s := at(0)
		scores, _, expected := of(s)
		row := []string{name, scores, count(int64(s.TestDays)), orDash(optionalFraction(s.Observed))}
		for m := range models {
			_, mean, _ := of(at(m))
			row = append(row, orDash(optionalFraction(mean)))
		}
		rows = append(rows, append(row, orDash(optionalFraction(expected))))
	}
	for w, s := range models[0].Windows {
		line(units.FormatDuration(s.Window, 5), func(m int) *machines.ErrorSummary { return &models[m].Windows[w].ErrorSummary })
	}
	line("all", func(m int) *machines.ErrorSummary { return &models[m].ErrorSummary })
	p.table(rows)
}

func showRatios(p *page, a *machines.EvaluateAnswer) {
	if len(a.Ratios) == 0 {
		return
	}
	rows := [][]string{{"trained on", "scores", "mean error", "greatest by window", "pooled", "greatest by window"}}
	for _, r := range a.Ratios {
		rows = append(rows, []string{units.FormatFraction(r.Train, 3) + " of " + r.Day + "s", count(int64(r.Scores)), orDash(optionalFraction(r.Mean)), orDash(optionalFraction(r.GreatestMean)), orDash(optionalFraction(r.PoolMean)), orDash(optionalFraction(r.PoolGreatestMean))})
	}
	p.table(rows)
}

func showNoise(p *page, a *machines.EvaluateAnswer) {
	if a.Noise == nil {
		return
	}
	n := a.Noise
	rows := [][]string{{"failures put in", "window", "scores", "mean discrepancy", "least", "greatest"}}
	for _, s := range n.Scores {
		rows = append(rows, []string{fmt.Sprintf("%d, %ss", s.Instances, s.Day), units.FormatDuration(s.Window, 5), count(int64(s.Scores)), orDash(optionalFraction(s.Mean)), orDash(optionalFraction(s.Least)), orDash(optionalFraction(s.Greatest))})
	}
	p.table(rows)
	p.row("noise", fmt.Sprintf("%s to %s", units.FormatDuration(n.Shortest, 4), units.FormatDuration(n.Longest, 4)), fmt.Sprintf("around %s, %d draws, seed %d", clockText(n.At), n.Repetitions, n.Seed))
}
