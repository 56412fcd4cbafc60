package report

import (
	"fmt"
	"slices"

	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/sizing"
)

// Log says what load a log of jobs holds.
func Log(a *sizing.LogAnswer) *Section {
	s := &Section{
		ID:       "log",
		Title:    "What load does the log hold?",
		Notes:    slices.Concat(a.Summary.Warnings, a.Laws.Warnings),
		Formulas: a.Explanation,
	}
	s.Say("%s erlangs of processors offered by %s", number(a.OfferedLoad, 5), Plural(a.Jobs, "job"))
	s.Fact("job rate", rate(a.ArrivalRate, 4), a.RateConvention)
	s.Fact("gap between jobs", duration(a.InterarrivalMean, 4), "SCV "+number(a.InterarrivalSCV, 4))
	s.Fact("run time", duration(a.ServiceMean, 4), "SCV "+number(a.ServiceSCV, 4))
	s.Fact("processors per job", number(a.ProcessorsMean, 4), "in "+Plural(len(a.Classes), "width"))
	s.Fact("peakedness", number(a.Peakedness, 4), "variance over mean of busy processors in an unlimited fleet")
	s.Fact("span", duration(a.SpanS, 4))
	s.Fact("skipped jobs", Count(a.SkippedJobs), "cancelled, or without run time or processors")
	s.Fact("malformed lines", Count(a.MalformedLines))
	t := s.List("law", "parameters", "log-likelihood", "KS distance")
	add := func(name, parameters string, g joblog.Goodness) {
		t.Row(name, parameters, number(g.LogLikelihood, 5), number(g.KS, 3))
	}
	if l := a.Laws.Gaps; l != nil {
		add("gaps: Weibull", "scale "+timeWithError(l.Scale, l.ScaleSE)+", shape "+withError(l.Shape, l.ShapeSE), l.Goodness)
	}
	if l := a.Laws.GapsExponential; l != nil {
		add("gaps: exponential", "mean "+duration(l.Mean, 4), l.Goodness)
	}
	if l := a.Laws.Runs; l != nil {
		add("run times: lognormal", "a "+withError(l.A, l.ASE)+", b "+withError(l.B, l.BSE), l.Goodness)
	}
	if l := a.Laws.RunsExponential; l != nil {
		add("run times: exponential", "mean "+duration(l.Mean, 4), l.Goodness)
	}
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
