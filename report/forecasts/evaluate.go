package forecasts

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// Evaluation says how well a prediction would have done. The figure, and the
// data, are those of one of [EvaluationFigures]. It leads with the model of least mean relative
// error, as iShare section 8 compares them; pooled is the error over the days of all machines
// together.
func Evaluation(a *backtest.EvaluateAnswer, figure string) *page.Section {
	s := page.New("evaluation", "How well would the prediction have done?", a.Warnings, a.Explanation,
		evaluationData(a, figure))
	best := "no relative error is defined"
	if a.Best != nil {
		best = *a.Best + " has the least mean relative error"
		if a.Hosts > 1 && a.BestPool != nil {
			best = fmt.Sprintf("least mean relative error: %s by machine, %s pooled", *a.Best, *a.BestPool)
		}
	}
	// Errors are relative, |predicted − observed| / observed, and are not defined where no test day
	// was free.
	s.Say("%s (%s, %s, trained on %s of the days)", best, a.Host, a.Day, units.FormatFraction(a.Train, 3))
	addDraw(s, a)
	// Weekdays and weekends are scored apart, since people use machines otherwise then.
	kinds := len(evaluatedDays(a))
	// The models are listed for one kind of day and then for the other, the same ones for both.
	per := len(a.Models) / kinds
	for k := range kinds {
		models := a.Models[k*per : (k+1)*per]
		if len(models) == 0 { // stopped before a machine was done
			break
		}
		addErrors(s, models, "mean error", func(e *backtest.ErrorSummary) (string, *float64, *float64) {
			return say.Count(e.Scores) + " of " + say.Count(e.Scores+e.Undefined), e.Mean, e.Expected
		})
		if a.Hosts > 1 {
			addErrors(s, models, "pooled", func(e *backtest.ErrorSummary) (string, *float64, *float64) {
				return say.Count(e.Pools), e.PoolMean, e.PoolExpected
			})
		}
	}
	// What is not relative is defined everywhere, and stands below.
	addForecasts(s, a)
	ratios := s.Table("trained on", "scores", "mean error", "greatest by window", "pooled", "greatest by window")
	for _, r := range a.Ratios {
		ratios.Row(units.FormatFraction(r.Train, 3)+" of "+r.Day+"s",
			say.Count(r.Scores), say.Maybe(r.Mean, units.FormatFraction, 3),
			say.Maybe(r.GreatestMean, units.FormatFraction, 3), say.Maybe(r.PoolMean, units.FormatFraction, 3),
			say.Maybe(r.PoolGreatestMean, units.FormatFraction, 3))
	}
	if n := a.Noise; n != nil {
		t := s.Table("added failures", "window", "scores", "mean discrepancy", "least", "greatest")
		for _, x := range n.Scores {
			t.Row(fmt.Sprintf("%d, %ss", x.Instances, x.Day), units.FormatDuration(x.Window, 5), say.Count(x.Scores),
				say.Maybe(x.Mean, units.FormatFraction, 3), say.Maybe(x.Least, units.FormatFraction, 3),
				say.Maybe(x.Greatest, units.FormatFraction, 3))
		}
		s.Fact("noise", units.FormatDuration(n.Shortest, 4)+" to "+units.FormatDuration(n.Longest, 4),
			fmt.Sprintf("around %s, %s, seed %d", say.Clock(n.At), say.Plural(n.Repetitions, "draw"), n.Seed))
	}
	s.Draws = func(context.Context) ([]page.Figure, error) {
		var plots []ask.Plot
		for _, p := range evaluationPlots(a, figure) {
			if len(p.Curves) > 0 {
				plots = append(plots, p)
			}
		}
		if len(plots) == 0 {
			return nil, ask.NothingDrawn("no relative error is defined, there is no curve to draw")
		}
		return s.Figures(plots), nil
	}
	return s
}

// addDraw says what a judgement by some machines, or some test days, is short of.
func addDraw(s *page.Section, a *backtest.EvaluateAnswer) {
	var mean, pool, predicted *float64 // the greatest standard errors
	wider := func(to **float64, v *float64) {
		if v != nil && (*to == nil || *v > **to) {
			*to = v
		}
	}
	for _, m := range a.Models {
		wider(&mean, m.MeanSE)
		wider(&pool, m.PoolSE)
		wider(&predicted, m.PredictedSE)
	}
	if a.DrawnOf > 0 {
		remark := "too few for a standard error"
		if mean != nil {
			remark = fmt.Sprintf("the mean errors over all windows have standard errors of at most %s, pooled %s",
				say.Maybe(mean, units.FormatFraction, 2), say.Maybe(pool, units.FormatFraction, 2))
		}
		s.Fact("machines", say.Count(a.Hosts)+" drawn of "+say.Count(a.DrawnOf), remark)
	}
	if a.Forecasts > 0 {
		s.Fact("forecasts", "on "+say.Plural(a.Forecasts, "test day")+" of a machine, start and window, drawn",
			fmt.Sprintf("what time-series models predict has a standard error of at most %s",
				say.Maybe(predicted, units.FormatFraction, 2)))
	}
}

// addErrors adds one kind of mean by window and model; of returns how many scores
// it is of, it, and what a right prediction would show. Even a right prediction shows an error,
// since the observed share is of few days; that is the column expected.
func addErrors(s *page.Section, models []backtest.ModelScore, title string,
	of func(*backtest.ErrorSummary) (string, *float64, *float64)) {
	t := s.Table(models[0].Day+"s, "+title, "scores", "test days", "observed")
	for _, m := range models {
		t.Head = append(t.Head, m.Model)
	}
	t.Head = append(t.Head, "expected")
	// All models are scored on the same windows, so that the counts of the first hold for all.
	line := func(name string, at func(m int) *backtest.ErrorSummary) {
		e := at(0)
		scores, _, expected := of(e)
		row := []string{name, scores, say.Count(e.TestDays), say.Maybe(e.Observed, units.FormatFraction, 3)}
		for m := range models {
			_, mean, _ := of(at(m))
			row = append(row, say.Maybe(mean, units.FormatFraction, 3))
		}
		t.Line(append(row, say.Maybe(expected, units.FormatFraction, 3))...)
	}
	for w, x := range models[0].Windows {
		line(units.FormatDuration(x.Window, 5),
			func(m int) *backtest.ErrorSummary { return &models[m].Windows[w].ErrorSummary })
	}
	line("all", func(m int) *backtest.ErrorSummary { return &models[m].ErrorSummary })
}

// addForecasts shows what is defined where no test day was free, too. The Brier score is the mean
// squared difference of prediction and outcome: 0 is perfect.
func addForecasts(s *page.Section, a *backtest.EvaluateAnswer) {
	t := s.Table("all test days", "days", "predicted", "observed", "absolute error", "Brier")
	for _, m := range a.Models {
		if m.Absolute != nil {
			t.Row(m.Model+", "+m.Day+"s", say.Count(m.TestDays), say.Maybe(m.Predicted, units.FormatFraction, 3),
				say.Maybe(m.Observed, units.FormatFraction, 3), say.Maybe(m.Absolute, units.FormatFraction, 3),
				say.Maybe(m.Brier, units.FormatNumber, 3))
		}
	}
}

// evaluatedDays returns the kinds of day by which scores differ.
func evaluatedDays(a *backtest.EvaluateAnswer) []string {
	if a.Day == "both" {
		return []string{"weekday", "weekend"}
	}
	return []string{a.Day}
}
