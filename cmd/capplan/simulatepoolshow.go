package main

import (
	"github.com/capplan/capplan/planner/pools"
	"github.com/capplan/capplan/units"
)

// showPool shows what a pool did.
func showPool(p *page, a *pools.Answer) {
	f := &a.Figures
	p.headline("elongation %s, goodput %s of %s offered (%s)", spanned(f.Elongation, fraction4), spanned(f.Goodput, number4),
		erlangs(a.OfferedLoad), a.Policy)
	p.row("elongation of 95 % of jobs", spanned(f.Elongation95, fraction4))
	if a.Chain != nil {
		p.row("elongation by the chain", optionalFraction(a.Chain.Elongation), "without epochs, transfers and failures: queue pool")
	}
	p.row("goodput of the work", spanned(f.GoodputShare, fraction4))
	p.row("jobs on average", spanned(f.MeanJobs, number4))
	p.row("wait for a machine", spanned(f.MeanWait, time4))
	p.row("down for failures", spanned(f.DownFailure, time4), "of a job")
	p.row("down for migrations", spanned(f.DownMigration, time4), "of a job")
	p.row("work lost", spanned(f.LostWork, time4), "of a job")
	p.row("migrations in an epoch", spanned(f.MigrationsPerEpoch, number4))
	p.row("time of a migration", spanned(f.MigrationTime, time4))
	p.row("uplink, downlink", spanned(f.UplinkUse, fraction4), spanned(f.DownlinkUse, fraction4))
	p.row("work on public machines", spanned(f.PublicShare, fraction4))
	p.row("public machines held", spanned(f.PublicHeld, number4))
	p.row("dedicated machines busy", spanned(f.DedicatedUse, fraction4))
	p.row("dropped", spanned(f.DroppedShare, fraction4))
	p.row("goodput with min(V0, B)", spanned(f.Correlation, number4), "correlation over the users")
	p.row("simulated", plural(int64(a.Replications), "run", "runs")+" of "+units.FormatDuration(a.Horizon, 3),
		"seed "+count(int64(a.Seed)), count(int64(a.Events))+" events")
	p.explain(a.Explanation)
}

func fraction4(v float64) string { return units.FormatFraction(v, 4) }
func number4(v float64) string   { return units.FormatNumber(v, 4) }
func time4(v float64) string     { return units.FormatDuration(v, 4) }

// spanned writes a figure with its interval.
func spanned(i pools.Interval, format func(float64) string) string {
	if i.Mean == nil {
		return ""
	}
	text := signed(*i.Mean, format)
	if i.Low == nil || i.High == nil {
		return text
	}
	return text + " (" + signed(*i.Low, format) + " to " + signed(*i.High, format) + ")"
}

// signed writes a number that may be below 0 with a format of one that may not.
func signed(v float64, format func(float64) string) string {
	if v < 0 {
		return "−" + format(-v)
	}
	return format(v)
}

// poolRows are the scalar fields, and the figures with the ends of their intervals.
func poolRows(a *pools.Answer) [][]string {
	names, cells := sweptScalars(a)
	return [][]string{names, cells}
}
