package report

import (
	"fmt"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/survival"
)

// Replicas says how many replicas there have to be.
func Replicas(a *survival.ReplicasAnswer) *Section { return replicasOn(a, "") }

// replicasOn is Replicas of jobs on a type of machine.
func replicasOn(a *survival.ReplicasAnswer, where string) *Section {
	s := newSection("replicas", "How many replicas?", a.Warnings, a.Explanation)
	enough := "one is"
	if a.Needed > 1 {
		enough = Count(a.Needed) + " are"
	}
	if a.Chosen != nil {
		s.Say("%s of the pool for %s: one is up %s of the time (target %s)", Plural(a.Replicas, "machine"),
			money(*a.Cost), fraction(a.AvailabilityAll, 4), fraction(a.Target, 6))
	} else {
		s.Say("%s%s: at least %s up %s of the time (target %s)", Plural(a.Replicas, "replica"), where,
			enough, fraction(a.AvailabilityAll, 4), fraction(a.Target, 6))
	}
	s.Fact("fractional need", Maybe(a.ReplicasReal, number, 4))
	s.Fact("availability of one", Maybe(a.AvailabilityOne, fraction, 3), upAndDown(a))
	s.Fact("unavailability", fraction(a.Unavailability, 4))
	s.Fact("unavailability floor", Maybe(a.UnavailableFloor, fraction, 3), "no number of replicas gets below")
	s.Fact("all down at once", fraction(a.AllDown, 4), allDown(a))
	if a.Needed > 1 && a.OutageRate != nil {
		s.Fact("fewer than needed", rate(*a.OutageRate, 4), "for "+Maybe(a.OutageTime, duration, 3)+" on average")
	}
	if a.Interval != nil {
		s.Fact("up throughout "+duration(*a.Window, 4), Probability(*a.Interval), "begun "+*a.Start)
		s.Fact("", Probability(*a.IntervalSteady), "begun in the steady state")
		s.Fact("mean time to outage", Maybe(a.MeanToOutage, duration, 3))
		if a.WindowReplicas != nil {
			s.Fact("for the window", Plural(*a.WindowReplicas, "replica"), "meet the target throughout it")
		}
	}
	if a.Gap != nil && !*a.Exact {
		s.Fact("cost, lower bound", money(*a.LowerBound), "gap "+fraction(*a.Gap, 3))
	}
	chosen := s.Table("machine", "availability", "cost")
	for _, m := range a.Chosen {
		chosen.Row(m.Name, fraction(m.Availability, 4), money(m.Cost))
	}
	groups := s.Table("group", "replicas")
	for _, g := range a.Groups {
		groups.Row(g.Name, Count(g.Replicas))
	}
	if len(a.Alternatives) > 0 {
		replicaCandidates(s, a)
	}
	s.Plots(a, "What one replica more or fewer comes to.")
	return s
}

// upAndDown says what the availability of one comes from.
func upAndDown(a *survival.ReplicasAnswer) string {
	if a.MTTF == nil || a.MTTR == nil {
		return ""
	}
	text := fmt.Sprintf("up %s, down %s on average", duration(*a.MTTF, 4), duration(*a.MTTR, 4))
	if a.Trace != nil {
		text += ", by the trace of " + Plural(a.Trace.Machines, "machine")
	}
	return text
}

func allDown(a *survival.ReplicasAnswer) string {
	if a.AllDownRate == nil || *a.AllDownRate == 0 {
		return ""
	}
	return fmt.Sprintf("every %s, for %s on average",
		duration(1 / *a.AllDownRate, 3), Maybe(a.AllDownTime, duration, 3))
}

// replicaCandidates shows one replica fewer and one more.
func replicaCandidates(s *Section, a *survival.ReplicasAnswer) {
	t := s.Table("replicas")
	rows := [][]string{{"meets the target"}, {"availability"}, {"unavailability"}, {"up throughout"}}
	for _, c := range a.Alternatives {
		t.Head = append(t.Head, Count(c.Replicas))
		for i, cell := range []string{yesNo(c.Met), fraction(c.AvailabilityAll, 4), fraction(c.Unavailability, 4),
			Maybe(c.Interval, fraction, 3)} {
			rows[i] = append(rows[i], cell)
		}
	}
	if a.Interval == nil {
		rows = rows[:3]
	}
	for _, r := range rows {
		t.Line(r...)
	}
}

// planReplicas puts the replicas of all types of machine into one section.
func planReplicas(all []planner.TypeReplicas) *Section {
	var s *Section
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
		s.Notes = append(s.Notes[:len(s.Notes):len(s.Notes)], one.Notes...)
	}
	return s
}
