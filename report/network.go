package report

import (
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Network says what a network of queues does. It leads with the throughput and mean response of all
// customers. Of a closed network bounds on the throughput stand beside it.
func Network(a *queues.NetworkAnswer) *page.Section {
	s := page.New("network", "What does the network do?", a.Warnings, a.Explanation)
	s.Say("%s, mean response %s (%s, %s)",
		say.Maybe(a.Throughput, say.Rate, 4), say.Maybe(a.MeanResponse, say.Duration, 3), a.Queue, a.Method)
	// The station of greatest utilization saturates first.
	s.Fact("bottleneck", a.Bottleneck)
	s.Fact("headroom", say.Maybe(a.Headroom, say.Number, 4), "times the load, until the bottleneck is saturated")
	// The bounds are computed without the solution, so that a solution outside of them is wrong.
	if b := a.Bounds; b != nil {
		s.Fact("throughput at least", say.Maybe(b.BalancedLower, say.Rate, 4), "balanced job bound")
		s.Fact("throughput at most", say.Maybe(b.BalancedUpper, say.Rate, 4), "balanced job bound")
		s.Fact("saturation at", say.Maybe(b.Saturation, say.Number, 4), "customers")
	}
	// An open network has no classes, and this table then no row.
	classes := s.Table("class", "customers", "throughput", "mean response")
	for _, c := range a.Classes {
		classes.Row(c.Name, say.Count(c.Customers), say.Maybe(c.Throughput, say.RateCell, 4),
			say.Maybe(c.MeanResponse, say.TimeCell, 3))
	}
	stations := s.Table("station", "utilization", "mean number", "mean response")
	for _, x := range a.Stations {
		stations.Row(x.Name, say.Maybe(x.Utilization, say.Fraction, 3), say.Maybe(x.MeanNumber, say.Number, 4),
			say.Maybe(x.MeanResponse, say.TimeCell, 3))
	}
	addSimulation(s, a.Simulation)
	return s
}

// Links says what a network of links loses. A route is blocked by any of its links; the reduced
// load of a link is what the other links let through to it.
func Links(a *queues.LinksAnswer) *page.Section {
	s := page.New("links", "What do the links lose?", a.Warnings, a.Explanation)
	s.Say("blocking probability %s over all requests", say.Maybe(a.Blocking, say.Fraction, 3))
	routes := s.Table("route", "offered load", "blocking")
	for _, r := range a.Routes {
		routes.Row(r.Name, say.Erlangs(r.Load), say.Maybe(r.Blocking, say.Fraction, 3))
	}
	links := s.Table("link", "circuits", "reduced load", "blocking")
	for _, l := range a.Links {
		links.Row(l.Name, say.Number(l.Servers, 7), say.Sized("", say.Maybe(l.ReducedLoad, say.Number, 5), " erl"),
			say.Maybe(l.Blocking, say.Fraction, 3))
	}
	addSimulation(s, a.Simulation)
	return s
}
