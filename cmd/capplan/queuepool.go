package main

import (
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/units"
)

// showElastic shows dedicated servers backed by public machines.
func showElastic(p *page, a *queues.QueueAnswer) {
	servers := units.FormatNumber(a.Servers, 7)
	if a.ServersReal != nil {
		p.headline("%s dedicated servers (elongation %s, %s)", servers, units.FormatFraction(*a.Elongation, 4), erlangs(a.OfferedLoad))
		p.row("with a fractional server", optionalNumber(a.ServersReal, 6))
	} else {
		p.headline("elongation %s (%s dedicated servers, %s)", units.FormatFraction(*a.Elongation, 4), servers, erlangs(a.OfferedLoad))
	}
	p.row("by the mean field", units.FormatFraction(*a.MeanFieldElongation, 4), "as if the number of jobs did not vary")
	p.row("mean response", optionalTime(a.MeanResponse))
	p.row("utilization", optionalFraction(a.Utilization), "of the dedicated servers")
	p.row("work on public machines", optionalFraction(a.PublicShare))
	p.row("jobs on average", optionalNumber(a.MeanJobs, 6))
	p.row("public machines on average", optionalNumber(a.MeanPublic, 6))
	if a.Percentile != nil {
		p.row("jobs, "+percentileName(*a.Percentile), optionalNumber(a.JobsPercentile, 7))
		p.row("public machines, "+percentileName(*a.Percentile), optionalNumber(a.PublicPercentile, 7))
	}
	p.explain(a.Explanation)
}
