package backtest

import (
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
)

// fill turns the scores into the answer.
func (t *errorTally) fill(a *EvaluateAnswer) error {
	e := t.e
	for k, day := range e.kinds {
		for m, title := range e.titles {
			model := ModelScore{Model: title, Day: day,
				ErrorSummary: t.summary(k, m, every, every)}
			for w, length := range e.windows {
				model.Windows = append(model.Windows,
					WindowScore{title, day, length, t.summary(k, m, every, w)})
			}
			if e.drawnOf > 0 {
				summaries := []*ErrorSummary{&model.ErrorSummary}
				for w := range model.Windows {
					summaries = append(summaries, &model.Windows[w].ErrorSummary)
				}
				t.drawErrors(k, m, e.drawnOf, summaries)
			}
			for s, start := range e.starts {
				a.Starts = append(a.Starts,
					StartScore{title, day, start, t.summary(k, m, s, every)})
			}
			a.Models = append(a.Models, model)
			// The answer has the cells of SMP alone, and SMP tells whether there were enough days.
			if m > 0 {
				continue
			}
			for w, length := range e.windows {
				for s, start := range e.starts {
					a.Cells = append(a.Cells, CellScore{title, day, length, start, t.summary(k, m, s, w)})
				}
			}
			if model.TestDays == 0 {
				return ask.Inputf("day", "the record has too few days of kind %s to train and to test on", day)
			}
			if n := model.Undefined; n > 0 {
				ask.Warn(&a.Warnings,
					"%s: %d of %d scores have no relative error, because test days are missing or the machine was "+
						"free on none of them",
					day, n, n+model.Scores)
			}
		}
	}
	if slices.ContainsFunc(a.Models, func(m ModelScore) bool { return m.PredictedSE != nil }) {
		a.Forecasts = e.forecasts
	}
	a.LeftOut = t.machines - t.useful
	if a.LeftOut > 0 {
		ask.Warn(&a.Warnings, "%d of %d machines have too few days to train and to test on", a.LeftOut, t.machines)
	}
	a.Best = best(a, e, func(s *ErrorSummary) (*float64, int) { return s.Mean, s.Scores })
	a.BestPool = best(a, e, func(s *ErrorSummary) (*float64, int) { return s.PoolMean, s.Pools })
	return nil
}

// best returns the model of least mean over the kinds of day. Each kind counts by
// its scores, and of equals the first, SMP, is named.
func best(a *EvaluateAnswer, e *evaluation, of func(*ErrorSummary) (*float64, int)) *string {
	var name *string
	least := math.Inf(1)
	for m := range e.titles {
		total, n := 0.0, 0
		for k := range e.kinds {
			if mean, count := of(&a.Models[k*len(e.titles)+m].ErrorSummary); mean != nil {
				total, n = total+*mean*float64(count), n+count
			}
		}
		if n > 0 && total/float64(n) < least {
			least, name = total/float64(n), &e.titles[m]
		}
	}
	return name
}

// ratio sums up SMP trained on one share of the days.
func (t *errorTally) ratio(share float64) []RatioScore {
	var out []RatioScore
	for k, day := range t.e.kinds {
		r := RatioScore{Day: day, Train: share, ErrorSummary: t.summary(k, 0, every, every)}
		for w := range t.e.windows {
			s := t.summary(k, 0, every, w)
			// The least that widen finds is not shown.
			var least *float64
			if s.Mean != nil {
				widen(&least, &r.GreatestMean, *s.Mean)
			}
			least = nil
			if s.PoolMean != nil {
				widen(&least, &r.PoolGreatestMean, *s.PoolMean)
			}
		}
		out = append(out, r)
	}
	return out
}
