package report

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Capacity says how much load a fleet can take. It leads with the unknown that was asked for: load,
// service time, or the objectives that the fleet meets at a load.
func Capacity(a *sizing.CapacityAnswer) *page.Section {
	s := page.New("capacity", "How much load can the fleet take?", a.Warnings, a.Explanation)
	fleet := say.Plural(a.Servers, "server")
	addShortfall(s, a.When, fleet)
	switch {
	// Each unknown has its own field, and one of them is set.
	case a.MaxServiceTime != nil:
		s.Say("service times up to %s with %s (%s)", say.Duration(*a.MaxServiceTime, 4), fleet, a.Model.Words())
	case a.SolveFor == sizing.SolveObjective:
		s.Say("%s at %s (%s)", fleet, say.Erlangs(a.OfferedLoad), a.Model.Words())
	// A load given in erlangs alone has no rate.
	case a.MaxRate != nil:
		s.Say("%s, up to %s, with %s (%s)", say.Erlangs(a.OfferedLoad), say.Rate(*a.MaxRate, 4), fleet, a.Model.Words())
	default:
		s.Say("%s with %s (%s)", say.Erlangs(a.OfferedLoad), fleet, a.Model.Words())
	}
	addFleet(s, a.Model, &a.Figures, a.Objectives, a.Binding)
	s.Fact("equivalent servers", say.Maybe(a.Equivalent, say.Number, 4))
	if a.PublicCount != "" {
		s.Fact("public machines", a.PublicCount.Words())
	}
	s.Plots(a, "Loads that smaller and larger fleets can take.")
	return s
}

// addShortfall says when a load that grows is too much. Nothing is added where no growth was given.
// The day stands first, since whoever asks for it plans an order.
func addShortfall(s *page.Section, w *growth.FallsShort, fleet string) {
	switch {
	case w == nil:
		return
	case w.Date == nil:
		// The search for the day ends 200 years ahead.
		s.Say("%s are enough for 200 years at %s a year", fleet, say.Number(100*w.Growth, 6)+"%")
	case w.Room < 1:
		s.Say("%s fall short today: %s come in", fleet, say.Erlangs(w.Load))
	default:
		s.Say("%s fall short on %s, in %s: %s on %s, growing by %s a year",
			fleet, *w.Date, say.Duration(float64(w.Days())*86400, 3), say.Erlangs(w.Load), w.AsOf,
			say.Number(100*w.Growth, 6)+"%")
	}
	s.Fact("room to grow", say.Number(w.Room, 4)+" times", "the load of "+w.AsOf)
}

// Check says whether a fleet meets the objectives. The verdict leads; beside it stand the figures
// with their limits, and what the objectives need.
func Check(a *sizing.CheckAnswer) *page.Section {
	s := page.New("check", "Does the fleet meet the objectives?", a.Warnings, a.Explanation)
	// Exit code 3 of a fleet that does not do follows from the same field.
	if a.Met {
		s.Say("met: %s for %s (%s)", say.Plural(a.Servers, "server"), say.Erlangs(a.OfferedLoad), a.Model.Words())
	} else {
		s.Say("not met: %s for %s, %s short (%s)",
			say.Plural(a.Servers, "server"), say.Erlangs(a.OfferedLoad), say.Count(a.Shortfall), a.Model.Words())
	}
	// Without a steady state there are no figures to show.
	if a.Unstable {
		s.Fact("unstable", "yes", "no more servers than erlangs: the queue grows without end")
	} else {
		addFleet(s, a.Model, &a.Figures, a.Objectives, a.Binding)
	}
	if a.Chance != nil {
		s.Fact("chance",
			say.Fraction(*a.Chance, 3),
			fmt.Sprintf("to meet the objectives over the draws of the load, seed %d", *a.Seed))
	}
	if a.PublicCount != "" {
		s.Fact("public machines", a.PublicCount.Words())
	}
	addHeadroom(s, a.Headroom)
	why := ""
	if a.Binding != "" {
		why = "for " + strings.ReplaceAll(a.Binding, "_", " ")
	}
	s.Fact("needed", say.Plural(a.Needed, "server"), why)
	addReplayed(s, a.Replay)
	addSimulation(s, a.Simulation)
	s.Plots(a, "The least fleet that meets them.")
	return s
}

// Throughput says what a fleet delivers. It leads with the rate that is served, out of the rate
// that is offered.
func Throughput(a *sizing.ThroughputAnswer) *page.Section {
	s := page.New("throughput", "What does the fleet deliver?", nil, a.Explanation)
	s.Say("%s of %s offered", say.Rate(a.Throughput, 5), say.Rate(a.Rate, 5))
	s.Fact("equivalent servers", say.Number(a.Equivalent, 4), "dedicated and public together")
	if a.PublicCount != "" {
		s.Fact("public machines", a.PublicCount.Words())
	}
	// What is not served is lost: nobody waits here.
	s.Fact("blocking probability", say.Fraction(a.Blocking, 4))
	s.Fact("utilization", say.Maybe(a.Utilization, say.Fraction, 3))
	s.Fact("offered load", say.Erlangs(a.OfferedLoad))
	s.Plots(a, "Above its capacity a fleet delivers no more.")
	return s
}
