package leases

import (
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
)

// explain says how the answer came about.
func explain(a *Answer) *ask.Explanation {
	e := &ask.Explanation{
		Model: "simulation of leases on clusters with conservative backfilling whose local requests preempt " +
			"external ones (InterGrid section 2)",
		Assumptions: []string{
			"a lease gets the earliest reservation that fits its whole duration and keeps all earlier reservations, " +
				"and begins sooner if enough nodes come free early; only a local lease moves a reservation to a " +
				"later time",
			"a local lease starts at once, on free nodes, then on nodes of Cancelable, Suspendable and Migratable " +
				"leases in this order, or is rejected",
			"a Migratable lease is accepted if it can finish by its arrival + (1 + slack) times its duration; it " +
				"fails if a preemption leaves no cluster that can finish it by then",
			"the time to suspend is added to the time to resume at the next start, because the local lease gets the " +
				"nodes at once",
			"durations are known in advance, clusters begin empty, and the whole horizon counts",
		},
	}
	if len(a.Split) > 0 {
		var parts []string
		for _, s := range a.Split {
			parts = append(parts, s.Cluster+" "+ask.Percent(s.Probability, 4))
		}
		e.Step("split", "by "+a.Policy, strings.Join(parts, ", "), "InterGrid section 4.1, eq. 25 to 27")
	}
	show := func(v simulate.Interval) string { return ask.Digits(ask.Value(v.Mean)) }
	f := &a.Figures
	e.Step("utilization as printed", "1 − overhead/computation", show(f.UtilizationPrinted), "InterGrid eq. 21")
	e.Step("utilization", "busy node-seconds / all", show(f.Utilization), "")
	e.Step("AWRT", "Σ Mⱼ (Σ v d (c − b)/Σ v d)/Σ Mⱼ",
		show(f.AWRT)+" s, of best-effort leases that were completed", "InterGrid eq. 23, 24")
	e.Step("intervals", "95%, t over the replications", fault.Count(a.Replications, "run"), "")
	return e
}
