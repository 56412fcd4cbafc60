package sizing

import (
	"cmp"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
)

// Explain returns the formulas behind the figures g of the fleet. The steps stand
// in the order of the computation, each with its formula, the numbers put in, and
// its source. They are made from the figures and compute nothing anew, so that no
// digit can differ from the answer.
func (f *Fleet) Explain(g queueing.Figures) *ask.Explanation {
	e := &ask.Explanation{}
	n, a := ask.Digits(g.Servers), ask.Digits(g.OfferedLoad)
	// A log has its load by job, and its own step says how it is counted.
	if f.Clock && f.jobs == nil {
		e.Step("offered load", "a = λ·E[S]", ask.Sprintf("a = %v/s · %v s = %s erl", g.ArrivalRate, g.ServiceTime, a),
			"definition of the erlang")
	}
	if f.pool != nil {
		f.explainPool(e, g)
	}
	switch {
	// The steps of explainPool name the model: a pool that is averaged changes the formula itself.
	case f.pool != nil && f.pool.Count == CountAveraged:
	case f.log != nil:
		f.explainMultiRate(e, g)
	case f.jobs != nil:
		f.explainSlots(e, g)
	case f.Kind == Loss:
		e.Model = "M/G/n/n, blocked customers lost (Erlang B)"
		e.Step("blocking probability", "B(n, a) = [a ∫₀^∞ e^(−at)(1+t)ⁿ dt]⁻¹, for whole n (aⁿ/n!)/Σ aᵏ/k!",
			ask.Sprintf("B(%s, %s) = %v", n, a, g.Blocking), "Erlang 1917; Jagerman 1974 for real n")
		e.Step("utilization", "ρ = a(1 − B)/n", ask.Sprintf("ρ = %s·(1 − %v)/%s = %v", a, g.Blocking, n, g.Utilization),
			"carried load per server")
		e.Assume(
			"arrivals are Poisson; service times have any law with this mean; an arrival that finds all servers " +
				"busy is lost and does not come back; steady state")
	case f.Kind == Abandon:
		e.Model = "M/M/n+M, a caller who waits too long gives up (Erlang A)"
		e.Step("wait probability", "P(W>0) = λJ/(E + λJ), J = ∫₀^∞ exp(λ(1−e^(−θx))/θ − nμx) dx, E = 1/B(n−1, a)",
			ask.Sprintf("n = %s, a = %s: P(W>0) = %v", n, a, g.WaitProbability), "Zeltyn, Mandelbaum 2005, section 3")
		e.Step("abandonment", "P(ab) = θ·E[W]", ask.Sprintf("P(ab) = %v", g.Abandonment),
			"Zeltyn, Mandelbaum 2005, section 3")
		if o := f.Objectives; o.MaxWait != nil {
			of := cmp.Or(o.ServiceLevelOf, OfOffered)
			e.Step("service level of "+string(of), serviceLevelFormulas[of],
				f.clocked("t = "+ask.Digits(float64(*o.MaxWait)))+": "+ask.Digits(o.serviceLevel(g)),
				"Zeltyn, Mandelbaum 2005, section 3")
		}
		e.Assume(
			"arrivals are Poisson, service times and patience exponential; first come, first served; steady state")
	case f.Kind == Sharing:
		f.explainSharing(e, g)
	default:
		f.explainWait(e, g)
	}
	if f.Kind != Sharing { // which has no wait before the service to convolve with
		f.explainResponses(e, g, "P(T > t) = P(S > t) + ∫₀ᵗ P(W > t − s) dP(S ≤ s)",
			"the wait and the service after it are independent")
	}
	for _, l := range f.Limits {
		numbers := ask.Sprintf("%v ≤ %v", l.Objective.Value(g), l.Objective.Limit)
		switch {
		case !l.Objective.Met(g):
			numbers = ask.Sprintf("%v, not ≤ %v", l.Objective.Value(g), l.Objective.Limit)
		case g.OfferedLoad == 0:
			numbers = "nobody comes"
		}
		e.Step("objective "+l.Name, l.Objective.Metric.String()+" ≤ limit", numbers, "as asked for")
	}
	return e
}

// explainResponses shows a percentile of responses, and the share in time, for each limit on them.
func (f *Fleet) explainResponses(e *ask.Explanation, g queueing.Figures, formula, source string) {
	for _, r := range f.Objectives.responses(g) {
		at := "never"
		if r.Value != nil {
			at = "t = " + ask.Digits(*r.Value) + " s"
		}
		e.Step("response percentile", formula, ask.Sprintf("at %s: %s; within %v s: %s",
			ask.Percent(r.Percentile, 7), at, r.Within, ask.Percent(r.Level, 7)), source)
	}
}

// waitPercentile writes the wait that the share asked for does not exceed.
func (f *Fleet) waitPercentile(g queueing.Figures) string {
	share := f.Objectives.PercentileOrDefault()
	return f.clocked("at " + ask.Percent(share, 7) + ": t = " + ask.Digits(g.WaitPercentile(share)))
}

// explainLeast says of a fleet that was sized that it is the least, and what its
// headroom leaves after the worst loss.
func (f *Fleet) explainLeast(e *ask.Explanation, a *SizeAnswer, needed float64) {
	if needed > 0 {
		e.Step("servers needed", "least n that meets every objective",
			ask.Sprintf("n = %v: %v do not", needed, needed-1), "computed; "+a.Binding+" binds")
	}
	h := a.Headroom
	switch {
	case h == nil:
	case h.Zones == 0:
		e.Step("headroom", "N − spare ≥ n", ask.Sprintf("%d − %d = %d", a.Servers, h.Spare, h.Left),
			"the remaining servers meet the objectives")
	default:
		e.Step("headroom", "(Z − K)·⌊N/Z⌋ + max(0, N mod Z − K) − spare ≥ n",
			ask.Sprintf("(%d − %d)·%d + %d − %d = %d", h.Zones, h.Survive, a.Servers/h.Zones,
				max(0, a.Servers%h.Zones-h.Survive), h.Spare, h.Left),
			"the fullest zones may be the ones lost; the remaining servers meet the objectives")
	}
}

// explainRecommended begins with the fleet that leads where the load is a range; what follows is of the
// nominal load.
func (a *SizeAnswer) explainRecommended() {
	e, r, u := a.Explanation, a.Recommended, a.Uncertainty
	if e == nil {
		return
	}
	e.Of = ask.Sprintf("the nominal %v erl and %d servers", a.OfferedLoad, a.Servers)
	if r == nil {
		return
	}
	formula := map[ask.Reason]string{
		ask.Safe:        ask.Sprintf("least n with P(need ≤ n) ≥ %v", ask.SafeChance),
		ask.LeastRegret: "n of the least expected regret",
		ask.Safest:      "n of the greatest P(need ≤ n)",
	}[r.Reason]
	first := ask.Step{Name: "servers over the ranges", Formula: formula,
		Numbers: ask.Sprintf("P(need ≤ %d) = %v", r.Servers, r.Chance),
		Source:  ask.Sprintf("%d draws from the ranges, seed %d, each sized by the formulas below", u.Samples, u.Seed)}
	e.Steps = append([]ask.Step{first}, e.Steps...)
}

// serviceLevelFormulas holds what each service level counts. The four are those
// of queueing; they are written here as fractions of probabilities, W being the
// wait of who is served or gives up.
var serviceLevelFormulas = map[ServiceLevelOf]string{
	OfOffered: "P(served, W ≤ t)",
	OfServed:  "P(served, W ≤ t)/(1 − P(ab))",
	OfStayed:  "P(served, W ≤ t)/(1 − P(ab, W ≤ t))",
	OfWaits:   "P(W ≤ t), those who gave up included",
}

// explainWait explains a system in which all wait, by the model that was asked: Erlang C where it is
// exact, else what was put in its place.
func (f *Fleet) explainWait(e *ask.Explanation, g queueing.Figures) {
	n, a := ask.Digits(g.Servers), ask.Digits(g.OfferedLoad)
	e.Model = "M/M/c, unlimited waiting room (Erlang C)"
	// Both SCVs are 1 unless the model knows others, and the formula of Allen and
	// Cunneen is then that of Erlang C.
	scvs := [2]float64{1, 1}
	model := f.Model
	if counted, ok := model.(queueing.InUnits); ok {
		model = counted.Model
	}
	// The fitted laws are Erlang C for SCVs of 1, which has the simpler
	// explanation below.
	switch m := model.(type) {
	case queueing.GIGC:
		if a := g.Approximation(); a != nil || m.ArrivalSCV != 1 || m.ServiceSCV != 1 {
			f.explainFitted(e, m, g)
			return
		}
	case queueing.GGC:
		scvs = [2]float64{m.ArrivalSCV, m.ServiceSCV}
	case queueing.GGCBy:
		e.Model = "GI/G/c, " + m.Method.String()
		e.Step("mean wait", "E[W] ≈ φ·(c_a² + c_s²)/2 · C·E[S]/(n − a), φ of the method",
			f.clocked("E[W] = "+ask.Digits(g.MeanWait)), "see the warning")
		return
	}
	e.Step("wait probability", "C(n, a) = n·B/(n − a(1 − B))", ask.Sprintf("C(%s, %s) = %v", n, a, g.WaitProbability),
		"Erlang 1917")
	if scvs == [2]float64{1, 1} {
		e.Step("mean wait", "E[W] = C·E[S]/(n − a)", f.clocked("E[W] = "+ask.Digits(g.MeanWait)), "Little's law")
		e.Step("wait percentile", "P(W > t) = C·e^(−(n−a)t/E[S])", f.waitPercentile(g), "birth-death chain of M/M/c")
		e.Assume("arrivals are Poisson, service times exponential; first come, first served; steady state")
		return
	}
	e.Model = "GI/G/c by Allen-Cunneen"
	e.Step("mean wait", "E[W] ≈ (c_a² + c_s²)/2 · C·E[S]/(n − a)", ask.Sprintf("(%v + %v)/2 → %s", scvs[0],
		scvs[1], f.clocked("E[W] = "+ask.Digits(g.MeanWait))), "Allen 1990, section 5.3")
	e.Step("wait percentile", "P(W > t) ≈ C·exp(−t·C/E[W])", f.waitPercentile(g),
		"a wait above 0 is treated as exponential")
	e.Assume("gaps and service times are independent, known by mean and SCV only; exact for M/M/c", measuredErrors(g))
}

// explainMultiRate explains jobs of several processors that are lost. All widths
// are lost by one recursion, and the blocking of a job depends on its width.
func (f *Fleet) explainMultiRate(e *ask.Explanation, g queueing.Figures) {
	e.Model = "multi-rate loss system (Kaufman-Roberts)"
	e.Step("state probabilities", "j·q(j) = Σ_k b_k A_k q(j − b_k)",
		ask.Sprintf("%d widths, %v erl offered", len(f.jobs.streams), g.OfferedLoad), "Kaufman 1981, eq. 10")
	e.Step("blocking probability", "B = Σ_k λ_k Σ_{j>n−b_k} q(j) / Σ λ_k Σ_{j≤n} q(j)",
		ask.Sprintf("n = %v: B = %v of all jobs", g.Servers, g.Blocking), "Kaufman 1981")
	e.Assume(
		"jobs arrive in Poisson streams by width and hold all their processors for their run time; exact for any " +
			"law of run times; a job that finds too few free processors is lost")
}

// explainSlots explains jobs of several processors that wait. No formula is known
// for it. The log is scaled to slots of the size at which its peakedness is that
// of jobs of one processor.
func (f *Fleet) explainSlots(e *ask.Explanation, g queueing.Figures) {
	s := f.jobs.summary
	e.Model = "GI/G/c over slots of z processors (Hayward scaling, Allen-Cunneen)"
	e.Step("peakedness", "z = E[m²S]/E[mS]", ask.Sprintf("z = %v processors a slot", s.Peakedness),
		"variance over mean of busy processors in an unlimited fleet")
	e.Step("wait probability", "C(n/z, a/z)", ask.Sprintf("C(%v, %v) = %v", g.Servers/s.Peakedness,
		g.OfferedLoad/s.Peakedness, g.WaitProbability), "Fredericks 1980, for loss")
	e.Step("mean wait", "E[W] ≈ (c_a² + c_s²)/2 · C·τ/(n/z − a/z), τ = E[mS]/E[m]",
		ask.Sprintf("(%v + %v)/2 → E[W] = %v s", s.InterarrivalSCV, s.ServiceSCV, g.MeanWait),
		"Allen 1990, section 5.3")
	e.Assume(
		"a job of m processors counts as m/z jobs of one slot; no bound on the error is known: " +
			"replay the log to confirm")
}

// clocked adds the unit of a time, which is the mean service where none was given.
func (f *Fleet) clocked(s string) string {
	if f.Clock {
		return s + " s"
	}
	return s + " mean services"
}
