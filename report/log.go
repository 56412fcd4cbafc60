package report

import (
	"fmt"
	"slices"

	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Log says what load a log of jobs holds. It leads with the offered load in processors: arrivals
// times width times run time. The laws are those of the workload of InterGrid table 2.
func Log(a *records.LogAnswer) *page.Section {
	s := page.New("log", "What load does the log hold?", slices.Concat(a.Summary.Warnings, a.Laws.Warnings),
		a.Explanation)
	s.Say("%s erlangs of processors offered by %s", say.Number(a.OfferedLoad, 5), say.Plural(a.Jobs, "job"))
	s.Fact("job rate", say.Rate(a.ArrivalRate, 4), a.RateConvention)
	s.Fact("gap between jobs", say.Duration(a.InterarrivalMean, 4), "SCV "+say.Number(a.InterarrivalSCV, 4))
	s.Fact("run time", say.Duration(a.ServiceMean, 4), "SCV "+say.Number(a.ServiceSCV, 4))
	s.Fact("processors per job", say.Number(a.ProcessorsMean, 4), "in "+say.Plural(len(a.Classes), "width"))
	// A peakedness above 1 says that jobs come in bursts or are wide, and that Poisson formulas are
	// too hopeful.
	s.Fact("peakedness", say.Number(a.Peakedness, 4), "variance over mean of busy processors in an unlimited fleet")
	s.Fact("span", say.Duration(a.SpanS, 4))
	s.Fact("skipped jobs", say.Count(a.SkippedJobs), "cancelled, or without run time or processors")
	s.Fact("malformed lines", say.Count(a.MalformedLines))
	// The greater log-likelihood fits better among laws of the same data; the KS distance says how
	// far off the better one still is.
	t := s.List("law", "parameters", "log-likelihood", "KS distance")
	add := func(name, parameters string, g joblog.Goodness) {
		t.Row(name, parameters, say.Number(g.LogLikelihood, 5), say.Number(g.KS, 3))
	}
	// A law that could not be fitted is missing, with a warning that says why.
	if l := a.Laws.Gaps; l != nil {
		add("gaps: Weibull",
			"scale "+say.TimeWithError(l.Scale, l.ScaleSE)+", shape "+say.WithError(l.Shape, l.ShapeSE), l.Goodness)
	}
	if l := a.Laws.GapsExponential; l != nil {
		add("gaps: exponential", "mean "+say.Duration(l.Mean, 4), l.Goodness)
	}
	if l := a.Laws.Runs; l != nil {
		add("run times: lognormal", "a "+say.WithError(l.A, l.ASE)+", b "+say.WithError(l.B, l.BSE), l.Goodness)
	}
	if l := a.Laws.RunsExponential; l != nil {
		add("run times: exponential", "mean "+say.Duration(l.Mean, 4), l.Goodness)
	}
	// The log-uniform law is of jobs on more than one processor.
	if l := a.Laws.Sizes; l != nil {
		parameters := fmt.Sprintf("one processor %.3f, power of two %.3f", l.POne, l.PPow2)
		if p := l.Parallel; p != nil {
			add("sizes: two-stage log-uniform",
				fmt.Sprintf("l %.3f, m %.3f, h %.3f, q %.3f; %s", p.L, p.M, p.H, p.Q, parameters), p.Goodness)
		} else {
			t.Row("sizes", parameters, "", "")
		}
	}
	s.Plots(a, "The jobs of the log, and the laws fitted to them.")
	return s
}
