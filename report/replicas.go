package report

import (
	"fmt"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Replicas says how many replicas there have to be. It leads with the number of replicas, or with
// the machines chosen out of a pool, and the availability that they reach.
func Replicas(a *survival.ReplicasAnswer) *page.Section { return replicasOn(a, "") }

// replicasOn is Replicas of jobs on a type of machine. where is empty, or begins with a blank.
func replicasOn(a *survival.ReplicasAnswer, where string) *page.Section {
	s := page.New("replicas", "How many replicas?", a.Warnings, a.Explanation)
	cost := func(v float64) string { return a.Money.Write(v, say.Money) }
	enough := "one is"
	if a.Needed > 1 {
		enough = say.Count(a.Needed) + " are"
	}
	// Machines that differ are named and priced; replicas that are alike are counted.
	if a.Chosen != nil {
		s.Say("%s of the pool for %s: one is up %s of the time (target %s)", say.Plural(a.Replicas, "machine"),
			cost(*a.Cost), say.Fraction(a.AvailabilityAll, 4), say.Asked(a.Target, 6))
	} else {
		s.Say("%s%s: at least %s up %s of the time (target %s)", say.Plural(a.Replicas, "replica"), where,
			enough, say.Fraction(a.AvailabilityAll, 4), say.Asked(a.Target, 6))
	}
	// The fractional need says how much room the whole number leaves.
	s.Fact("fractional need", say.Maybe(a.ReplicasReal, say.Number, 4))
	s.Fact("availability of one", say.Maybe(a.AvailabilityOne, say.Fraction, 3), upAndDown(a))
	// Beyond three nines the digits of unavailability tell more than those of availability.
	s.Fact("unavailability", say.Fraction(a.Unavailability, 4))
	// A cause that takes all replicas down together bounds what more of them can do.
	s.Fact("unavailability floor", say.Maybe(a.UnavailableFloor, say.Fraction, 3), "no number of replicas gets below")
	s.Fact("all down at once", say.Fraction(a.AllDown, 4), outages(a.AllDownRate, a.AllDownTime))
	// The time that fewer are up than needed is the unavailability.
	if a.Needed > 1 {
		s.Fact("fewer than needed", say.Fraction(a.Unavailability, 4), outages(a.OutageRate, a.OutageTime))
	}
	// A window asks for more than availability: enough replicas have to be up throughout.
	if a.Interval != nil {
		// Begun in the steady state some replicas may be down at the start, and the chance is less.
		s.Fact("up throughout "+say.Duration(*a.Window, 4), say.Probability(*a.Interval), "begun "+*a.Start)
		s.Fact("", say.Probability(*a.IntervalSteady), "started in the steady state")
		s.Fact("mean time to outage", say.Maybe(a.MeanToOutage, say.Duration, 3))
	}
	if a.WindowReplicas != nil {
		s.Fact("for the window", say.Plural(*a.WindowReplicas, "replica"), "meet the target throughout it")
	}
	// A pool too large to try all sets has a bound on the cost instead of a proof.
	if a.Gap != nil && !*a.Exact {
		s.Fact("cost, lower bound", cost(*a.LowerBound), "gap "+say.Fraction(*a.Gap, 3))
	}
	chosen := s.Table("machine", "availability", "cost")
	for _, m := range a.Chosen {
		chosen.Row(m.Name, say.Fraction(m.Availability, 4), cost(m.Cost))
	}
	groups := s.Table("group", "replicas")
	for _, g := range a.Groups {
		groups.Row(g.Name, say.Count(g.Replicas))
	}
	if len(a.Alternatives) > 0 {
		replicaCandidates(s, a)
	}
	s.Plots(a, "One replica more or fewer.")
	return s
}

// upAndDown says what the availability of one comes from. It is empty where the availability itself
// was given.
func upAndDown(a *survival.ReplicasAnswer) string {
	if a.MTTF == nil || a.MTTR == nil {
		return ""
	}
	text := fmt.Sprintf("up %s, down %s on average", say.Duration(*a.MTTF, 4), say.Duration(*a.MTTR, 4))
	if a.Trace != nil {
		text += ", by the trace of " + say.Plural(a.Trace.Machines, "machine")
	}
	return text
}

// outages says how often they come and how long they last. rate is per s; the mean time between
// outages is one over it.
func outages(rate, length *float64) string {
	if rate == nil || *rate == 0 {
		return ""
	}
	return fmt.Sprintf("every %s, for %s on average", say.Duration(1 / *rate, 3), say.Maybe(length, say.Duration, 3))
}

// replicaCandidates shows one replica fewer and one more. The one below fails the target, which is
// the proof that the answer is the least.
func replicaCandidates(s *page.Section, a *survival.ReplicasAnswer) {
	t := s.Table("replicas")
	// The numbers stand as columns, so that one reads along a figure.
	rows := [][]string{{"meets the target"}, {"availability"}, {"unavailability"}, {"up throughout"}}
	for _, c := range a.Alternatives {
		t.Head = append(t.Head, say.Count(c.Replicas))
		for i, cell := range []string{say.YesNo(c.Met), say.Fraction(c.AvailabilityAll, 4),
			say.Fraction(c.Unavailability, 4), say.Maybe(c.Interval, say.Fraction, 3)} {
			rows[i] = append(rows[i], cell)
		}
	}
	// The last row is of the window, if one was asked for.
	if a.Interval == nil {
		rows = rows[:3]
	}
	for _, r := range rows {
		t.Line(r...)
	}
}

// planReplicas puts the replicas of all types of machine into one section. nil without any. The
// first type leads, and the others stand below with leads of their own.
func planReplicas(all []planner.TypeReplicas) *page.Section {
	var s *page.Section
	for i := range all {
		where := ""
		switch r := &all[i]; {
		case r.Machine != "":
			where = " on " + r.Machine
		case r.From != "":
			where = " by " + r.From
		}
		one := replicasOn(&all[i].ReplicasAnswer, where)
		if s == nil {
			s = one
			continue
		}
		s.Add(one)
		// The slice is cut to its length: the notes of the answer itself are not written over.
		s.Notes = append(s.Notes[:len(s.Notes):len(s.Notes)], one.Notes...)
	}
	return s
}
