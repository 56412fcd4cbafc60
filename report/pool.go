package report

import (
	"github.com/capplan/capplan/planner/pools"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Pool says what a pool of dedicated and public machines did, by simulation. It leads with
// elongation, the mean over jobs of response over work less one, and goodput, the work of jobs
// whose elongation is within what users were promised. Both are those of PCU.
func Pool(a *pools.Answer) *page.Section {
	s := page.New("pool", "What does the pool deliver?", a.Warnings, a.Explanation, page.WithParts("pool", a))
	f := &a.Figures
	// A figure that no run has is an empty text, with which a fact is left out.
	share := func(i simulate.Interval) string { return spanned(i, say.Fraction) }
	size := func(i simulate.Interval) string { return spanned(i, say.Number) }
	time := func(i simulate.Interval) string { return spanned(i, say.Duration) }
	s.Say("elongation %s, goodput %s of %s offered (%s)",
		share(f.Elongation), size(f.Goodput), say.Erlangs(a.OfferedLoad), a.Policy)
	s.Fact("elongation of 95% of jobs", share(f.Elongation95))
	// The closed form has no epochs, transfers and failures: what lies between it and the
	// simulation is what these cost.
	if a.Chain != nil {
		s.Fact("elongation by the birth-death chain",
			say.Maybe(a.Chain.Elongation, say.Fraction, 3), "without epochs, transfers and failures: queue pool")
	}
	s.Fact("goodput of the work", share(f.GoodputShare))
	s.Fact("jobs on average", size(f.MeanJobs))
	s.Fact("wait for a machine", time(f.MeanWait))
	s.Fact("down for failures", time(f.DownFailure), "of a job")
	s.Fact("down for migrations", time(f.DownMigration), "of a job")
	s.Fact("work lost", time(f.LostWork), "of a job")
	s.Fact("migrations in an epoch", size(f.MigrationsPerEpoch))
	s.Fact("time of a migration", time(f.MigrationTime))
	s.Fact("uplink, downlink", share(f.UplinkUse), share(f.DownlinkUse))
	s.Fact("work on public machines", share(f.PublicShare))
	s.Fact("public machines held", size(f.PublicHeld))
	s.Fact("dedicated machines busy", share(f.DedicatedUse))
	s.Fact("dropped", share(f.DroppedShare))
	s.Fact("goodput with min(V0, B)", size(f.Correlation), "correlation over the users")
	// The seed and the horizon are what is needed to come to the same bytes.
	s.Fact("simulated", say.Plural(a.Replications, "run")+" of "+say.Duration(a.Horizon, 3),
		"seed "+say.Count(a.Seed)+", "+say.Plural(a.Events, "event"))
	return s
}

// spanned writes a figure with its interval. A single run has no interval.
func spanned(i simulate.Interval, write func(float64, int) string) string {
	if i.Mean == nil {
		return ""
	}
	text := belowZero(*i.Mean, write)
	if i.Low == nil || i.High == nil {
		return text
	}
	return text + " (" + belowZero(*i.Low, write) + " to " + belowZero(*i.High, write) + ")"
}

// belowZero writes a number that may be below 0 with a format of one that may
// not. An elongation, or the lower end of its interval, may lie below 0.
func belowZero(v float64, write func(float64, int) string) string {
	if v < 0 {
		return "−" + write(-v, 4)
	}
	return write(v, 4)
}
