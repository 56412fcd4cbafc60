package forecasts

import (
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// Scores says how well models foresaw whether machines stay free. It leads with the model of least
// log loss. Standard errors are clustered by machine, since windows of one machine are alike.
func Scores(a *backtest.ScoreAnswer) *page.Section {
	s := page.New("scores", "How well would the models have predicted it?", a.Warnings, a.Explanation,
		page.RowsOf("scores", a.Models))
	days := a.Day + "s"
	if a.Day == "both" {
		days = "all days"
	}
	machines := say.Plural(a.Machines, "machine")
	if a.DrawnOf > 0 {
		machines += " of those drawn from " + say.Count(a.DrawnOf)
	}
	// The share of windows that were free says how hard the task was.
	s.Say("%s has the least log loss (%s, %s of %s, %s of them free, trained on %s of the days)",
		a.Best, machines, say.Plural(a.Scored, "window"), days,
		units.FormatFraction(a.Observed, 3), units.FormatFraction(a.Train, 3))
	report.AddChosen(s, a.Chosen)
	// The best tenth are the windows that a model holds for the safest: the fewer of these fail,
	// the better a scheduler would choose by it.
	t := s.Table("model", "Brier", "± SE", "log loss", "± SE", "failures in best tenth", "± SE", "predicted",
		"sharpness")
	for _, m := range a.Models {
		t.Row(m.Model, units.FormatNumber(m.Brier, 3), say.Maybe(m.BrierError, units.FormatNumber, 2),
			units.FormatNumber(m.LogLoss, 3),
			say.Maybe(m.LogError, units.FormatNumber, 2),
			units.FormatFraction(m.BestTenth, 3), say.Maybe(m.TenthError, units.FormatFraction, 2),
			units.FormatFraction(m.Predicted, 3),
			units.FormatNumber(m.Sharpness, 3))
	}
	// Differences are taken window by window, so that their errors are smaller than those of the
	// two scores.
	d := s.Table("difference of", "to", "Brier", "± SE", "log loss", "± SE")
	// The best has nobody to be compared with and no row.
	for _, m := range a.Models {
		if m.Compared != "" {
			d.Row(m.Model, m.Compared, say.Maybe(m.BrierLess, units.FormatNumber, 3),
				say.Maybe(m.BrierLessSE, units.FormatNumber, 2),
				say.Maybe(m.LogLess, units.FormatNumber, 3), say.Maybe(m.LogLessSE, units.FormatNumber, 2))
		}
	}
	// The reliability diagram is of the best model alone: ten lines for each model would hide it.
	for _, m := range a.Models {
		if m.Model != a.Best {
			continue
		}
		b := s.Table("chance by "+m.Model, "windows", "mean chance", "observed", "± SE")
		for _, x := range m.Diagram {
			if x.Windows > 0 {
				b.Row(units.FormatFraction(x.Low, 3)+" to "+units.FormatFraction(x.High, 3), say.Count(x.Windows),
					say.Maybe(x.Predicted, units.FormatFraction, 3),
					say.Maybe(x.Observed, units.FormatFraction, 3), say.Maybe(x.Error, units.FormatFraction, 2))
			}
		}
	}
	s.Plots(a, "Bars are two standard errors, clustered by machine.")
	return s
}
