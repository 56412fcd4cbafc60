package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Lifetime says which law lifetimes follow. Of a trace it is the times in a
// state, up or down. It leads with the law of least AIC and its parameters. A life that the end of
// the record cuts is censored, and counts as longer than what was seen.
func Lifetime(a *survival.LifetimeAnswer, state string) *page.Section {
	s := page.New("lifetime", "Which law do these lifetimes follow?", a.Warnings, a.Explanation)
	name := "lifetime"
	if a.Fleet != nil {
		name = state + " time"
	}
	if a.BestLaw != nil {
		s.Say("%s fits best: %s (%s, %s of them censored)",
			*a.BestLaw, lawParameters(a.Laws[0]), say.Plural(a.Durations, name), say.Count(a.Censored))
	} else {
		s.Say("no law could be fitted to %s, %s of them censored",
			say.Plural(a.Durations, name), say.Count(a.Censored))
	}
	// The means of intervals as they stand count those that were cut as if they had ended, and are
	// too short; MTTF and MTTR count ends that were seen.
	if f := a.Fleet; f != nil {
		s.Fact("machines", say.Count(f.Machines), say.Plural(f.Intervals, "interval"))
		s.Fact("mean up", say.Maybe(f.MeanUp, say.Duration, 4), say.Plural(f.UpSpells, "interval")+", cut ones included")
		s.Fact("mean down",
			say.Maybe(f.MeanDown, say.Duration, 4), say.Plural(f.DownSpells, "interval")+", cut ones included")
		s.Fact("MTTF", say.Maybe(f.MTTF, say.Duration, 4), say.Plural(f.Failures, "failure")+" seen")
		s.Fact("MTTR", say.Maybe(f.MTTR, say.Duration, 4), say.Plural(f.Repairs, "repair")+" seen")
		s.Fact("availability", say.Maybe(f.Availability, say.Fraction, 3), "of the time watched")
	}
	s.Fact("median", say.Maybe(a.Median, say.Duration, 4), medianLimits(a))
	if a.Mean != nil {
		spread := ", ± " + say.Maybe(a.MeanErr, say.Duration, 3)
		// The mean is that under the survival curve up to the greatest time, beyond which nothing
		// is known.
		switch {
		case a.Events == 0:
			spread = "; none has ended, so the error is unknown"
		case a.MeanErr == nil:
			spread = "; all end at one age, so the error is unknown"
		}
		s.Fact("mean", say.Duration(*a.Mean, 4), "longer lives counted as "+say.Maybe(a.MeanUntil, say.Duration, 3)+spread)
	}
	// Where no life has ended, an upper bound does not exist, and a lower one only under a law.
	s.Fact("mean above",
		say.Maybe(a.MeanLower, say.Duration, 4),
		"with "+say.Fraction(a.Level, 4)+" confidence, if lives are exponential")
	// Laws stand by AIC, the best first.
	laws := s.List("law", "parameters", "AIC", "mean", "median")
	for _, l := range a.Laws {
		laws.Row(l.Law, lawParameters(l), say.Number(l.AIC, 5), say.Maybe(l.Mean, say.TimeCell, 3),
			say.Maybe(l.Median, say.TimeCell, 3))
	}
	// The bands are pointwise, at the level that was asked for.
	steps := s.Table("time", "at risk", "ended", "survival", "band")
	for _, x := range fewSteps(a.Survival) {
		steps.Row(say.TimeCell(x.Time, 4), say.Count(x.AtRisk), say.Count(x.Events),
			fmt.Sprintf("%.4f", x.Survival), fmt.Sprintf("%.4f to %.4f", x.Lower, x.Upper))
	}
	// A trace of several machines has a row for each, and the curve is then in the drawing.
	if a.Machines != nil {
		s.Data = []page.Data{page.RowsOf("machines", a.Machines)}
	} else {
		s.Data = []page.Data{page.RowsOf("survival", a.Survival)} // no failure, no step: the header alone
	}
	s.Plots(a, "Observed survival and fitted laws.")
	return s
}

// fewSteps takes at most ten steps of a curve for people. They are evenly spaced by number, with
// the first and the last.
func fewSteps(all []survival.SurvivalStep) []survival.SurvivalStep {
	const most = 10
	if len(all) <= most {
		return all
	}
	var out []survival.SurvivalStep
	for i := range most {
		out = append(out, all[i*(len(all)-1)/(most-1)])
	}
	return out
}

// medianLimits says how sure the median is; a curve that does not fall below one half has none. A
// limit that the band does not reach is open.
func medianLimits(a *survival.LifetimeAnswer) string {
	low, high := say.Maybe(a.MedianLow, say.Duration, 3), say.Maybe(a.MedianTop, say.Duration, 3)
	if low == "" && high == "" {
		return ""
	}
	low = cmp.Or(low, "-")
	high = cmp.Or(high, "no upper limit")
	return fmt.Sprintf("%s limits %s to %s", say.Fraction(a.Level, 4), low, high)
}

// lawParameters writes the parameters with their standard errors. A scale is a time, and takes the
// unit that suits it; shapes have none.
func lawParameters(l survival.LawFit) string {
	var parts []string
	for _, x := range l.Parameters {
		if x.Name == "scale_s" {
			parts = append(parts, "scale "+say.TimeWithError(x.Value, x.StdErr))
			continue
		}
		parts = append(parts, x.Name+" "+say.WithError(x.Value, x.StdErr))
	}
	return strings.Join(parts, ", ")
}
