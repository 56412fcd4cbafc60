package survival

import (
	"fmt"
	"sort"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// A PoolMachine is a machine that may be rented: its availability, given or
// by MTTF and MTTR, and its cost, in the currency of the others and, as theirs, per
// time or not.
type PoolMachine struct {
	Name string `json:"name"`
	// Availability is the share of time that it is up; nil with MTTF and MTTR,
	// from which it follows.
	Availability *float64   `json:"availability,omitempty"`
	MTTF         *float64   `json:"mttf_s,omitempty"`
	MTTR         *float64   `json:"mttr_s,omitempty"`
	Cost         units.Cost `json:"cost"`
}

// A ChosenMachine is one that the answer rents.
type ChosenMachine struct {
	Name         string  `json:"name"`
	Availability float64 `json:"availability"`
	Cost         float64 `json:"cost"`
}

// machine returns the machine as the model takes it, and the unit if both means are known. An
// availability alone is enough for the choice, and a rate of outages needs the two means.
func (m *PoolMachine) machine(i int) (reliability.Machine, *reliability.Unit, error) {
	bad := func(reason string) error {
		return ask.Inputf("pool", "machine %d (%s): %s", i+1, m.Name, reason)
	}
	out := reliability.Machine{Cost: float64(m.Cost.Number)}
	if !(m.Cost.Number >= 0) {
		return out, nil, bad("want a cost of at least 0")
	}
	switch {
	case m.Availability != nil && (m.MTTF != nil || m.MTTR != nil):
		return out, nil, bad("give an availability, or mttf and mttr, not both")
	case m.Availability != nil:
		if !(*m.Availability >= 0 && *m.Availability <= 1) {
			return out, nil, bad("want an availability in 0..1")
		}
		out.Availability = *m.Availability
		return out, nil, nil
	case m.MTTF == nil || m.MTTR == nil || !(*m.MTTF > 0) || !(*m.MTTR > 0):
		return out, nil, bad("want an availability, or mttf and mttr above 0")
	}
	c := reliability.Component{MTTF: *m.MTTF, MTTR: *m.MTTR}
	var err error
	if out.Availability, err = c.Availability(); err != nil {
		return out, nil, bad(err.Error())
	}
	return out, new(reliability.Unit(c)), nil
}

// cheapestPool answers for machines that differ. Machines are chosen one by one:
// of those that differ, the number says nothing. It is a covering knapsack in the
// logarithms of the unavailabilities.
func cheapestPool(q *ReplicasQuestion) (*ReplicasAnswer, error) {
	switch {
	case q.MTTF != nil || q.MTTR != nil || q.Trace != nil:
		return nil, ask.Inputf("pool",
			"the machines of the pool have their own availabilities: leave {mttf}, {mttr} and {trace} out")
	case q.Needed > 1:
		return nil, ask.Inputf("needed", "of a pool of different machines one must be up: leave {needed} out")
	case q.Crews != nil || q.Beta != nil || len(q.Groups) > 0:
		return nil, ask.Inputf("pool",
			"machines of a pool are independent and each is repaired on its own: leave {crews}, {beta} and "+
				"{placement} out")
	case q.Start != "":
		return nil, ask.Inputf("start", "only used with a window of identical replicas: leave {start} or {pool} out")
	case q.Window != nil:
		return nil, ask.Inputf("window", "interval reliability is for identical replicas: leave {window} or {pool} out")
	}
	pool := make([]reliability.Machine, len(q.Pool))
	costs := make([]units.Cost, len(q.Pool))
	known := make([]*reliability.Unit, len(q.Pool))
	for i := range q.Pool {
		var err error
		if pool[i], known[i], err = q.Pool[i].machine(i); err != nil {
			return nil, err
		}
		costs[i] = q.Pool[i].Cost
	}
	money, clash := units.OneCost(costs...)
	if clash != nil {
		at := func(i int) string { return fmt.Sprintf("pool[%d].cost", i) }
		return nil, ask.Clash(at(clash.First), at(clash.Second), *clash)
	}
	s, err := reliability.CheapestPool(pool, q.Target)
	if err != nil {
		return nil, ask.FromReliability(err)
	}
	a := &ReplicasAnswer{
		Replicas: int64(len(s.Chosen)), AvailabilityAll: s.Availability, Unavailability: s.Unavailability,
		AllDown: s.Unavailability, Target: q.Target, Needed: 1,
		Cost: ask.Figure(s.Cost), LowerBound: ask.Figure(s.LowerBound), Gap: ask.Figure(s.Gap),
		Exact: &s.Exact, Money: money.Unless(),
		Alternatives: []ReplicaCandidate{},
	}
	cost := func(v float64) string { return a.Money.Write(v, ask.Digits) }
	all := reliability.Parallel{}
	for _, i := range s.Chosen {
		a.Chosen = append(a.Chosen, ChosenMachine{q.Pool[i].Name, pool[i].Availability, pool[i].Cost})
		if known[i] != nil {
			all = append(all, *known[i])
		}
	}
	// A rate of all being down is known only if each chosen machine has both means.
	if len(all) == len(s.Chosen) && len(all) > 0 {
		f, err := reliability.Structure(all)
		if err != nil {
			return nil, ask.FromReliability(err)
		}
		a.AllDownRate, a.AllDownTime = ask.Figure(f.FailureFrequency), ask.Figure(f.MTTR())
		// One machine of a pool must be up, so that an outage is all of them
		// being down.
		a.OutageRate, a.OutageTime = a.AllDownRate, a.AllDownTime
	} else {
		a.Warnings = append(a.Warnings, "how often all are down is not given: it needs the mean times to failure "+
			"and repair of each machine chosen")
	}
	if !s.Exact {
		ask.Warn(&a.Warnings,
			"not proven cheapest: no set that meets the target costs less than %s, this one costs %s (gap %s%%)",
			cost(s.LowerBound), cost(s.Cost), ask.Digits(100*s.Gap))
	}
	if q.Explain {
		a.Explanation = &ask.Explanation{Model: "cheapest set of machines of which one is up"}
		a.Explanation.Step("availability of the set", "1 − Π (1 − Aᵢ)",
			ask.Sprintf("%d of %s: %v", len(s.Chosen), fault.Count(len(pool), "machine"), s.Availability),
			"independent machines")
		a.Explanation.Step("cheapest set", "min Σ cᵢxᵢ with Σ −log(1 − Aᵢ)xᵢ ≥ −log(1 − P)",
			fmt.Sprintf("cost %s, lower bound %s", cost(s.Cost), cost(s.LowerBound)),
			"covering knapsack; Horowitz & Sahni 1974 up to 30 machines, linear relaxation beyond")
		a.Explanation.Assumptions = []string{"machines fail and are repaired independently of one another"}
	}
	return a, nil
}

// poolCurves adds the chosen machines one at a time, the best first.
func (a *ReplicasAnswer) poolCurves(up, down *ask.Curve) {
	best := append([]ChosenMachine{}, a.Chosen...)
	sort.SliceStable(best, func(i, j int) bool { return best[i].Availability > best[j].Availability })
	// none is the chance that no machine so far is up.
	none := 1.0
	for i, m := range best {
		none *= 1 - m.Availability
		up.Add(float64(i+1), 1-none)
		down.Add(float64(i+1), none)
	}
}
