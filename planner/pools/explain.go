package pools

import (
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/pool"
)

// fastestOf is the mean of the greatest of k that are drawn of the speeds, by the
// order statistics of the sample:
//
//	E[max] = Σ x₍ᵢ₎((i/n)ᵏ − ((i−1)/n)ᵏ)
func fastestOf(speeds []float64, k int) float64 {
	sorted := slices.Sorted(slices.Values(speeds))
	sum, n := 0.0, float64(len(sorted))
	for i, x := range sorted {
		sum += x * (math.Pow(float64(i+1)/n, float64(k)) - math.Pow(float64(i)/n, float64(k)))
	}
	return sum
}

// explain says what the scheduler did and how the figures came about.
func explain(q *Question, a *Answer) *ask.Explanation {
	p := &q.Pool
	e := &ask.Explanation{Model: "simulation of a pool of dedicated and public machines"}
	e.Step("scheduler", "every δ: pulses, admission, priorities, migrations, replicas",
		ask.Sprintf("δ = %v s, k = %d, cool-down %v s, %s", p.Epoch, p.Replicas, p.CoolDown, a.Policy),
		"PCU algorithm 1")
	if p.Policy == pool.Preemptive {
		e.Step("priority", "p = (elapsed − progress)/progress + d, d = max(0, ρ·min(B, V0) − V)/(ρ·min(B, V0))",
			ask.Sprintf("ρ = %v, τ = %v s, −∞ beyond e_max = %v", p.Agreement.Ratio, p.Agreement.Window,
				p.Agreement.MaxElongation), "PCU section 4.3; d is normalised, because the units differ otherwise")
	}
	e.Step("availability of a public machine", "E[on]/(E[on] + E[off])",
		ask.Digits(p.Public.Coming.Availability()), "PCU figure 6 has 0.7")
	e.Step("intervals", "mean ± t·s/√n over the replications",
		ask.Sprintf("n = %d of %v s, of which %v s are not counted", a.Replications, a.Horizon, a.WarmUp), "Law 2015")
	if a.Chain != nil {
		e.Step("closed form", "rate(n) = (min(n, Nd) + s·max(n − Nd, 0))/E[W]",
			ask.Sprintf("s = %v of the fastest replica: elongation %v", a.Chain.PublicSpeed, *a.Chain.Elongation),
			"the same pool without epochs, transfers and failures, its work exponential: queue pool")
	}
	e.Assume(
		"where the paper is silent, the documentation of package sim/pool lists what is assumed: speeds, intervals "+
			"of the machines, τ, ρ, e_max, and from where a lost replica starts",
		"the manager is told which jobs can no longer keep e_max; otherwise it knows nothing of the remaining work")
	return e
}
