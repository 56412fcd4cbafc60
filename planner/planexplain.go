package planner

import (
	"fmt"
	"strings"
)

// explain shows how the mix comes about.
func (p *planning) explain() {
	e := &Explanation{Model: "the cheapest machines worth as many servers as the objectives ask for"}
	for _, m := range p.a.Machines {
		if m.Kind == Public {
			e.step("worth of "+m.Name, "w = (Tp/Td)·Pav/r", fmt.Sprintf("%s·%s/%d = %s servers", num(m.Speed), num(*m.Availability), *m.Replicas, num(m.Worth)), "PCU section 4.6")
		}
	}
	for _, r := range p.a.Replicas {
		if r.ReplicasReal != nil && r.AvailabilityOne != nil {
			e.step("replicas "+r.Machine, "k = log(1 − P)/log(1 − p)", fmt.Sprintf("P = %s, p = %s: %s, rounded up to %d", num(r.Target), num(*r.AvailabilityOne), num(*r.ReplicasReal), r.ReplicasAnswer.Replicas), "PCU section 4.6")
		}
	}
	if a := p.a.Mix; a != nil {
		e.step("need", "least real N that meets every objective", fmt.Sprintf("N = %s servers of speed 1", num(a.Needed)), "the sizing question, by its queueing model")
		var parts []string
		for _, m := range a.Machines {
			if m.Count > 0 {
				parts = append(parts, fmt.Sprintf("%d·%s", m.Count, num(m.Price)))
			}
		}
		proof := "no mix costs less (branch and bound)"
		if !a.Optimal {
			proof = "no mix costs less than " + num(a.LowerBound)
		}
		e.step("mix", "min Σ pᵢnᵢ with Σ wᵢnᵢ ≥ N, n whole", fmt.Sprintf("%s = %s/h, worth %s; %s", strings.Join(parts, " + "), num(a.Cost), num(a.Equivalent), proof), "covering form of the bounded knapsack; Martello, Toth 1990")
	}
	e.Assumptions = []string{
		"machines count by their mean speed and mean availability: N servers of speed 1 stand for all of them (PCU). That some are away or slow at a moment, and that a job on a slow machine takes longer itself, is left out",
		"moving a job between machines costs nothing",
	}
	if p.crossing != nil {
		e.Assumptions = append(e.Assumptions, "link and epoch are charged with the share of the work that the mix does on public machines; no mix that overloads the link, or leaves no stable epoch, was taken")
	}
	if p.a.Uncertainty != nil {
		e.Assumptions = append(e.Assumptions, "ranges are independent of each other; the replicas, and the jobs that a public machine holds, stay those of the most likely figures")
	}
	p.a.Explanation = e
}
