package forecasts

import (
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// The figures of an evaluation.
const (
	ErrorsFigure    = "errors"    // iShare figure 11
	ObservedFigure  = "observed"  // predicted against observed
	BaselinesFigure = "baselines" // figure 13
	StartsFigure    = "starts"    // the error by time of day
	RatiosFigure    = "ratios"    // figure 12
	NoiseFigure     = "noise"     // figure 14
)

// EvaluationFigures are the figures of an evaluation, the usual one first.
var EvaluationFigures = []string{ErrorsFigure, ObservedFigure, BaselinesFigure, StartsFigure, RatiosFigure, NoiseFigure}

// evaluationData is the table that a figure shows. Its name is that of the figure, whose numbers it
// has.
func evaluationData(a *backtest.EvaluateAnswer, figure string) page.Data {
	switch figure {
	case ObservedFigure:
		return page.RowsOf(figure, a.Cells)
	case StartsFigure:
		return page.RowsOf(figure, a.Starts)
	case RatiosFigure:
		return page.RowsOf(figure, a.Ratios)
	case NoiseFigure:
		return page.RowsOf(figure, noiseScores(a))
	}
	// What is left are figures by the length of the window.
	var windows []backtest.WindowScore
	for _, m := range a.Models {
		windows = append(windows, m.Windows...)
	}
	return page.RowsOf(figure, windows)
}

// noiseScores are none where an evaluation was stopped before its noise was done.
func noiseScores(a *backtest.EvaluateAnswer) []backtest.NoiseScore {
	if a.Noise == nil {
		return nil
	}
	return a.Noise.Scores
}

// evaluationPlots are the plots of a figure, for two kinds of days two. Of several machines the
// means by machine and the pooled days are drawn both.
func evaluationPlots(a *backtest.EvaluateAnswer, figure string) []ask.Plot {
	byDay := func(plot func(*backtest.EvaluateAnswer, string) ask.Plot) []ask.Plot {
		var all []ask.Plot
		for _, day := range evaluatedDays(a) {
			all = append(all, plot(a, day))
		}
		return all
	}
	switch figure {
	case ObservedFigure:
		return []ask.Plot{observedPlot(a)}
	case BaselinesFigure:
		return byDay(baselinesPlot)
	case StartsFigure:
		return byDay(startsPlot)
	case RatiosFigure:
		return []ask.Plot{ratiosPlot(a)}
	case NoiseFigure:
		return byDay(noisePlot)
	}
	// Of one machine the pooled days are its own.
	if a.Hosts > 1 {
		return []ask.Plot{errorsPlot(a, false), errorsPlot(a, true)}
	}
	return []ask.Plot{errorsPlot(a, false)}
}

// own are the scores of a kind. The given list stays as it is. Scores of all models and days come
// in one list.
func own[T any](all []T, of func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !of(v) })
}

var (
	// Windows are whole hours in the paper, and the axis has a mark at each.
	windowHours   = ask.Axis{Name: "window", Unit: "h", Step: 1}
	relativeError = ask.Axis{Name: "relative error", Unit: "fraction"}
	meanError     = ask.Axis{Name: "mean relative error", Unit: "fraction"}
)

// hours is the length of a window in the unit of its axis.
func hours(w backtest.WindowScore) float64 { return w.Window / 3600 }

// over says what a mean is over.
func over(a *backtest.EvaluateAnswer, what string) string {
	if a.Hosts > 1 {
		return a.Host + ", " + what + " over machines and start hours"
	}
	return a.Host + ", " + what + " over start hours"
}

// errorsPlot is the error of SMP against the length of the window, from least to
// greatest, with what a right prediction would show. pool takes the days of all machines together
// in place of means over machines.
func errorsPlot(a *backtest.EvaluateAnswer, pool bool) ask.Plot {
	p := ask.Plot{
		Title:    "Relative error of the predicted reliability",
		Subtitle: over(a, "mean and range"),
		X:        windowHours,
		Y:        relativeError,
	}
	if pool {
		p.Title, p.Subtitle = "The same with the days of all machines together", "mean and range over start hours"
	}
	// The other models have a figure of their own.
	for _, m := range a.Models {
		if m.Model != "SMP" {
			continue
		}
		page.AddCurve(&p, m.Day, m.Windows, hours, func(w backtest.WindowScore) *float64 {
			if pool {
				return w.PoolMean
			}
			return w.Mean
		})
		// A band has its ends at the windows whose mean is defined, in the order of the curve that was
		// added last.
		if n := len(p.Curves); n > 0 && p.Curves[n-1].Name == m.Day {
			band := &p.Curves[n-1]
			band.Style = ask.Filled
			for _, x := range band.X {
				w := m.Windows[slices.IndexFunc(m.Windows, func(w backtest.WindowScore) bool { return hours(w) == x })]
				low, high := w.Least, w.Greatest
				if pool {
					low, high = w.PoolLeast, w.PoolGreatest
				}
				band.Low, band.High = append(band.Low, *low), append(band.High, *high)
			}
		}
		// The curve of a right prediction says how much of the error is chance.
		page.AddCurve(&p, "expected, "+m.Day, m.Windows, hours, func(w backtest.WindowScore) *float64 {
			if pool {
				return w.PoolExpected
			}
			return w.Expected
		})
	}
	return p
}

// observedPlot has a point for each window and start. Points on the diagonal were right.
func observedPlot(a *backtest.EvaluateAnswer) ask.Plot {
	p := ask.Plot{
		Title:    "Predicted and observed reliability",
		Subtitle: a.Host + ", a point for each window and start hour",
		X:        ask.Axis{Name: "predicted", Unit: "fraction", Min: new(float64), Max: ask.Figure(1)},
		Y: ask.Axis{
			Name: "observed share of test days",
			Unit: "fraction",
			Min:  new(float64),
			Max:  ask.Figure(1),
		},
	}
	for _, day := range evaluatedDays(a) {
		points := ask.Curve{Name: day, Style: ask.Apart}
		for _, s := range a.Cells {
			if s.Day == day && s.Predicted != nil {
				points.Add(*s.Predicted, *s.Observed)
			}
		}
		if len(points.X) > 0 {
			p.Curves = append(p.Curves, points)
		}
	}
	// The diagonal is where a prediction is right; alone it would be a figure without data.
	if len(p.Curves) > 0 {
		p.Curves = append(p.Curves, ask.Curve{Name: "equal", X: []float64{0, 1}, Y: []float64{0, 1}})
	}
	return p
}

// baselinesPlot is every model's mean error against the window's length. It is iShare figure 13.
func baselinesPlot(a *backtest.EvaluateAnswer, day string) ask.Plot {
	p := ask.Plot{
		Title:    "Relative error by model, " + day + "s",
		Subtitle: over(a, "mean"),
		X:        windowHours,
		Y:        meanError,
	}
	for _, m := range a.Models {
		if m.Day == day {
			page.AddCurve(&p, m.Model, m.Windows, hours, func(w backtest.WindowScore) *float64 { return w.Mean })
		}
	}
	return p
}

// startsPlot is every model's mean error against the start hour.
func startsPlot(a *backtest.EvaluateAnswer, day string) ask.Plot {
	p := ask.Plot{
		Title:    "Relative error by time of day, " + day + "s",
		Subtitle: a.Host + ", mean over lengths of the window",
		X:        ask.Axis{Name: "start", Unit: "h", Step: 3},
		Y:        meanError,
	}
	for _, m := range a.Models {
		if m.Day == day {
			scores := own(a.Starts, func(s backtest.StartScore) bool { return s.Model == m.Model && s.Day == day })
			page.AddCurve(&p, m.Model, scores, func(s backtest.StartScore) float64 { return s.Start / 3600 },
				func(s backtest.StartScore) *float64 { return s.Mean })
		}
	}
	return p
}

// ratiosPlot is the error against the share of days trained on. It is iShare figure 12.
func ratiosPlot(a *backtest.EvaluateAnswer) ask.Plot {
	p := ask.Plot{
		Title:    "Relative error against the size of the training set",
		Subtitle: a.Host,
		X:        ask.Axis{Name: "share of the days trained on", Unit: "fraction"},
		Y:        relativeError,
	}
	for _, day := range evaluatedDays(a) {
		scores := own(a.Ratios, func(r backtest.RatioScore) bool { return r.Day == day })
		share := func(r backtest.RatioScore) float64 { return r.Train }
		page.AddCurve(&p, "mean, "+day, scores, share, func(r backtest.RatioScore) *float64 { return r.Mean })
		page.AddCurve(&p, "greatest mean by window, "+day, scores, share,
			func(r backtest.RatioScore) *float64 { return r.GreatestMean })
		if a.Hosts > 1 {
			page.AddCurve(&p,
				"mean pooled, "+day, scores, share, func(r backtest.RatioScore) *float64 { return r.PoolMean })
		}
	}
	return p
}

// noisePlot is the discrepancy against the number of failures, by window.
func noisePlot(a *backtest.EvaluateAnswer, day string) ask.Plot {
	if a.Noise == nil {
		return ask.Plot{}
	}
	p := ask.Plot{
		Title:    "Change of the prediction by added failures, " + day + "s",
		Subtitle: a.Host + ", mean over draws, windows from " + say.Clock(a.Noise.At),
		X:        ask.Axis{Name: "failures added to the training days of a machine"},
		Y:        ask.Axis{Name: "mean discrepancy", Unit: "fraction"},
	}
	var windows []float64
	for _, s := range a.Noise.Scores {
		windows = append(windows, s.Window)
	}
	slices.Sort(windows)
	for _, w := range slices.Compact(windows) {
		scores := own(a.Noise.Scores, func(s backtest.NoiseScore) bool { return s.Window == w && s.Day == day })
		page.AddCurve(&p, "T = "+units.FormatDuration(w, 4), scores,
			func(s backtest.NoiseScore) float64 { return float64(s.Instances) },
			func(s backtest.NoiseScore) *float64 { return s.Mean })
	}
	return p
}
