package main

import (
	"cmp"
	"slices"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

// The figures of evaluate.
const (
	errorsFigure    = "errors"    // iShare figure 11
	observedFigure  = "observed"  // predicted against observed
	baselinesFigure = "baselines" // figure 13
	startsFigure    = "starts"    // the error by time of day
	ratiosFigure    = "ratios"    // figure 12
	noiseFigure     = "noise"     // figure 14
)

var evaluateFigures = []string{errorsFigure, observedFigure, baselinesFigure, startsFigure, ratiosFigure, noiseFigure}

// evaluationRows returns the table that the figure shows.
func evaluationRows(a *machines.EvaluateAnswer, figure string) [][]string {
	switch figure {
	case observedFigure:
		return scalarRows(a.Cells)
	case startsFigure:
		return scalarRows(a.Starts)
	case ratiosFigure:
		return scalarRows(a.Ratios)
	case noiseFigure:
		return scalarRows(a.Noise.Scores)
	}
	var windows []machines.WindowScore
	for _, m := range a.Models {
		windows = append(windows, m.Windows...)
	}
	return scalarRows(windows)
}

func errNoCurve() error {
	return &usageError{reason: "--plot: no relative error is defined, there is no curve to draw"}
}

// drawEvaluation draws one of the figures.
func drawEvaluation(a *machines.EvaluateAnswer, figure string) (*drawing, error) {
	var charts []chart.Chart
	switch figure {
	case observedFigure:
		charts = append(charts, drawObserved(a))
	case baselinesFigure, startsFigure:
		for _, day := range evaluatedDays(a) {
			c := drawBaselines(a, day)
			if figure == startsFigure {
				c = drawStarts(a, day)
			}
			charts = append(charts, c)
		}
	case ratiosFigure:
		charts = append(charts, drawRatios(a))
	case noiseFigure:
		for _, day := range evaluatedDays(a) {
			charts = append(charts, drawNoise(a, day))
		}
	default:
		if charts = append(charts, drawErrors(a, false)); a.Hosts > 1 {
			charts = append(charts, drawErrors(a, true))
		}
	}
	charts = slices.DeleteFunc(charts, func(c chart.Chart) bool { return len(c.Series) == 0 })
	switch len(charts) {
	case 0:
		return nil, errNoCurve()
	case 1:
		return &drawing{bottom: charts[0]}, nil
	}
	return &drawing{top: &charts[0], bottom: charts[1]}, nil
}

func evaluatedDays(a *machines.EvaluateAnswer) []string {
	if a.Day == "both" {
		return []string{"weekday", "weekend"}
	}
	return []string{a.Day}
}

// sortedBy returns a copy in order of x.
func sortedBy[T any](all []T, x func(T) float64) []T {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b T) int { return cmp.Compare(x(a), x(b)) })
	return out
}

// curve keeps the points that are defined.
func curve[T any](name string, style chart.Style, all []T, x func(T) float64, y func(T) *float64) chart.Series {
	line := chart.Series{Name: name, Style: style}
	for _, v := range sortedBy(all, x) {
		if at := y(v); at != nil {
			line.X, line.Y = append(line.X, x(v)), append(line.Y, *at)
		}
	}
	return line
}

// put adds a series that has a point.
func put(c *chart.Chart, s chart.Series) {
	if len(s.X) > 0 {
		c.Series = append(c.Series, s)
	}
}

func hours(w machines.WindowScore) float64 { return w.Window / 3600 }

func percent(p *float64) *float64 {
	if p == nil {
		return nil
	}
	v := 100 * *p
	return &v
}

// drawErrors draws the error of SMP against the length of the window, from
// least to greatest, with what a right prediction would show.
func drawErrors(a *machines.EvaluateAnswer, pool bool) chart.Chart {
	zero := 0.0
	c := chart.Chart{Title: "Relative error of the predicted reliability", Subtitle: a.Host + ", mean and range over start hours", XLabel: "window (h)", YLabel: "relative error (%)", YMin: &zero, XStep: 1}
	if a.Hosts > 1 {
		c.Subtitle = a.Host + ", mean and range over machines and start hours"
	}
	if pool {
		c.Title, c.Subtitle = "The same with the days of all machines together", "mean and range over start hours"
	}
	for _, m := range a.Models {
		if m.Model != "SMP" {
			continue
		}
		band := chart.Series{Name: m.Day, Style: chart.Band}
		for _, w := range sortedBy(m.Windows, hours) {
			mean, low, high := w.Mean, w.Least, w.Greatest
			if pool {
				mean, low, high = w.PoolMean, w.PoolLeast, w.PoolGreatest
			}
			if mean == nil {
				continue
			}
			band.X, band.Y = append(band.X, hours(w)), append(band.Y, 100**mean)
			band.YLow, band.YHigh = append(band.YLow, 100**low), append(band.YHigh, 100**high)
		}
		put(&c, band)
		put(&c, curve("expected, "+m.Day, chart.Line, m.Windows, hours, func(w machines.WindowScore) *float64 {
			if pool {
				return percent(w.PoolExpected)
			}
			return percent(w.Expected)
		}))
	}
	return c
}

// drawObserved draws each window and start as a point.
func drawObserved(a *machines.EvaluateAnswer) chart.Chart {
	zero, one := 0.0, 1.0
	c := chart.Chart{Title: "Predicted and observed reliability", Subtitle: a.Host + ", a point for each window and start hour", XLabel: "predicted", YLabel: "observed share of test days", YMin: &zero, YMax: &one, XMin: &zero, XMax: &one}
	for _, day := range evaluatedDays(a) {
		points := chart.Series{Name: day, Style: chart.Points}
		for _, s := range a.Cells {
			if s.Day == day && s.Predicted != nil {
				points.X, points.Y = append(points.X, *s.Predicted), append(points.Y, *s.Observed)
			}
		}
		put(&c, points)
	}
	if len(c.Series) > 0 {
		c.Series = append(c.Series, chart.Series{Name: "equal", Style: chart.Line, X: []float64{0, 1}, Y: []float64{0, 1}})
	}
	return c
}

// drawBaselines draws every model's mean error against the window's length.
func drawBaselines(a *machines.EvaluateAnswer, day string) chart.Chart {
	zero := 0.0
	c := chart.Chart{Title: "Relative error by model, " + day + "s", Subtitle: a.Host + ", mean over start hours", XLabel: "window (h)", YLabel: "mean relative error (%)", YMin: &zero, XStep: 1}
	if a.Hosts > 1 {
		c.Subtitle = a.Host + ", mean over machines and start hours"
	}
	for _, m := range a.Models {
		if m.Day == day {
			put(&c, curve(m.Model, chart.Line, m.Windows, hours, func(w machines.WindowScore) *float64 { return percent(w.Mean) }))
		}
	}
	return c
}

// drawStarts draws every model's mean error against the start hour.
func drawStarts(a *machines.EvaluateAnswer, day string) chart.Chart {
	zero := 0.0
	c := chart.Chart{Title: "Relative error by time of day, " + day + "s", Subtitle: a.Host + ", mean over lengths of the window", XLabel: "start (h)", YLabel: "mean relative error (%)", YMin: &zero, XStep: 3}
	for _, m := range a.Models {
		if m.Day != day {
			continue
		}
		var own []machines.StartScore
		for _, s := range a.Starts {
			if s.Model == m.Model && s.Day == day {
				own = append(own, s)
			}
		}
		put(&c, curve(m.Model, chart.Line, own, func(s machines.StartScore) float64 { return s.Start / 3600 }, func(s machines.StartScore) *float64 { return percent(s.Mean) }))
	}
	return c
}

// drawRatios draws the error against the share of days trained on.
func drawRatios(a *machines.EvaluateAnswer) chart.Chart {
	zero := 0.0
	c := chart.Chart{Title: "Relative error against the size of the training set", Subtitle: a.Host, XLabel: "share of the days trained on (%)", YLabel: "relative error (%)", YMin: &zero, XStep: 10}
	for _, day := range evaluatedDays(a) {
		var own []machines.RatioScore
		for _, r := range a.Ratios {
			if r.Day == day {
				own = append(own, r)
			}
		}
		x := func(r machines.RatioScore) float64 { return 100 * r.Train }
		put(&c, curve("mean, "+day, chart.Line, own, x, func(r machines.RatioScore) *float64 { return percent(r.Mean) }))
		put(&c, curve("greatest mean by window, "+day, chart.Line, own, x, func(r machines.RatioScore) *float64 { return percent(r.GreatestMean) }))
		if a.Hosts > 1 {
			put(&c, curve("mean pooled, "+day, chart.Line, own, x, func(r machines.RatioScore) *float64 { return percent(r.PoolMean) }))
		}
	}
	return c
}

// drawNoise draws the discrepancy against the number of failures, by window.
func drawNoise(a *machines.EvaluateAnswer, day string) chart.Chart {
	zero := 0.0
	c := chart.Chart{Title: "Change of the prediction by failures put in, " + day + "s", Subtitle: a.Host + ", mean over draws, windows from " + clockText(a.Noise.At), XLabel: "failures put into the training days of a machine", YLabel: "mean discrepancy (%)", YMin: &zero}
	var windows []float64
	for _, s := range a.Noise.Scores {
		if !slices.Contains(windows, s.Window) {
			windows = append(windows, s.Window)
		}
	}
	slices.Sort(windows)
	for _, w := range windows {
		var own []machines.NoiseScore
		for _, s := range a.Noise.Scores {
			if s.Window == w && s.Day == day {
				own = append(own, s)
			}
		}
		put(&c, curve("T = "+units.FormatDuration(w, 4), chart.Line, own, func(s machines.NoiseScore) float64 { return float64(s.Instances) }, func(s machines.NoiseScore) *float64 { return percent(s.Mean) }))
	}
	return c
}
