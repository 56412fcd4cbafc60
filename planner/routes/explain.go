package routes

import (
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
)

// explain shows the formulas with the numbers of one cluster, the one that is sent the most.
func (r *router) explain(a *Answer, plan *routePlan) *ask.Explanation {
	e := &ask.Explanation{Model: "M/G/1 with preemptive-resume priority of local requests at each cluster, " +
		"random split"}
	j := 0
	for i := range a.Clusters {
		if a.Clusters[i].ExternalRate > a.Clusters[j].ExternalRate {
			j = i
		}
	}
	cl, c := r.clusters[j], a.Clusters[j]
	name, servers := c.Name, max(1, cl.Servers)
	e.Step("local utilization of "+name, "ρ = λτ/c", ask.Sprintf("ρ = %v/s · %v s / %v = %v", cl.LocalRate,
		cl.LocalServiceTime, servers, c.LocalUtilization), "definition")
	e.Step("the capacity that the clusters have left",
		"Λ < Σ (1 − ρ)c/θ", ask.Sprintf("%v/s < %v/s", a.Rate, a.MaxRate), "stability")
	switch {
	case plan.byType != nil:
		r.explainTypes(e, plan, j)
	case servers == 1:
		e.Step("response at "+name, "T = (θ + (xω + λμ)/(2(1 − ρ − xθ)))/(1 − ρ)",
			ask.Sprintf("x = %v/s, θ = %v s, ω = %v s², λ = %v/s, μ = %v s²: T = %v s", c.ExternalRate, cl.ServiceTime,
				cl.SecondMoment, cl.LocalRate, cl.LocalSecondMoment, c.ExternalResponse), "InterGrid eq. 4")
	default:
		e.Step("response at "+name, "T = θ + [g(u)(xD(x) + b) − g(ρ)b]/x, g(u) = C(c, cu)/u",
			ask.Sprintf("c = %v, x = %v/s, u = %v: T = %v s", servers, c.ExternalRate, c.Utilization,
				c.ExternalResponse), "Bondi, Buzen 1984, scaled from the single server")
	}
	switch {
	case plan.byType != nil:
		t := plan.byType
		e.Step("split by type", "types take turns at x(z), the others held fixed, until none improves",
			ask.Sprintf("%v s, the least of %d descents; with the same mix everywhere %v s", t.Value, t.Starts,
				t.Common), "block coordinate descent from many starts")
		e.Step("lower bound of any split by type",
			"Σᵢ zᵢ + Σⱼ min over y of (Σᵢ (cᵢⱼ − zᵢ)yᵢ + WR/F), the greatest over prices z",
			ask.Sprintf("%v s after %d boxes of ratios W/R: at most %v below", t.LowerBound, t.Nodes, t.Gap()),
			"Lagrangian dual, with branch and bound on the ratio of weight to work of each cluster")
		if t.Proven() {
			e.Assume(
				"by type the problem is not convex; the bound proves that no split is better by more than a part in " +
					"a million")
		} else {
			e.Assume(
				"by type the problem is not convex; the split is the best found, and the bound says how much better " +
					"another can be at most")
		}
	case a.Multiplier != nil && r.kind == Response && !r.weighted && servers == 1:
		e.Step("rate of "+name, "x(z) = ((1−ρ) − √((1−ρ)(ω(1−ρ) + θλμ)/(2θ(1−ρ)z + ω − 2θ²)))/θ, 0 for z ≤ ψ",
			ask.Sprintf("z = %v: x = %v/s", *a.Multiplier, c.ExternalRate), "InterGrid eq. 7, the numerator corrected")
		e.Step("multiplier", "Σ x(z) = Λ", ask.Sprintf("z = %v, Σ x = %v/s", *a.Multiplier, a.Rate),
			"Karush-Kuhn-Tucker conditions; the paper's search for the clusters in use always stops at one cluster")
	case a.Multiplier != nil && r.bounded():
		e.Step("preemptions", "Σ λxθ with ρ + xθ ≤ max-utilization: clusters filled in the order of λθ",
			ask.Sprintf("%v/s, λθ = %v of the clusters filled last", *a.ObjectiveValue, *a.Multiplier),
			"a local arrival finds an external request in service for the share xθ of time; a linear program")
	case a.Multiplier != nil:
		e.Step("multiplier", "F′(x) = z where x > 0, F′(0) ≥ z elsewhere, Σ x = Λ",
			ask.Sprintf("z = %v for %s", *a.Multiplier, r.objective), "Karush-Kuhn-Tucker conditions of a convex sum")
	case plan.hedged:
		e.Step("probabilities", "fixed before the rates are known",
			ask.Sprintf("%v of %v goes to %s", c.Probability, a.Rate, name),
			"water-filling over the draws, or at the upper ends")
	default:
		formula := map[Policy]string{RR: "x = Λ/N",
			LRF: "x = Λ(1 − λ/Σλ)/(N − 1)", BCF: "x = Λ·power/Σ power"}[r.policy]
		source := map[Policy]string{RR: "InterGrid eq. 25",
			LRF: "InterGrid eq. 26, divided by N − 1 so that the rates add up", BCF: "InterGrid eq. 27"}[r.policy]
		e.Step("rate of "+name, formula, ask.Sprintf("x = %v/s", c.ExternalRate), source)
	}
	e.Step("mean response", "Σ xT/Λ", ask.Sprintf("%v s", a.MeanResponse), "InterGrid eq. 3")
	e.Assume(
		"local and external requests arrive in Poisson streams; local ones preempt external ones, which resume; "+
			"external ones are served first come, first served; steady state",
		"each request takes one server; preemption itself costs nothing",
		"the split is random; a dispatch list sends the same shares more regularly, and waits are then usually shorter")
	if _, ok := r.objective.(routing.Preemptions); ok {
		e.Assume(
			"preemptions follow from a linear regression on the response; it holds within the responses to which it " +
				"was fitted")
	}
	return e
}

// explainTypes shows what each type meets at cluster j.
func (r *router) explainTypes(e *ask.Explanation, plan *routePlan, j int) {
	cl, t := r.clusters[j], plan.byType
	for i, typ := range r.types {
		service := cl.ServiceTime * typ.ServiceRatio
		e.Step("response of "+typ.Name+" at "+cl.Name, "Tᵢ = (θᵢ + (Σxω + λμ)/(2(1 − ρ − Σxθ)))/(1 − ρ)",
			ask.Sprintf("xᵢ = %v/s, θᵢ = %v s, ρ + Σxθ = %v: Tᵢ = %v s", t.Rates[i][j], service,
				plan.split.Routes[j].Utilization, t.Responses[i][j]), "InterGrid eq. 4, by type")
	}
}
