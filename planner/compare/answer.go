package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
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
		if r.Recommended != nil {
			words("routing.recommended.split", r.Recommended.Split)
			figure("routing.recommended.mean_response_s", &r.Recommended.MeanResponse)
			if o := r.Uncertainty.Of(r.Recommended.Split); o != nil {
				figure("routing.recommended.mean_response_average_s", o.Mean)
			}
		}
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
		figure("checkpoint.expected_run_s", k.ExpectedRun)
	}
	if b := a.Bag; b != nil {
		figure("bag.finish_p50_s", b.Finish.P50)
		figure("bag.finish_p95_s", b.Finish.P95)
		figure("bag.probability_in_time", b.Chance)
		if d := b.Design; d != nil {
			words("bag.design.method", d.Method)
			figure("bag.design.workers", new(float64(d.Workers)))
			figure("bag.design.started_share", new(d.Start))
			figure("bag.design.hours", new(d.Hours))
			figure("bag.design.cost", d.Cost)
		}
	}
	if p := a.Predict; p != nil {
		figure("availability.temporal_reliability", &p.TemporalReliability)
	}
	if r := a.Rank; r != nil {
		words("ranking.choice", r.Choice)
	}
	if v := a.Allocation; v != nil && v.Revenue != nil {
		figure("allocation.revenue", new(float64(*v.Revenue)))
	}
	for _, p := range a.Infeasible {
		words("infeasible."+p.Question, p.Reason)
	}
	return all
}

// otherwise lists the parts of two answers that differ, also in figures which are no headlines. Words and the
// way prices are written are no figures.
func otherwise(a, b *planner.PlanAnswer) ([]string, error) {
	var texts [2][]byte
	for i, x := range []*planner.PlanAnswer{a, b} {
		bare := *x
		bare.Name, bare.Seed, bare.Money, bare.Warnings, bare.Explanation = "", 0, nil, nil, nil
		var err error
		if texts[i], err = json.Marshal(&bare); err != nil {
			return nil, err
		}
	}
	var parts [2]map[string]json.RawMessage
	for i := range parts {
		if err := json.Unmarshal(texts[i], &parts[i]); err != nil {
			return nil, err
		}
	}
	var all []string
	for name, part := range parts[0] {
		if !bytes.Equal(part, parts[1][name]) {
			all = append(all, name)
		}
	}
	for name := range parts[1] {
		if parts[0][name] == nil {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all, nil
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
