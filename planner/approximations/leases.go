package approximations

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/lease"
)

// preempting simulates leases on one node whose own users preempt, beside the rate
// λxθ by which routes are made: exact where what is preempted goes on at once and all
// is done, and here beside what suspending takes, leases that are killed, and those
// that are turned away.
func preempting() ([]trial, error) {
	const horizon, duration = 2e6, 1000.0
	one := routing.SizeLaw{One: 1, Parallel: law.TwoStage{L: 1.2, M: 1.5, H: 2, Q: 0.5}}
	var all []trial
	// The node's own leases and those from outside have one mean duration, and
	// the load of each chooses its rate.
	for _, mixed := range []bool{false, true} {
		for _, local := range []float64{0.1, 0.3} {
			for _, external := range []float64{0.2, 0.5} {
				for _, sigma := range []float64{0.5, 1.5} {
					stream := func(load float64) routing.Stream {
						// A lognormal law of mean 1000 s: μ is shifted by σ²/2.
						return routing.Stream{
							Name: "node", CV: 1, Size: one,
							Duration: law.LogNormal{Mu: math.Log(duration) - sigma*sigma/2, Sigma: sigma},
							Gap:      law.Weibull{Scale: duration / load, Shape: 1},
						}
					}
					s := &lease.System{
						Workload: routing.Workload{External: stream(external),
							Sites: []routing.Site{{Local: stream(local), Elements: 1, Speed: 1}}},
						Policy: lease.RoundRobin,
					}
					name, key := "suspendable", "PreemptionRateSuspendable"
					// The shares are those of leases that are killed, suspended,
					// migrated and never preempted.
					if s.Shares = [4]float64{0, 1, 0, 0}; mixed {
						name, key = "four types", "PreemptionRateMixed"
						s.Shares = [4]float64{0.25, 0.25, 0.25, 0.25}
					}
					rate := local / duration * external // λ x θ
					all = append(all, trial{
						study: "leases",
						name: fmt.Sprintf("%s, local %g erl, external %g erl, sigma %g",
							name, local, external, sigma),
						model:   s,
						options: sim.Options{Horizon: horizon},
						says:    []saying{{key, lease.LeasesPreempted, rate * horizon, 0}},
					})
				}
			}
		}
	}
	return all, nil
}

// preemptionMeasures are two, since leases that are killed or turned away change
// what the rate assumes.
func preemptionMeasures() []Measure {
	of := func(key, regime string) Measure {
		return Measure{
			Key:    key,
			Method: "preemptions at the rate λxθ",
			Figure: "leases preempted",
			Regime: "one node, local load 0.1 and 0.3, external load 0.2 and 0.5, lognormal durations of " +
				"mean 1000 s, " + regime,
			Source:  "simulation",
			Default: true,
		}
	}
	return []Measure{
		of("PreemptionRateSuspendable", "all suspendable, 160 s to suspend and 126 s to resume"),
		of("PreemptionRateMixed", "a quarter each killed, suspended, migrated and never preempted"),
	}
}
