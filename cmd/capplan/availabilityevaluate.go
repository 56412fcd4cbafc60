package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
)

func evaluateCommand() *command {
	s := newFlags(true)
	in := &hostInput{}
	var day, windows, starts, baselines string
	var train *units.Fraction
	var order *units.Count
	estimator := "censored"
	oneOf(s, "day", &day, "`KIND` of days: weekday or weekend", nil, "weekday", "weekend")
	text(s, "windows", &windows, "LIST", "of lengths such as 1h,4h (default 1h to 10h)")
	text(s, "starts", &starts, "LIST", "of times of day such as 09:00,13:00 (default every hour)")
	value(s, "train", &train, "P", "share of the days, the oldest, to train on (default 50%)")
	text(s, "baselines", &baselines, "LIST", "out of "+strings.Join(planner.BaselineNames, ",")+" (default all), or none")
	value(s, "order", &order, "N", "of the time-series models (default 3)")
	estimatorFlag(s, &estimator)
	in.flags(s)
	return &command{
		name: "evaluate", usage: "how well would the prediction have done?", args: "TRACE", maxArgs: 1, flags: s,
		description: `Trains on the first days of a trace and compares prediction and observation on
the others, over start hours and lengths of the window, beside the time-series
models AR, BM, MA, ARMA and LAST. The error is |predicted - observed|/observed; a
window in which no test day is free has none.

  $ capplan availability evaluate testdata/host-small.csv --day weekday --windows 1h,4h --starts 08:00,12:00,16:00 --order 2`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, errNoTrace()
			}
			q := &planner.EvaluateQuestion{Day: day, Counts: estimator == "counts", Explain: s.output.explain}
			var err error
			if q.Windows, err = durationList("windows", windows); err != nil {
				return nil, err
			}
			for _, t := range listed(starts) {
				v, err := timeOfDay("starts", t)
				if err != nil {
					return nil, err
				}
				q.Starts = append(q.Starts, v)
			}
			if train != nil {
				if q.Train = float64(*train); q.Train == 0 {
					return nil, &planner.InputError{Field: "train", Reason: "is 0, want a share such as 50%"}
				}
			}
			if order != nil {
				if *order < 1 || *order > 64 {
					return nil, &planner.InputError{Field: "order", Reason: "want 1 to 64"}
				}
				q.Order = int(*order)
			}
			if q.Models = listed(baselines); baselines == "none" {
				q.Models = []string{}
			}
			if q.Labelling, err = in.labelling(); err != nil {
				return nil, err
			}
			if err := in.read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Host = &in.hosts[0]
			finish := func() {}
			var add func(int)
			q.Done = func(_, all int) {
				if add == nil {
					add, finish = st.steps(all, "evaluate")
				}
				add(1)
			}
			a, err := planner.EvaluatePrediction(ctx, q)
			finish()
			if err != nil {
				return nil, err
			}
			return &result{
				value: a, warnings: slices.Concat(in.warnings, a.Warnings),
				text: func(p *page) { showEvaluation(p, a) },
				rows: func() [][]string { return evaluationRows(a) },
				draw: func(context.Context) (*drawing, error) { return drawEvaluation(a) },
			}, nil
		},
	}
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
			return nil, &planner.InputError{Field: field, Reason: strip(err)}
		}
		if slices.Contains(out, float64(d)) {
			return nil, &planner.InputError{Field: field, Reason: quote(part) + " is given twice"}
		}
		out = append(out, float64(d))
	}
	return out, nil
}

func showEvaluation(p *page, a *planner.EvaluateAnswer) {
	best := "no relative error is defined"
	if a.Best != nil {
		best = *a.Best + " has the least mean relative error"
	}
	p.headline("%s (%s, %s, trained on %s of the days)", best, a.Host, a.Day, units.FormatFraction(a.Train, 3))
	rows := [][]string{{"window", "starts", "test days"}}
	for _, m := range a.Models {
		rows[0] = append(rows[0], m.Model)
	}
	for w, s := range a.Models[0].Windows {
		row := []string{units.FormatDuration(s.Window, 5), fmt.Sprintf("%d of %d", s.Starts, s.Starts+s.Undefined), count(int64(s.TestDays))}
		for _, m := range a.Models {
			row = append(row, orDash(optionalFraction(m.Windows[w].Mean)))
		}
		rows = append(rows, row)
	}
	all := []string{"all", "", ""}
	for _, m := range a.Models {
		all = append(all, orDash(optionalFraction(m.Mean)))
	}
	p.table(append(rows, all))
	p.explain(a.Explanation)
}

func evaluationRows(a *planner.EvaluateAnswer) [][]string {
	names, _ := scalars(planner.WindowScore{})
	rows := [][]string{names}
	for _, m := range a.Models {
		for _, w := range m.Windows {
			_, cells := scalars(w)
			rows = append(rows, cells)
		}
	}
	return rows
}

// drawEvaluation draws the mean relative error against the window's length.
func drawEvaluation(a *planner.EvaluateAnswer) (*drawing, error) {
	zero := 0.0
	c := chart.Chart{
		Title: "Relative error of the predicted reliability", Subtitle: a.Host + ", " + a.Day + ", mean over start hours",
		XLabel: "window (h)", YLabel: "mean relative error", YMin: &zero,
	}
	for _, m := range a.Models {
		line := chart.Series{Name: m.Model, Style: chart.Line}
		windows := slices.Clone(m.Windows)
		slices.SortFunc(windows, func(x, y planner.WindowScore) int {
			if x.Window < y.Window {
				return -1
			}
			return 1
		})
		for _, w := range windows {
			if w.Mean != nil {
				line.X, line.Y = append(line.X, w.Window/3600), append(line.Y, *w.Mean)
			}
		}
		if len(line.X) > 0 {
			c.Series = append(c.Series, line)
		}
	}
	if len(c.Series) == 0 {
		return nil, &usageError{reason: "--plot: no relative error is defined, there is no curve to draw"}
	}
	return &drawing{bottom: c}, nil
}
