package planner

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// explain shows how the mix comes about. The steps are those of the mix: what a
// machine is worth, replicas, the need, the choice, and what it rests on.
func (p *premises) explain(answer *PlanAnswer, mix *chosen, crossing *mixes.Crossing) *ask.Explanation {
	e := &ask.Explanation{Model: "the cheapest machines that meet the objectives: each machine is a server of its " +
		"own speed, and an arrival takes an idle one at random"}
	// Each machine is a server of its own speed, not a number of servers of speed 1.
	own := mix != nil && mix.mixing.Model != nil
	if !own {
		e.Model = "the cheapest machines whose worth is at least the number of servers that the objectives need"
	}
	for i, m := range answer.Machines {
		p.types[i].ExplainSlots(e, p.Service)
		if m.Kind == scenario.Public {
			e.Step("capacity of "+m.Name, "w = (Tp/Td)·m·Pav/r",
				ask.Sprintf("%v·%d·%v/%d = %v servers of speed 1", m.Speed, m.Slots, *m.Availability, *m.Replicas,
					m.Worth), "PCU section 4.6, with m slots")
		}
	}
	for _, r := range answer.Replicas {
		if r.ReplicasReal != nil && r.AvailabilityOne != nil {
			e.Step("replicas "+r.Machine, "k = log(1 − P)/log(1 − p)",
				ask.Sprintf("P = %v, p = %v: %v, rounded up to %d", r.Target, *r.AvailabilityOne, *r.ReplicasReal,
					r.ReplicasAnswer.Replicas), "PCU section 4.6")
		}
	}
	if a := answer.Mix; a != nil {
		e.Step("need", "least real N that meets every objective", ask.Sprintf("N = %v servers of speed 1", a.Needed),
			"the sizing question, by its queueing model")
		var parts []string
		for _, m := range a.Machines {
			if m.Count > 0 {
				parts = append(parts, ask.Sprintf("%d·%v", m.Count, units.ExactCents(p.money.Amount(m.Price))))
			}
		}
		proof := "no mix costs less (branch and bound)"
		if !a.Optimal {
			proof = "no mix costs less than " + p.price(a.LowerBound)
		}
		sum := fmt.Sprintf("%s = %s", strings.Join(parts, " + "), p.price(a.Cost))
		if own {
			mix.explainFigure(e)
			e.Step("mix", "min Σ pᵢnᵢ with every objective met, n whole", sum+"; "+proof,
				"branch and bound over boxes of counts; the loss falls with every machine added")
		} else {
			e.Step("mix", "min Σ pᵢnᵢ with Σ wᵢnᵢ ≥ N, n whole",
				ask.Sprintf("%s, worth %v; %s", sum, a.Equivalent, proof),
				"covering form of the bounded knapsack; Martello, Toth 1990")
		}
	}
	e.Assumptions = []string{"moving a job between machines costs nothing"}
	if own {
		e.Assume(
			"an arrival takes an idle server at random: taking the fastest first lost no more on any small fleet "+
				"tried, which is not a proof",
			"machines that come and go do so slowly compared with a service (averaged), or count by their mean "+
				"number (mean)")
	} else {
		e.Assume(
			"machines count by their mean speed: N servers of speed 1 stand for all of them (PCU). The longer " +
				"service of a job on a slow machine is left out")
	}
	if crossing != nil && (crossing.Footprint > 0 || crossing.Epoch != nil) {
		e.Assume(
			"link and epoch are charged with the share of the work that the mix does on public machines; mixes that " +
				"overload the link or leave no stable epoch are excluded")
	}
	if answer.Uncertainty != nil {
		e.Of = "the mix for the most likely values"
		e.Assume(
			"ranges are independent of each other; the replicas, and the jobs that a public machine holds, stay at " +
				"their most likely values")
	}
	return e
}

// explainFigure shows by which form the mix is held to the objectives. It is the
// product form of unlike servers with the speeds and the numbers of the mix put
// in.
func (m *chosen) explainFigure(e *ask.Explanation) {
	load := m.mixing.Model.Fleet.Load.Offered()
	if m.mixing.Model.Alike() {
		servers, speed := 0.0, 0.0
		for i, t := range m.answer.Machines {
			k := m.mixing.Model.Kinds[i]
			servers, speed = servers+float64(t.Count)/k.PerJob, k.Speed
		}
		e.Step("figures", "those of n servers under a/s erl", ask.Sprintf("n = %v, a/s = %v/%v", servers, load, speed),
			"all machines are of one speed: the queueing model of the sizing question, "+cmp.Or(m.answer.Method, "exact"))
		return
	}
	var factors []string
	for i, t := range m.answer.Machines {
		if t.Count == 0 {
			continue
		}
		k := m.mixing.Model.Kinds[i]
		n := ask.Digits(float64(t.Count) / k.PerJob)
		if k.Up < 1 {
			n = ask.Sprintf("u/%v", k.PerJob)
		}
		factors = append(factors, ask.Sprintf("(1 + t·%v/%v)^(%s)", k.Speed, load, n))
	}
	if len(factors) == 0 {
		return
	}
	e.Step("all busy", "1/B = ∫ e^(−t) ∏ⱼ (1 + t·sⱼ/a)^(nⱼ) dt", "∫ e^(−t) "+strings.Join(factors, " ")+" dt",
		"Gumbel 1960, product form of unlike servers: P(busy set) ∝ λᵏ (n − k)!/n! ∏ 1/μᵢ")
	for i, t := range m.answer.Machines {
		if k := m.mixing.Model.Kinds[i]; t.Count > 0 && k.Up < 1 {
			e.Step("up of "+t.Name, "mean over u ~ binomial(N, Pav)", ask.Sprintf("N = %d, Pav = %v", t.Count, k.Up),
				"machines stay up and down longer than a service takes")
			if k.Outages.Groups > 0 {
				e.Step("groups of "+t.Name, "u | m ~ binomial(m, Pav/g), m machines of the groups that are there",
					ask.Sprintf("%v groups, g = %v", k.Outages.Groups, k.Outages.Up),
					"groups fail independently of one another")
			}
		}
	}
	if kind := m.mixing.Model.Fleet.Kind; kind != sizing.Loss {
		e.Step("waits", "C = B/(1 − ρ(1 − B)), P(W > t) = C·e^(−(M−λ)t)",
			fmt.Sprintf("M = Σ nⱼsⱼ/E[S] (model %s)", kind),
			"once all are busy the queue is that of one server of rate M")
	}
}
