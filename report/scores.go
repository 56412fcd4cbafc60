package report

import (
	"fmt"

	"github.com/capplan/capplan/planner/machines"
)

// Scores says how well models foresaw whether machines stay free.
func Scores(a *machines.ScoreAnswer) *Section {
	s := &Section{
		ID:       "scores",
		Title:    "How well would the models have foreseen it?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
		Data:     []Data{rowsOf("scores", a.Models)},
	}
	days := a.Day + "s"
	if a.Day == "both" {
		days = "all days"
	}
	s.Say("%s has the least log loss (%s machines, %s windows of %s, %s of them free, trained on %s of the days)",
		a.Best, count(a.Machines), count(a.Scored), days, fraction(a.Observed, 3), fraction(a.Train, 3))
	s.chosen(a.Chosen)
	t := s.Table("model", "Brier", "± SE", "log loss", "± SE", "failures in best tenth", "± SE", "predicted",
		"sharpness")
	for _, m := range a.Models {
		t.Row(m.Model, number(m.Brier, 3), maybe(m.BrierError, number, 2), number(m.LogLoss, 3),
			maybe(m.LogError, number, 2),
			fraction(m.BestTenth, 3), maybe(m.TenthError, fraction, 2), fraction(m.Predicted, 3),
			number(m.Sharpness, 3))
	}
	d := s.Table("difference of", "to", "Brier", "± SE", "log loss", "± SE")
	for _, m := range a.Models {
		if m.Compared != "" {
			d.Row(m.Model, m.Compared, maybe(m.BrierLess, number, 3), maybe(m.BrierLessSE, number, 2),
				maybe(m.LogLess, number, 3), maybe(m.LogLessSE, number, 2))
		}
	}
	for _, m := range a.Models {
		if m.Model != a.Best {
			continue
		}
		b := s.Table("chance by "+m.Model, "windows", "mean chance", "observed", "± SE")
		for _, x := range m.Diagram {
			if x.Windows > 0 {
				b.Row(fraction(x.Low, 3)+" to "+fraction(x.High, 3), count(x.Windows), maybe(x.Predicted, fraction, 3),
					maybe(x.Observed, fraction, 3), maybe(x.Error, fraction, 2))
			}
		}
	}
	s.Plots(a, "Bars are two standard errors, clustered by machine.")
	return s
}

// chosen says which model was taken for a record, and why.
func (s *Section) chosen(c *machines.Choice) {
	switch {
	case c == nil:
	case c.Reason != "":
		s.Fact("model", c.Model, "not by its score: "+c.Reason)
	default:
		s.Fact("model", c.Model, fmt.Sprintf("of least log loss, %s, on %s held out (%s, which learnt from %s of the days)",
			number(c.Scores[0].LogLoss, 3), Plural(c.Windows, "window"), Plural(c.Machines, "machine"), fraction(c.Train, 3)))
		se := ""
		if c.AheadSE != nil {
			se = ", standard error " + number(*c.AheadSE, 2)
		}
		s.Fact("next", c.Next, maybe(c.Ahead, number, 3)+" worse"+se)
	}
}
