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
		Model: "leases on clusters with conservative backfilling whose local requests preempt (InterGrid section " +
			"2), simulated",
		Assumptions: []string{
			"a lease has the earliest reservation at which it fits for its whole duration with all earlier ones " +
				"kept, and begins sooner where it fits when nodes come free early; only a local lease sets a " +
				"reservation back",
			"a local lease starts at once, on free nodes, then on those of Cancelable, " +
				"Suspendable and Migratable leases in this order, or is rejected",
			"a Migratable lease is taken if it can be done by its arrival + (1 + slack) times its duration, " +
				"and fails where a preemption leaves no cluster that does it by then",
			"the time to suspend stands with that to resume at the next start, for the local lease has the " +
				"nodes at once",
			"durations are known, clusters begin empty, and all of the horizon counts",
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
