package report

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/survival"
)

// Lifetime says which law lifetimes follow. Of a trace it is the times in a
// state, up or down.
func Lifetime(a *survival.LifetimeAnswer, state string) *Section {
	s := newSection("lifetime", "Which law do these lifetimes follow?", a.Warnings, a.Explanation)
	name := "lifetimes"
	if a.Fleet != nil {
		name = state + " times"
	}
	if a.BestLaw != nil {
		s.Say("%s fits best: %s (%s %s, %s of them censored)",
			*a.BestLaw, lawParameters(a.Laws[0]), Count(a.Durations), name, Count(a.Censored))
	} else {
		s.Say("no law could be fitted to %s %s, %s of them censored", Count(a.Durations), name, Count(a.Censored))
	}
	if f := a.Fleet; f != nil {
		s.Fact("machines", Count(f.Machines), Plural(f.Intervals, "interval"))
		s.Fact("mean up", Maybe(f.MeanUp, duration, 4), Plural(f.UpSpells, "interval")+" as they stand")
		s.Fact("mean down", Maybe(f.MeanDown, duration, 4), Plural(f.DownSpells, "interval")+" as they stand")
		s.Fact("MTTF", Maybe(f.MTTF, duration, 4), Plural(f.Failures, "failure")+" seen")
		s.Fact("MTTR", Maybe(f.MTTR, duration, 4), Plural(f.Repairs, "repair")+" seen")
		s.Fact("availability", Maybe(f.Availability, fraction, 3), "of the time watched")
	}
	s.Fact("median", Maybe(a.Median, duration, 4), medianLimits(a))
	if a.Mean != nil {
		spread := ", ± " + Maybe(a.MeanErr, duration, 3)
		switch {
		case a.Events == 0:
			spread = "; none has ended, so that no error can be told"
		case a.MeanErr == nil:
			spread = "; one age at the end tells of no error"
		}
		s.Fact("mean", duration(*a.Mean, 4), "up to "+Maybe(a.MeanUntil, duration, 3)+spread)
	}
	s.Fact("mean above",
		Maybe(a.MeanLower, duration, 4), "with "+fraction(a.Level, 4)+" confidence, lives being exponential")
	laws := s.List("law", "parameters", "AIC", "mean", "median")
	for _, l := range a.Laws {
		laws.Row(l.Law, lawParameters(l), number(l.AIC, 5), Maybe(l.Mean, TimeCell, 3), Maybe(l.Median, TimeCell, 3))
	}
	steps := s.Table("time", "at risk", "ended", "survival", "band")
	for _, x := range fewSteps(a.Survival) {
		steps.Row(TimeCell(x.Time, 4), Count(x.AtRisk), Count(x.Events),
			fmt.Sprintf("%.4f", x.Survival), fmt.Sprintf("%.4f to %.4f", x.Lower, x.Upper))
	}
	if a.Machines != nil {
		s.Data = []Data{rowsOf("machines", a.Machines)}
	} else {
		s.Data = []Data{rowsOf("survival", a.Survival)} // no failure, no step: the header alone
	}
	s.Plots(a, "What was seen, and the laws fitted to it.")
	return s
}

// fewSteps takes at most ten steps of a curve for people.
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

func medianLimits(a *survival.LifetimeAnswer) string {
	low, high := Maybe(a.MedianLow, duration, 3), Maybe(a.MedianTop, duration, 3)
	if low == "" && high == "" {
		return ""
	}
	if low == "" {
		low = "-"
	}
	if high == "" {
		high = "no upper limit"
	}
	return fmt.Sprintf("%s limits %s to %s", fraction(a.Level, 4), low, high)
}

// lawParameters writes the parameters with their standard errors.
func lawParameters(l survival.LawFit) string {
	var parts []string
	for _, x := range l.Parameters {
		if x.Name == "scale_s" {
			parts = append(parts, "scale "+timeWithError(x.Value, x.StdErr))
			continue
		}
		parts = append(parts, x.Name+" "+withError(x.Value, x.StdErr))
	}
	return strings.Join(parts, ", ")
}
