package allocation

import (
	"context"
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

// A RevenueCurve is the greatest relaxed revenue of a dependency against the
// capacity of its resources together: concave.
type RevenueCurve struct {
	Dependency string    `json:"dependency"`
	Capacity   []float64 `json:"capacity"` // corners, in the unit of the dependency
	Revenue    []float64 `json:"revenue"`  // there
	At         float64   `json:"at_capacity"`
	// the curve at the capacity that there is: lp_bound, of which prices and budget have taken
	// nothing
	Bound  float64 `json:"at_bound"`
	Answer *int64  `json:"at_revenue"` // of the assignment, nil for bounds only
}

// boundCurvePoints is how many corners an answer of bounds alone keeps of each
// curve.
const boundCurvePoints = 200

// plottedPoints is how many corners of each curve a plot has.
const plottedPoints = 400

// Plots returns the greatest revenue against capacity, a curve for each
// dependency, with the answer at the capacity that there is. The batch is asked
// again, since an answer does not keep corners that only a picture needs.
func (a *Answer) Plots(context.Context) ([]ask.Plot, error) {
	if a.asked == nil {
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its batch")
	}
	s, err := newSystem(a.asked.Batch)
	if err != nil {
		return nil, err
	}
	curves, err := revenueCurves(s, a, plottedPoints)
	if err != nil {
		return nil, err
	}
	p := ask.Plot{
		Title:    "Revenue against capacity",
		Subtitle: "line: no assignment earns more at that capacity (LP bound); dot: this answer at the given capacity",
		X:        ask.Axis{Name: "capacity of all resources of the dependency (its unit)"},
		Y:        ask.Axis{Name: "revenue"},
	}
	switch {
	case a.Revenue == nil:
		p.Subtitle = "line: no assignment earns more at that capacity (LP bound); dot: the given capacity"
	case a.Costs():
		p.Subtitle = "before prices; line: no assignment earns more at that capacity; dot: this answer at the " +
			"given capacity"
	}
	proven := ask.Curve{Name: "proven bound", Style: ask.Apart}
	// Prices and budgets bound the net revenue of all dependencies together, and
	// no point of one curve is that.
	for i, c := range curves {
		if !a.Costs() { // after prices there is another
			proven.Add(c.At, a.Dependencies[i].Best())
		}
		at := ask.Or(c.Answer, c.Bound)
		p.Curves = append(p.Curves, ask.Curve{Name: c.Dependency, X: c.Capacity, Y: c.Revenue})
		p.Marks = append(p.Marks, ask.Mark{X: c.At, Y: at, Name: c.Dependency})
	}
	if len(proven.X) > 0 {
		p.Curves = append(p.Curves, proven)
	}
	return []ask.Plot{p}, nil
}

// revenueCurves thins the corners of the curves. Beyond the last corner more
// capacity earns nothing more.
func revenueCurves(s *alloc.System, a *Answer, points int) ([]RevenueCurve, error) {
	curves := make([]RevenueCurve, len(a.Dependencies))
	for i := range a.Dependencies {
		d := &a.Dependencies[i]
		c, err := s.Curve(d.Dependency)
		if err != nil {
			return nil, err
		}
		c = c.Thin(points)
		bound, _, _ := c.At(float64(d.Capacity))
		curves[i] = RevenueCurve{d.Dependency, c.Capacity, c.Revenue, float64(d.Capacity), bound, d.Revenue}
		if last := len(c.Capacity) - 1; curves[i].At > c.Capacity[last] {
			curves[i].Capacity, curves[i].Revenue = append(c.Capacity, curves[i].At), append(c.Revenue, c.Revenue[last])
		}
	}
	return curves, nil
}
