package sizing

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/varying"
)

// shortService is the mean age of a service in progress, as a share of the
// shortest interval, above which SIPP is warned of. By Green, Kolesar and Soares
// SIPP is reliable where services are short against the intervals and the load
// changes slowly.
const shortService = 0.1

// varies reports whether a curve is not constant; the steady state of a constant rate is exact.
func varies(rates []float64) bool { return slices.Min(rates) != slices.Max(rates) }

// queueing is the method of package queueing; the empty one is MOL.
func (m StaffingMethod) queueing() varying.Method {
	switch m {
	case SIPP:
		return varying.SIPP
	case LaggedSIPP:
		return varying.LaggedSIPP
	}
	return varying.MOL
}

// label marks the figures as approximate and warns where SIPP is known to fail:
// services that are not short against the intervals, of mean age age (s), and of a
// curve that repeats within a day. Errors that were measured for the method and for
// the model apart say nothing of both together.
func (s *Staffing) label(a *Figures, warnings *[]string, age float64) {
	if !s.Approximate {
		return
	}
	measured := ask.ApproximationOf(s.approximation())
	switch {
	case a.Approximate:
		a.Method = s.Method.queueing().String() + "; " + a.Method
		a.ErrorRange = nil // each was measured without the other
	case a.WaitProbability == nil || a.Abandonment != nil:
		a.Approximation = ask.Approximation{Approximate: true, Method: measured.Method} // what was measured is waiting
	default:
		a.Approximation = measured
	}
	if s.repeats != "" {
		*warnings = append(*warnings, s.repeats)
	}
	if s.Method != SIPP {
		return
	}
	shortest := math.Inf(1)
	fewer, most := 0, int64(0)
	for _, v := range s.Intervals {
		shortest = math.Min(shortest, v.End-v.Start)
		if d := v.ServersMOL - v.ServersSIPP; d > 0 {
			fewer, most = fewer+1, max(most, d)
		}
	}
	if age > shortService*shortest {
		*warnings = append(*warnings,
			fmt.Sprintf("SIPP assumes services that are short compared with the intervals: a service in progress is "+
				"%.4g s old on average and the shortest interval is %.4g s, so the load follows the arrivals late; "+
				"SIPP gives fewer servers than MOL in %d of %d intervals, by at most %d",
				age, shortest, fewer, len(s.Intervals), most))
	}
}

// approximation is that of the method, or of all three where they give each interval
// the same servers. Where all agree the errors are smaller, since the load then
// changes too slowly to matter.
func (s *Staffing) approximation() *queueing.Approximation {
	if s.agreed() {
		return varying.Agreed()
	}
	return s.Method.queueing().Approximation()
}

// agreed reports whether the three methods give each interval the same servers.
func (s *Staffing) agreed() bool {
	return !slices.ContainsFunc(s.Intervals, func(v Interval) bool {
		return v.ServersSIPP != v.ServersMOL || v.ServersLaggedSIPP != v.ServersMOL
	})
}

// age returns the mean age of a service in progress, s. It is E[S²]/(2E[S]), that
// of a renewal process at a random moment.
func (q *SizeQuestion) age() float64 {
	return float64(q.ServiceTime.Nominal()) * (1 + ask.Or(q.ServiceSCV, 1.0)) / 2
}

// explain shows how each method finds the load of the peak's interval: all three, not only the one
// chosen, because that is where they differ.
func (s *Staffing) explain(e *ask.Explanation, top int, service, scv float64, loads map[StaffingMethod][]float64) {
	v := s.Intervals[top]
	at := ask.Sprintf("interval from %v s to %v s: ", v.Start, v.End)
	e.Step("SIPP load", "a_i = λ_i·E[S]", at+ask.Sprintf("%v·%v = %v erl", v.Rate, service, loads[SIPP][top]),
		"Green, Kolesar, Soares 2001")
	e.Step("lagged SIPP load", "a_i = E[S]·mean of λ(t − E[S_e]) over the interval, E[S_e] = E[S](1 + c_s²)/2",
		at+ask.Sprintf("E[S_e] = %v s, a = %v erl", service*(1+scv)/2, loads[LaggedSIPP][top]),
		"Green, Kolesar, Soares 2001; Eick, Massey, Whitt 1993, eq. 15")
	e.Step("MOL load",
		"m(t) = ∫₀^∞ λ(t − u) P(S > u) du is above a_i for a share s of the interval, "+
			"whose arrivals all count against the limit: limit − s at a_i, or s = 0 and a_i = max m(t)",
		at+ask.Sprintf("a = %v erl", loads[MOL][top]),
		"Jennings, Mandelbaum, Massey, Whitt 1996; Eick, Massey, Whitt 1993, eq. 6")
	if s.Approximate {
		e.Assumptions = append(e.Assumptions,
			"approximate: every interval is sized in steady state under its own load ("+s.Method.queueing().String()+
				" here), and the curve repeats; "+waitErrors(s.approximation()))
	}
}

// waitErrors says how far off the chance to wait was found.
func waitErrors(a *queueing.Approximation) string {
	return fmt.Sprintf("the chance to wait in an interval differed by %+.0f to %+.0f%%, in nine of ten within "+
		"%.0f%%, from %s of %s; other figures were not measured",
		100*a.WaitProbability.Low, 100*a.WaitProbability.High, 100*a.WaitProbability.Most, a.Source, a.Regime)
}
