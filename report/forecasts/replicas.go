package forecasts

import (
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// Replicas says on which machines of a fleet to put copies. It leads with how many copies it takes
// and the chance that one comes through the window.
func Replicas(a *forecast.ReplicasAnswer) *page.Section {
	s := page.New("replicas", "How many replicas, and where?", a.Warnings, a.Explanation)
	s.Say("%s: one survives %s from %s on a %s with %s (target %s)", say.Plural(a.Replicas, "replica"),
		units.FormatDuration(a.Window, 4), a.Start, a.Day, say.Probability(a.Interval), say.Fraction(a.Target, 6))
	s.Fact("no copy survives", say.Fraction(a.IntervalFailure, 4))
	// One copy is what replicas are held against.
	s.Fact("the most reliable alone", say.Probability(a.Best), "of "+say.Plural(a.Of, "machine"))
	// Machines of a group share a frailty, which costs replicas: the number without it says how many.
	if len(a.Groups) > 0 && a.ReplicasApart != nil {
		s.Fact("if groups shared nothing", say.Plural(*a.ReplicasApart, "replica"),
			"the most reliable; with those chosen "+say.Probability(a.Apart))
	}
	// That fewer do not suffice is proven where all choices were gone through.
	switch {
	case a.Replicas == 1: // there are none fewer
	case a.Exact:
		s.Fact("fewer replicas", "no choice of them meets the target")
	default:
		s.Fact("fewer replicas", "at least "+say.Count(a.Least)+" are needed", "not proven to be the least number")
	}
	// Copies stand in the order in which they were added, with the chance of those so far.
	t := s.Table("replica on", "group", "stays free", "failures", "seen free", "one of these survives")
	for i, m := range a.Chosen {
		if i == shownMachines {
			t.More, t.MoreIn = len(a.Chosen)-i, "csv"
			break
		}
		t.Row(m.Name, m.Group, say.Probability(m.Reliability), units.FormatNumber(m.Failures, 4),
			units.FormatDuration(m.Exposure, 3), say.Probability(a.Alternatives[i].Interval))
	}
	groups := s.Table("group", "replicas")
	for _, g := range a.Groups {
		groups.Row(g.Name, say.Count(g.Replicas))
	}
	s.Data = []page.Data{page.RowsOf("replicas", a.Alternatives)}
	// The search adds machines one by one, and the curve has a point for each.
	s.Plots(a, "Each added machine is the one that helps most; all are free when the window begins.")
	return s
}
