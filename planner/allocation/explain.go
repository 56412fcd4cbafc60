package allocation

import (
	"fmt"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
)

// explain shows bounds, gap and backups with their numbers. Steps are there for
// what the answer has.
func (q *Question) explain(a *Answer) {
	if !q.Explain {
		return
	}
	e := &ask.Explanation{Model: "multiple-choice packing: one level and one resource for each job and dependency " +
		"(MRPA, MLBA)"}
	a.Explanation = e
	for _, d := range a.Dependencies {
		e.Step("bound of "+d.Dependency, "max Σ R·x, Σᵢ x_ik = 1, Σ D·x ≤ C",
			ask.Sprintf("C = %d, least demands %d, greatest %d: %v; one more unit of capacity is worth %v", d.Capacity,
				d.LeastDemand, d.MostDemand, d.LP, d.ShadowPrice),
			"revenue and demand do not depend on the resource, so capacities can be pooled; Sinha, Zoltners 1979")
	}
	if a.Published != nil {
		e.Step("bound as published", "Σᵢ U ≤ 1, mixes may meet the least demand",
			ask.Digits(*a.Published), "QoS-GRAF eq. 3-8, relaxed")
	} else {
		e.Step("bound of the whole", "min over λ, μ ≥ 0 of μB + Σⱼ Cⱼ(λ − (1+μ)π)⁺ + Σₖ [Fₖ + Σ max (R − λD)]⁺",
			ask.Digits(a.LP),
			"Lagrange, a multiplier for each dependency and the budget, by column generation; "+
				"equal to the linear program's value: Geoffrion 1974")
	}
	if a.BudgetPrice != nil {
		e.Step("price of the budget", "μ",
			ask.Digits(*a.BudgetPrice), "net revenue that one more unit of budget would bring")
	}
	e.Step("bound with eligible levels", "a level counts only on the resources that it fits",
		ask.Digits(a.Eligible), "nested rows over the largest resources")
	if a.Integer != nil {
		e.Step("bound in whole numbers", "the pooled knapsack, x in {0, 1}",
			fmt.Sprint(*a.Integer), "core and dynamic programming; Pisinger 1995")
	}
	if a.Revenue != nil {
		e.Step("gap", "(bound − revenue)/bound",
			ask.Sprintf("(%v − %v)/%v = %v", a.Best(), *a.NetRevenue, a.Best(), *a.Gap), "the least of the four bounds")
	}
	if a.Solver != nil {
		e.Step("exact", "max Σ R·x, Σ x = 1 for each job, Σ D·x ≤ C for each resource, x in {0, 1}",
			"if the search proves nothing, "+*a.Solver+" begins from its answer",
			"QoS-GRAF eq. 1-8 without levels that fit nowhere; branch and bound")
	}
	if b := a.Backup; b != nil {
		e.Step("loss", "Σ R(primary) − R(backup), 0 for an unprotected job's backup",
			ask.Sprintf("%d, at least %v", b.Loss, b.ProvenBound),
			"QoS-GRAF eq. 12-18, solved for each dependency and failure by itself")
		e.Step("sharing factor", "mean over resources of Σ backup demand / backup capacity",
			ask.Digits(b.SharingFactor), "QoS-GRAF section 5")
		e.Assume(
			"one failure at a time; backups of jobs that do not fail together share capacity; moving to a backup " +
				"costs nothing")
		if b.Mode == alloc.Soft {
			e.Assume("a job without a backup loses all its revenue")
		}
	}
	if a.tied() {
		e.Assume("a job is served in every dependency that it needs, or in none; backup capacity has no price")
		return
	}
	e.Assume("dependencies are independent; a job that loses one dependency keeps the revenue of the others")
}
