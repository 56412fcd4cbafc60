package planner

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// inPercent writes a probability in percent; none below 1 is 100 %.
func inPercent(p float64) string {
	return strings.Replace(units.FormatFraction(p, 7), "%", " %", 1)
}

// explain returns the formulas behind the figures g of the fleet.
func (f *fleet) explain(g queueing.Figures) *Explanation {
	e := &Explanation{}
	n, a := num(g.Servers), num(g.OfferedLoad)
	if f.clock && f.jobs == nil {
		e.step("offered load", "a = λ·E[S]", fmt.Sprintf("a = %s/s · %s s = %s erl", num(g.ArrivalRate), num(g.ServiceTime), a), "definition of the erlang")
	}
	if f.pool != nil {
		f.explainPool(e, g)
	}
	switch {
	case f.pool != nil && f.pool.Count == CountAveraged:
	case f.log != nil:
		f.explainMultiRate(e, g)
	case f.jobs != nil:
		f.explainSlots(e, g)
	case f.kind == Loss:
		e.Model = "M/G/n/n, blocked customers lost (Erlang B)"
		e.step("blocking probability", "B(n, a) = [a ∫₀^∞ e^(−at)(1+t)ⁿ dt]⁻¹, for whole n (aⁿ/n!)/Σ aᵏ/k!",
			fmt.Sprintf("B(%s, %s) = %s", n, a, num(g.Blocking)), "Erlang 1917; Jagerman 1974 for real n")
		e.step("utilization", "ρ = a(1 − B)/n", fmt.Sprintf("ρ = %s·(1 − %s)/%s = %s", a, num(g.Blocking), n, num(g.Utilization)), "carried load per server")
		e.Assumptions = append(e.Assumptions, "arrivals are Poisson; service times have any law with this mean; who finds all servers busy is lost and does not come back; steady state")
	case f.kind == Abandon:
		e.Model = "M/M/n+M, who waits too long gives up (Erlang A)"
		e.step("wait probability", "P(W>0) = λJ/(E + λJ), J = ∫₀^∞ exp(λ(1−e^(−θx))/θ − nμx) dx, E = 1/B(n−1, a)",
			fmt.Sprintf("n = %s, a = %s: P(W>0) = %s", n, a, num(g.WaitProbability)), "Zeltyn, Mandelbaum 2005, section 3")
		e.step("abandonment", "P(ab) = θ·E[W]", fmt.Sprintf("P(ab) = %s", num(g.Abandonment)), "Zeltyn, Mandelbaum 2005, section 3")
		if o := f.objectives; o.MaxWait != nil {
			of := cmp.Or(o.ServiceLevelOf, OfOffered)
			e.step("service level of "+string(of), serviceLevelFormulas[of], f.clocked("t = "+num(float64(*o.MaxWait))+" s: "+num(o.serviceLevel(g))), "Zeltyn, Mandelbaum 2005, section 3")
		}
		e.Assumptions = append(e.Assumptions, "arrivals are Poisson, service times and patience exponential; served in order of arrival; steady state")
	default:
		f.explainWait(e, g)
	}
	for _, l := range f.limits {
		e.step("objective "+l.name, "least n with "+l.objective.Metric.String()+" ≤ limit",
			fmt.Sprintf("%s ≤ %s", num(l.objective.Value(g)), num(l.objective.Limit)), "computed: n meets it, n − 1 does not (for the binding objective)")
	}
	return e
}

// serviceLevelFormulas holds what each service level counts.
var serviceLevelFormulas = map[ServiceLevelOf]string{
	OfOffered: "P(served, W ≤ t)",
	OfServed:  "P(served, W ≤ t)/(1 − P(ab))",
	OfStayed:  "P(served, W ≤ t)/(1 − P(ab, W ≤ t))",
	OfWaits:   "P(W ≤ t), those who gave up included",
}

func (f *fleet) explainWait(e *Explanation, g queueing.Figures) {
	n, a := num(g.Servers), num(g.OfferedLoad)
	e.Model = "M/M/c, unlimited waiting room (Erlang C)"
	scvs := [2]float64{1, 1}
	switch m := f.model.(type) {
	case queueing.GIGC:
		if a := g.Approximation(); a != nil || m.ArrivalSCV != 1 || m.ServiceSCV != 1 {
			f.explainFitted(e, m, g)
			return
		}
	case queueing.GGC:
		scvs = [2]float64{m.ArrivalSCV, m.ServiceSCV}
	case queueing.GGCBy:
		e.Model = "GI/G/c, " + m.Method.String()
		e.step("mean wait", "E[W] ≈ φ·(c_a² + c_s²)/2 · C·E[S]/(n − a), φ of the method", f.clocked("E[W] = "+num(g.MeanWait)), "see the warning")
		return
	}
	e.step("wait probability", "C(n, a) = n·B/(n − a(1 − B))", fmt.Sprintf("C(%s, %s) = %s", n, a, num(g.WaitProbability)), "Erlang 1917")
	if scvs == [2]float64{1, 1} {
		e.step("mean wait", "E[W] = C·E[S]/(n − a)", f.clocked("E[W] = "+num(g.MeanWait)), "Little's law")
		e.step("wait percentile", "P(W > t) = C·e^(−(n−a)t/E[S])", f.clocked("at "+inPercent(f.objectives.percentile())+": t = "+num(g.WaitPercentile(f.objectives.percentile()))), "birth-death chain of M/M/c")
		e.Assumptions = append(e.Assumptions, "arrivals are Poisson, service times exponential; served in order of arrival; steady state")
		return
	}
	e.Model = "GI/G/c by Allen-Cunneen"
	e.step("mean wait", "E[W] ≈ (c_a² + c_s²)/2 · C·E[S]/(n − a)", fmt.Sprintf("(%s + %s)/2 → %s", num(scvs[0]), num(scvs[1]), f.clocked("E[W] = "+num(g.MeanWait))), "Allen 1990, section 5.3")
	e.step("wait percentile", "P(W > t) ≈ C·exp(−t·C/E[W])", f.clocked("at "+inPercent(f.objectives.percentile())+": t = "+num(g.WaitPercentile(f.objectives.percentile()))), "a wait that is not 0 taken as exponential")
	e.Assumptions = append(e.Assumptions, "gaps and service times independent, known by mean and SCV only; exact for M/M/c", measuredErrors(g))
}

func (f *fleet) explainMultiRate(e *Explanation, g queueing.Figures) {
	e.Model = "multi-rate loss system (Kaufman-Roberts)"
	e.step("state probabilities", "j·q(j) = Σ_k b_k A_k q(j − b_k)", fmt.Sprintf("%d widths, %s erl offered", len(f.jobs.streams), num(g.OfferedLoad)), "Kaufman 1981, eq. 10")
	e.step("blocking probability", "B = Σ_k λ_k Σ_{j>n−b_k} q(j) / Σ λ_k Σ_{j≤n} q(j)", fmt.Sprintf("n = %s: B = %s of all jobs", num(g.Servers), num(g.Blocking)), "Kaufman 1981")
	e.Assumptions = append(e.Assumptions, "jobs arrive in Poisson streams by width and hold all their processors for their run time; exact for any run time law; who does not find room is lost")
}

func (f *fleet) explainSlots(e *Explanation, g queueing.Figures) {
	s := f.jobs.summary
	e.Model = "GI/G/c over slots of z processors (Hayward scaling, Allen-Cunneen)"
	e.step("peakedness", "z = E[m²S]/E[mS]", fmt.Sprintf("z = %s processors a slot", num(s.Peakedness)), "variance over mean of busy processors in an unlimited fleet")
	e.step("wait probability", "C(n/z, a/z)", fmt.Sprintf("C(%s, %s) = %s", num(g.Servers/s.Peakedness), num(g.OfferedLoad/s.Peakedness), num(g.WaitProbability)), "Fredericks 1980, for loss")
	e.step("mean wait", "E[W] ≈ (c_a² + c_s²)/2 · C·τ/(n/z − a/z), τ = E[mS]/E[m]", fmt.Sprintf("(%s + %s)/2 → E[W] = %s s", num(s.InterarrivalSCV), num(s.ServiceSCV), num(g.MeanWait)), "Allen 1990, section 5.3")
	e.Assumptions = append(e.Assumptions, "a job of m processors counts as m/z jobs of one slot; no bound on the error is known: replay the log to confirm")
}

// clocked adds the unit of a time, which is the mean service where none was given.
func (f *fleet) clocked(s string) string {
	if f.clock {
		return s + " s"
	}
	return s + " mean services"
}
