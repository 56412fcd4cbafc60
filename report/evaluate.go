package report

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
)

// Evaluation says how well a prediction would have done. The figure, and the
// data, are those of one of [EvaluationFigures].
func Evaluation(a *machines.EvaluateAnswer, figure string) *Section {
	s := &Section{
		ID:       "evaluation",
		Title:    "How well would the prediction have done?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
		Data:     []Data{evaluationData(a, figure)},
	}
	best := "no relative error is defined"
	if a.Best != nil {
		best = *a.Best + " has the least mean relative error"
		if a.Hosts > 1 && a.BestPool != nil {
			best = fmt.Sprintf("least mean relative error: %s by machine, %s pooled", *a.Best, *a.BestPool)
		}
	}
	s.Say("%s (%s, %s, trained on %s of the days)", best, a.Host, a.Day, fraction(a.Train, 3))
	kinds := len(evaluatedDays(a))
	per := len(a.Models) / kinds
	for k := range kinds {
		models := a.Models[k*per : (k+1)*per]
		s.errors(models, "mean error", func(e *machines.ErrorSummary) (string, *float64, *float64) {
			return count(e.Scores) + " of " + count(e.Scores+e.Undefined), e.Mean, e.Expected
		})
		if a.Hosts > 1 {
			s.errors(models, "pooled", func(e *machines.ErrorSummary) (string, *float64, *float64) {
				return count(e.Pools), e.PoolMean, e.PoolExpected
			})
		}
	}
	s.forecasts(a)
	ratios := s.Table("trained on", "scores", "mean error", "greatest by window", "pooled", "greatest by window")
	for _, r := range a.Ratios {
		ratios.Row(fraction(r.Train, 3)+" of "+r.Day+"s", count(r.Scores), maybe(r.Mean, fraction, 3),
			maybe(r.GreatestMean, fraction, 3), maybe(r.PoolMean, fraction, 3), maybe(r.PoolGreatestMean, fraction, 3))
	}
	if n := a.Noise; n != nil {
		t := s.Table("failures put in", "window", "scores", "mean discrepancy", "least", "greatest")
		for _, x := range n.Scores {
			t.Row(fmt.Sprintf("%d, %ss", x.Instances, x.Day), duration(x.Window, 5), count(x.Scores),
				maybe(x.Mean, fraction, 3), maybe(x.Least, fraction, 3), maybe(x.Greatest, fraction, 3))
		}
		s.Fact("noise", duration(n.Shortest, 4)+" to "+duration(n.Longest, 4),
			fmt.Sprintf("around %s, %d draws, seed %d", clock(n.At), n.Repetitions, n.Seed))
	}
	s.Draws = func(context.Context) ([]Figure, error) {
		var plots []ask.Plot
		for _, p := range evaluationPlots(a, figure) {
			if len(p.Curves) > 0 {
				plots = append(plots, p)
			}
		}
		if len(plots) == 0 {
			return nil, notDrawn("no relative error is defined, there is no curve to draw")
		}
		return s.figures(plots), nil
	}
	return s
}

// errors adds one kind of mean by window and model; of returns how many scores
// it is of, it, and what a right prediction would show.
func (s *Section) errors(models []machines.ModelScore, title string,
	of func(*machines.ErrorSummary) (string, *float64, *float64)) {
	t := s.Table(models[0].Day+"s, "+title, "scores", "test days", "observed")
	for _, m := range models {
		t.Head = append(t.Head, m.Model)
	}
	t.Head = append(t.Head, "expected")
	line := func(name string, at func(m int) *machines.ErrorSummary) {
		e := at(0)
		scores, _, expected := of(e)
		row := []string{name, scores, count(e.TestDays), maybe(e.Observed, fraction, 3)}
		for m := range models {
			_, mean, _ := of(at(m))
			row = append(row, maybe(mean, fraction, 3))
		}
		t.Line(append(row, maybe(expected, fraction, 3))...)
	}
	for w, x := range models[0].Windows {
		line(duration(x.Window, 5), func(m int) *machines.ErrorSummary { return &models[m].Windows[w].ErrorSummary })
	}
	line("all", func(m int) *machines.ErrorSummary { return &models[m].ErrorSummary })
}

// forecasts shows what is defined where no test day was free, too.
func (s *Section) forecasts(a *machines.EvaluateAnswer) {
	t := s.Table("all test days", "days", "predicted", "observed", "absolute error", "Brier")
	for _, m := range a.Models {
		if m.Absolute != nil {
			t.Row(m.Model+", "+m.Day+"s", count(m.TestDays), maybe(m.Predicted, fraction, 3),
				maybe(m.Observed, fraction, 3), maybe(m.Absolute, fraction, 3), maybe(m.Brier, number, 3))
		}
	}
}

func evaluatedDays(a *machines.EvaluateAnswer) []string {
	if a.Day == "both" {
		return []string{"weekday", "weekend"}
	}
	return []string{a.Day}
}
