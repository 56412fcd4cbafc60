package report

import (
	"fmt"

	"github.com/capplan/capplan/planner/sizing"
)

// Capacity says how much load a fleet can take.
func Capacity(a *sizing.CapacityAnswer) *Section {
	s := newSection("capacity", "How much load can the fleet take?", a.Warnings, a.Explanation)
	fleet := Plural(a.Servers, "server")
	addShortfall(s, a.When, fleet)
	switch {
	case a.MaxServiceTime != nil:
		s.Say("service times up to %s with %s (%s)", duration(*a.MaxServiceTime, 4), fleet, a.Model.Words())
	case a.SolveFor == sizing.SolveObjective:
		s.Say("%s at %s (%s)", fleet, erlangs(a.OfferedLoad), a.Model.Words())
	case a.MaxRate != nil:
		s.Say("%s, up to %s, with %s (%s)", erlangs(a.OfferedLoad), rate(*a.MaxRate, 4), fleet, a.Model.Words())
	default:
		s.Say("%s with %s (%s)", erlangs(a.OfferedLoad), fleet, a.Model.Words())
	}
	addFleet(s, a.Model, &a.Figures, a.Objectives, a.Binding)
	s.Fact("equivalent servers", Maybe(a.Equivalent, number, 4))
	if a.PublicCount != "" {
		s.Fact("public machines", a.PublicCount.Words())
	}
	s.Plots(a, "What smaller and larger fleets can take.")
	return s
}

// addShortfall says when a load that grows is too much.
func addShortfall(s *Section, w *sizing.FallsShort, fleet string) {
	switch {
	case w == nil:
		return
	case w.Date == nil:
		s.Say("%s do not fall short within 200 years at %s a year", fleet, number(100*w.Growth, 6)+"%")
	case w.Room < 1:
		s.Say("%s fall short today: %s come in", fleet, erlangs(w.Load))
	default:
		s.Say("%s fall short on %s, in %s: %s on %s, growing by %s a year",
			fleet, *w.Date, duration(*w.Years*365.25*86400, 3), erlangs(w.Load), w.AsOf, number(100*w.Growth, 6)+"%")
	}
	s.Fact("room to grow", number(w.Room, 4)+" times", "the load of "+w.AsOf)
}

// Check says whether a fleet meets the objectives.
func Check(a *sizing.CheckAnswer) *Section {
	s := newSection("check", "Does the fleet meet the objectives?", a.Warnings, a.Explanation)
	if a.Met {
		s.Say("met: %s for %s (%s)", Plural(a.Servers, "server"), erlangs(a.OfferedLoad), a.Model.Words())
	} else {
		s.Say("not met: %s for %s, %s short (%s)",
			Plural(a.Servers, "server"), erlangs(a.OfferedLoad), Count(a.Shortfall), a.Model.Words())
	}
	if a.Unstable {
		s.Fact("unstable", "yes", "fewer servers than erlangs: the queue grows without end")
	} else {
		addFleet(s, a.Model, &a.Figures, a.Objectives, a.Binding)
	}
	if a.Chance != nil {
		s.Fact("chance",
			fraction(*a.Chance, 3), fmt.Sprintf("to meet the objectives over the draws of the load, seed %d", *a.Seed))
	}
	if a.PublicCount != "" {
		s.Fact("public machines", a.PublicCount.Words())
	}
	addHeadroom(s, a.Headroom)
	s.Fact("needed", Plural(a.Needed, "server"), "for "+a.Binding)
	addReplayed(s, a.Replay)
	addSimulation(s, a.Simulation)
	s.Plots(a, "The least fleet that meets them.")
	return s
}

// Throughput says what a fleet delivers.
func Throughput(a *sizing.ThroughputAnswer) *Section {
	s := &Section{ID: "throughput", Title: "What does the fleet deliver?", Formulas: a.Explanation}
	s.Say("%s of %s offered", rate(a.Throughput, 5), rate(a.Rate, 5))
	s.Fact("equivalent servers", number(a.Equivalent, 4), "dedicated and public together")
	if a.PublicCount != "" {
		s.Fact("public machines", a.PublicCount.Words())
	}
	s.Fact("blocking probability", fraction(a.Blocking, 4))
	s.Fact("utilization", Maybe(a.Utilization, fraction, 3))
	s.Fact("offered load", erlangs(a.OfferedLoad))
	s.Plots(a, "Beyond its capacity a fleet delivers no more.")
	return s
}
