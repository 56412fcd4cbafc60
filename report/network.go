package report

import "github.com/capplan/capplan/planner/queues"

// Network says what a network of queues does.
func Network(a *queues.NetworkAnswer) *Section {
	s := newSection("network", "What does the network do?", a.Warnings, a.Explanation)
	s.Say("%s, mean response %s (%s, %s)",
		Maybe(a.Throughput, rate, 4), Maybe(a.MeanResponse, duration, 3), a.Queue, a.Method)
	s.Fact("bottleneck", a.Bottleneck)
	s.Fact("headroom", Maybe(a.Headroom, number, 4), "times the load, until the bottleneck is saturated")
	if b := a.Bounds; b != nil {
		s.Fact("throughput at least", Maybe(b.BalancedLower, rate, 4), "balanced job bound")
		s.Fact("throughput at most", Maybe(b.BalancedUpper, rate, 4), "balanced job bound")
		s.Fact("saturation at", Maybe(b.Saturation, number, 4), "customers")
	}
	classes := s.Table("class", "customers", "throughput", "mean response")
	for _, c := range a.Classes {
		classes.Row(c.Name, Count(c.Customers), Maybe(c.Throughput, RateCell, 4), Maybe(c.MeanResponse, TimeCell, 3))
	}
	stations := s.Table("station", "utilization", "mean number", "mean response")
	for _, x := range a.Stations {
		stations.Row(x.Name, Maybe(x.Utilization, fraction, 3), Maybe(x.MeanNumber, number, 4),
			Maybe(x.MeanResponse, TimeCell, 3))
	}
	addSimulation(s, a.Simulation)
	return s
}

// Links says what a network of links loses.
func Links(a *queues.LinksAnswer) *Section {
	s := newSection("links", "What do the links lose?", a.Warnings, a.Explanation)
	s.Say("blocking probability %s over all requests", Maybe(a.Blocking, fraction, 3))
	routes := s.Table("route", "offered load", "blocking")
	for _, r := range a.Routes {
		routes.Row(r.Name, erlangs(r.Load), Maybe(r.Blocking, fraction, 3))
	}
	links := s.Table("link", "circuits", "reduced load", "blocking")
	for _, l := range a.Links {
		links.Row(l.Name, number(l.Servers, 7), sized("", Maybe(l.ReducedLoad, number, 5), " erl"),
			Maybe(l.Blocking, fraction, 3))
	}
	addSimulation(s, a.Simulation)
	return s
}
