package compare

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
)

// A headline is a figure that somebody who compares two plans looks at.
type headline struct {
	name, text string
	value      *float64 // nil: words
}

// headlines are those of a plan, the weightiest first. The order decides which
// figure the causes are of.
func headlines(a *planner.PlanAnswer) []headline {
	var all []headline
	figure := func(name string, v *float64) {
		if v != nil {
			all = append(all, headline{name, ask.Digits(*v), v})
		}
	}
	words := func(name, text string) { all = append(all, headline{name, text, nil}) }
	if r := a.Recommended; r != nil {
		figure("recommended.cost_per_h", &r.Cost)
		words("recommended.machines", countsOf(a.Machines, r.Counts))
		figure("recommended.probability_met", r.Chance)
		words("recommended.reason", string(r.Reason))
	}
	if m := a.Mix; m != nil {
		figure("mix.cost_per_h", &m.Cost)
		words("mix.machines", countsOf(a.Machines, m.Counts()))
		var binding []string
		for _, b := range m.Binding {
			binding = append(binding, b.Constraint)
		}
		words("mix.binding", strings.Join(binding, ", "))
	}
	if s := a.Size; s != nil {
		// Where there is a mix, that is what counts, and not the servers.
		if r := s.Recommended; r != nil && a.Mix == nil {
			figure("recommended.servers", new(float64(r.Servers)))
		}
		figure("servers", new(float64(s.Servers)))
		words("binding", s.Binding)
		figure("offered_load_erl", &s.OfferedLoad)
		figure("utilization", s.Utilization)
	}
	if r := a.Routing; r != nil {
		figure("routing.mean_response_s", &r.MeanResponse)
	}
	for _, r := range a.Replicas {
		name := "replicas"
		if r.Machine != "" {
			name += "." + r.Machine
		}
		figure(name, new(float64(r.Replicas)))
	}
	if e := a.Epoch; e != nil {
		figure("epoch_s", &e.Epoch)
	}
	if l := a.Link; l != nil {
		figure("link.max_arrival_rate_per_s", l.MaxArrivalRate)
	}
	if k := a.Checkpoint; k != nil {
		figure("checkpoint.interval_s", &k.Interval)
	}
	if p := a.Predict; p != nil {
		figure("availability.temporal_reliability", &p.TemporalReliability)
	}
	if v := a.Allocation; v != nil && v.Revenue != nil {
		figure("allocation.revenue", new(float64(*v.Revenue)))
	}
	for _, p := range a.Infeasible {
		words("infeasible."+p.Question, p.Reason)
	}
	return all
}

// countsOf names the machines of a mix.
func countsOf(types []planner.MachineWorth, counts []int64) string {
	var words []string
	for i, n := range counts {
		if n > 0 && i < len(types) {
			words = append(words, fmt.Sprintf("%d %s", n, types[i].Name))
		}
	}
	return strings.Join(words, ", ")
}
