package report

import (
	"fmt"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// FleetCheck says whether a fleet of a scenario's machines meets its objectives. It leads with the
// verdict and the fleet; the exit code follows the same verdict.
func FleetCheck(a *planner.FleetAnswer) *page.Section {
	s := page.New("check", "Does the fleet meet the objectives?", a.Warnings, nil)
	sayFleetVerdict(s, a)
	if a.Unstable {
		s.Fact("unstable", "yes", "less capacity than load: the queue grows without end")
	}
	// An objective that the model has no figure for is left out.
	for _, o := range a.Objectives {
		if o.Value != nil {
			s.Fact(objectiveLabel(o.Name, a.Objectives), objectiveValue(o.Name, *o.Value, 3), limitWords(o, a.Binding))
		}
	}
	s.Fact("utilization", say.Maybe(a.Utilization, say.Fraction, 3))
	s.Fact("offered load", say.Erlangs(a.OfferedLoad))
	s.Fact("needed", say.Servers(a.Needed), "of speed 1 to meet the objectives")
	s.Fact("capacity", say.Servers(a.Equivalent), "of speed 1: all machines together")
	if a.Chance != nil {
		objectives := "the objectives"
		if len(a.Broken) > 0 {
			objectives = "the other objectives" // what is broken is not drawn
		}
		remark := fmt.Sprintf("to meet %s over %s of the ranges, seed %d",
			objectives, say.Plural(a.Judged, "draw"), a.Seed)
		if a.Required != nil {
			remark += ", wanted " + say.Fraction(*a.Required, 4)
		}
		s.Fact("chance", say.Chance(*a.Chance, a.Judged), remark)
	}
	// Public machines may all leave at once, which no average shows.
	s.Fact("public machines away", leftAlone(a.PublicAway))
	// The words name the machines that are left after it.
	addAfterLoss(s, a.AfterLoss, func(counts []int64) string {
		var words []string
		for i, n := range counts {
			words = append(words, say.Count(n)+" "+a.Machines[i].Name)
		}
		return say.And(words)
	})
	addFleetMachines(s, a)
	return s
}

// sayFleetVerdict says whether the fleet does, and every reason why it does not.
func sayFleetVerdict(s *page.Section, a *planner.FleetAnswer) {
	// Types without machines are not listed.
	var words []string
	for _, m := range a.Machines {
		if m.Count > 0 {
			words = append(words, say.Count(m.Count)+" "+m.Name)
		}
	}
	fleet := "no machine"
	if len(words) > 0 {
		fleet = say.And(words)
	}
	fleet += " for " + say.Price(a.Money, a.Cost)
	// Whether a chance was asked for decides what "met" means: without one the most likely figures
	// decide, and the chance is stated in addition.
	switch {
	case a.Met && a.Chance != nil && a.Required == nil:
		s.Say("met for the most likely figures: %s; over the ranges with %s chance",
			fleet, say.Chance(*a.Chance, a.Judged))
	case a.Met:
		s.Say("met: %s", fleet)
	case a.Shortfall > 0:
		s.Say("not met: %s, %s of speed 1 short", fleet, say.Plural(a.Shortfall, "server"))
	case len(a.Broken) > 0:
		s.Say("not met: %s", fleet+"; "+a.Broken[0].Reason)
	default:
		s.Say("not met: %s", fleet)
	}
	// The first reason stands in the lead unless the shortfall does.
	for i, b := range a.Broken {
		if i > 0 || a.Shortfall > 0 {
			s.Say("not met: %s", b.Reason)
		}
	}
}

// addFleetMachines lists the machines of the fleet. Where it is short, each row says how many more
// of that type alone would mend it.
func addFleetMachines(s *page.Section, a *planner.FleetAnswer) {
	t := s.Table("machine", "count", "cost", "worth each", "kind")
	if a.Shortfall > 0 {
		t.Head = append(t.Head, "enough if only this type grows")
	}
	for _, m := range a.Machines {
		row := []any{m.Name, say.Count(m.Count), say.Price(a.Money, m.Cost), say.Number(m.Worth, 4), string(m.Kind)}
		if a.Shortfall > 0 {
			// None that can be had of this type alone would do.
			missing := "none"
			switch {
			case m.Untold:
				missing = "not told"
			case m.Missing != nil:
				missing = say.Count(*m.Missing)
			}
			row = append(row, missing)
		}
		t.Row(row...)
	}
}

// leftAlone says what the dedicated machines of a fleet would do alone; nil is a fleet without
// public machines.
func leftAlone(c *sizing.Candidate) string {
	switch {
	case c == nil:
	case c.Unstable:
		return "the dedicated ones could not carry the load"
	case c.Blocking != nil:
		return say.Fraction(*c.Blocking, 2) + " would be lost"
	case c.MeanWait != nil:
		return "the mean wait would be " + say.Duration(*c.MeanWait, 2)
	}
	return ""
}
