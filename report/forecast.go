package report

import (
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
)

// shownMachines is how many machines of a fleet are listed as text.
const shownMachines = 50

// Learnt says what was learnt of a fleet, and where it was written.
func Learnt(f *forecast.Fleet, out string) *Section {
	s := &Section{ID: "fleet", Title: "What is known of the fleet?", Notes: f.Warnings}
	failures := 0.0
	for _, m := range f.Hazard.Machines {
		failures += m.Failures
	}
	s.Say("%s, %s: frailties of shape %s",
		Plural(len(f.Records), "machine"), Plural(int(failures), "failure"), number(f.Hazard.Shape, 3))
	s.Fact("failures a day at risk", number(f.Hazard.Base*86400/f.Hazard.Period, 3))
	if n := len(f.Hazard.Groups); n > 0 {
		s.Fact("groups", count(n), "frailties of shape "+number(f.Hazard.GroupShape, 3))
	}
	if out != "" {
		s.Fact("written to", out)
	}
	type row struct {
		Host     string  `json:"host"`
		Failures float64 `json:"failures"`
		Expected float64 `json:"expected_failures"`
		Frailty  float64 `json:"frailty"`
	}
	rows := make([]row, len(f.Hazard.Machines))
	for i, m := range f.Hazard.Machines {
		rows[i] = row{m.Name, m.Failures, m.Expected, m.Frailty}
	}
	s.Data = []Data{rowsOf("machines", rows)}
	return s
}

// Forecast says how likely machines of a fleet stay free.
func Forecast(a *forecast.Answer, ranked bool) *Section {
	s := &Section{
		ID:       "forecast",
		Title:    "How likely are they free?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
		Data:     []Data{rowsOf("machines", a.Machines)},
	}
	if ranked {
		s.Say("take %s (by the chance to stay free, model %s of %s)", a.Choice, a.Model, Plural(a.Fleet, "machine"))
	} else {
		s.Say("%s stays free with %s through %s from %s on a %s (model %s of %s)",
			a.Host, probability(a.Reliability), duration(a.Window, 4), a.Start, a.Day, a.Model,
			Plural(a.Fleet, "machine"))
		if a.Low != nil {
			s.Fact(fraction(a.Level, 4)+" band", fraction(*a.Low, 4)+" to "+fraction(*a.High, 4))
		}
		if a.Model == machines.FrailtyModel {
			s.Fact("a machine not known", fraction(a.Typical, 4))
			s.Fact("frailty", number(a.Machines[0].Frailty, 3), "1 is the mean of the fleet")
			s.Fact("failures seen",
				number(a.Machines[0].Failures, 4), number(a.Machines[0].Expected, 3)+" expected of the mean of the fleet")
		} else {
			s.Fact("failures seen", number(a.Machines[0].Failures, 4))
		}
	}
	s.chosen(a.Chosen)
	if !ranked {
		s.Plots(a, "The machine is free when the window begins.")
		return s
	}
	if a.Model != machines.FrailtyModel {
		s.ranked(a)
		return s
	}
	t := s.Table("machine", "stays free", "from", "to", "frailty", "failures", "expected", "seen free")
	for i, m := range a.Machines {
		if i == shownMachines {
			t.More, t.MoreIn = len(a.Machines)-i, "csv"
			break
		}
		t.Row(m.Name, probability(m.Reliability), maybe(m.Low, fraction, 3), maybe(m.High, fraction, 3), number(m.Frailty, 3),
			number(m.Failures, 4), number(m.Expected, 3), duration(m.Exposure, 3))
	}
	s.Plots(a, "The best machine, free when the window begins.")
	return s
}

// ranked lists machines by a model that knows no frailties.
func (s *Section) ranked(a *forecast.Answer) {
	t := s.Table("machine", "stays free", "from", "to", "failures", "seen free")
	for i, m := range a.Machines {
		if i == shownMachines {
			t.More, t.MoreIn = len(a.Machines)-i, "csv"
			break
		}
		t.Row(m.Name, probability(m.Reliability), maybe(m.Low, fraction, 3), maybe(m.High, fraction, 3),
			number(m.Failures, 4), duration(m.Exposure, 3))
	}
	s.Plots(a, "The best machine, free when the window begins.")
}

// Joint says how likely machines stay free together.
func Joint(a *forecast.JointAnswer) *Section {
	s := &Section{ID: "joint", Title: "How many stay free together?", Notes: a.Warnings, Formulas: a.Explanation}
	s.Say("at least %s of %s stay free with %s through %s from %s on a %s",
		count(a.Least), Plural(a.Of, "machine"), probability(a.Chance), duration(a.Window, 4), a.Start, a.Day)
	s.Fact("free on average", number(a.Mean, 4))
	if a.Groups > 0 {
		s.Fact("if groups shared nothing", fraction(a.Apart, 4), Plural(a.Groups, "group")+" with several of them")
	}
	type row struct {
		Free    int     `json:"free"`
		Chance  float64 `json:"chance"`
		AtLeast float64 `json:"at_least"`
	}
	rows := make([]row, len(a.Law))
	below := 0.0
	for n, p := range a.Law {
		rows[n] = row{n, p, max(0, 1-below)}
		below += p
	}
	s.Data = []Data{rowsOf("law", rows)}
	t := s.Table("free", "chance", "at least so many")
	for n := len(rows) - 1; n >= 0; n-- {
		if len(rows)-1-n == shownMachines {
			t.More, t.MoreIn = n+1, "csv"
			break
		}
		t.Row(count(n), probability(rows[n].Chance), probability(rows[n].AtLeast))
	}
	s.Plots(a, "All are free when the window begins.")
	return s
}
