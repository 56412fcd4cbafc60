package forecasts

import (
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
	"slices"
)

// shownMachines is how many machines of a fleet are listed as text. The CSV has all.
const shownMachines = 50

// Fitted shows a fitted fleet, and where it was written. It leads with how much data it was fitted
// to and how much machines differ: frailties of a small shape differ much, of a large one
// hardly.
func Fitted(f *forecast.Fleet, out string) *page.Section {
	s := page.New("fleet", "What is known of the fleet?", f.Warnings, nil)
	failures := 0.0
	for _, m := range f.Hazard.Machines {
		failures += m.Failures
	}
	s.Say("%s, %s: frailties of shape %s",
		say.Plural(len(f.Records), "machine"), say.Plural(int(failures), "failure"),
		units.FormatNumber(f.Hazard.Shape, 3))
	// The hazard is kept for each step, and is easier to judge by the day.
	s.Fact("failures a day at risk", units.FormatNumber(f.Hazard.Base*86400/f.Hazard.Period, 3))
	if n := len(f.Hazard.Groups); n > 0 {
		s.Fact("groups", say.Count(n), "frailties of shape "+units.FormatNumber(f.Hazard.GroupShape, 3))
	}
	if out != "" {
		s.Fact("written to", out)
	}
	// Expected failures are those of a machine of the mean frailty with the same time at risk.
	type row struct {
		Host     string  `json:"host"`
		Failures float64 `json:"failures"`
		Expected float64 `json:"expected_failures"`
		Frailty  float64 `json:"frailty"`
	}
	// Failures seen beside those expected say whether a frailty rests on much.
	rows := make([]row, len(f.Hazard.Machines))
	for i, m := range f.Hazard.Machines {
		rows[i] = row{m.Name, m.Failures, m.Expected, m.Frailty}
	}
	s.Data = []page.Data{page.RowsOf("machines", rows)}
	return s
}

// Forecast says how likely machines of a fleet stay free. It leads with the machine to take, or
// with the chance of the one asked for.
func Forecast(a *forecast.Answer, ranked bool) *page.Section {
	s := page.New("forecast", "How likely are they free?", a.Warnings, a.Explanation,
		page.RowsOf("machines", a.Machines))
	if ranked {
		// The model and the size of the fleet stand in the lead, since both decide what a chance is
		// worth.
		s.Say("take %s (by the chance to stay free, model %s of %s)", a.Choice, a.Model, say.Plural(a.Fleet, "machine"))
	} else {
		s.Say("%s stays free with %s through %s from %s on a %s (model %s of %s)",
			a.Host, say.Probability(a.Reliability), units.FormatDuration(a.Window, 4), a.Start, a.Day, a.Model,
			say.Plural(a.Fleet, "machine"))
		if a.Low != nil {
			s.Fact(units.FormatFraction(a.Level, 4)+" band",
				units.FormatFraction(*a.Low, 4)+" to "+units.FormatFraction(*a.High, 4))
		}
		// Only the frailty model says what a machine without a record would do, and how one differs
		// from the mean.
		if a.Model == backtest.FrailtyModel {
			s.Fact("an unknown machine", units.FormatFraction(a.Typical, 4))
			s.Fact("frailty", units.FormatNumber(a.Machines[0].Frailty, 3), "1 is the mean of the fleet")
			s.Fact("failures seen",
				units.FormatNumber(a.Machines[0].Failures, 4),
				units.FormatNumber(a.Machines[0].Expected, 3)+" expected of the mean of the fleet")
		} else {
			s.Fact("failures seen", units.FormatNumber(a.Machines[0].Failures, 4))
		}
	}
	report.AddChosen(s, a.Chosen)
	if !ranked {
		s.Plots(a, "The machine is free when the window begins.")
		return s
	}
	// Two of the columns are of frailties, which other models do not know.
	frail := a.Model == backtest.FrailtyModel
	t := s.Table("machine", "stays free", "from", "to", "failures", "seen free")
	if frail {
		t.Head = []string{"machine", "stays free", "from", "to", "frailty", "failures", "expected", "seen free"}
	}
	for i, m := range a.Machines {
		if i == shownMachines {
			t.More, t.MoreIn = len(a.Machines)-i, "csv"
			break
		}
		row := []string{m.Name, say.Probability(m.Reliability), say.Maybe(m.Low, units.FormatFraction, 3),
			say.Maybe(m.High, units.FormatFraction, 3), units.FormatNumber(m.Failures, 4),
			units.FormatDuration(m.Exposure, 3)}
		if frail {
			row = slices.Insert(row, 5, units.FormatNumber(m.Expected, 3))
			row = slices.Insert(row, 4, units.FormatNumber(m.Frailty, 3))
		}
		t.Line(row...)
	}
	s.Plots(a, "The best machine, free when the window begins.")
	return s
}

// Joint shows how likely machines stay free together. It leads with the chance that at least a
// given number stay free, and beside it has the same without shared frailties, to show what sharing
// costs.
func Joint(a *forecast.JointAnswer) *page.Section {
	s := page.New("joint", "How many stay free together?", a.Warnings, a.Explanation)
	s.Say("at least %s of %s stay free with %s through %s from %s on a %s",
		say.Count(a.Least), say.Plural(a.Of, "machine"), say.Probability(a.Chance), units.FormatDuration(a.Window, 4),
		a.Start, a.Day)
	s.Fact("free on average", units.FormatNumber(a.Mean, 4))
	if a.Groups > 0 {
		s.Fact("if groups shared nothing",
			units.FormatFraction(a.Apart, 4), say.Plural(a.Groups, "group")+" with several of them")
	}
	// The law of the number that stays free goes from none to all.
	type row struct {
		Free    int     `json:"free"`
		Chance  float64 `json:"chance"`
		AtLeast float64 `json:"at_least"`
	}
	// The chance of at least n is what the law leaves above n−1; rounding may take the sum above 1.
	rows := make([]row, len(a.Law))
	below := 0.0
	for n, p := range a.Law {
		rows[n] = row{n, p, max(0, 1-below)}
		below += p
	}
	s.Data = []page.Data{page.RowsOf("law", rows)}
	t := s.Table("free", "chance", "at least so many")
	// From the greatest number down, which one reads first.
	for n := len(rows) - 1; n >= 0; n-- {
		if len(rows)-1-n == shownMachines {
			t.More, t.MoreIn = n+1, "csv"
			break
		}
		t.Row(say.Count(n), say.Probability(rows[n].Chance), say.Probability(rows[n].AtLeast))
	}
	s.Plots(a, "All are free when the window begins.")
	return s
}
