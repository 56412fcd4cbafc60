package planner

import (
	"context"
	"strings"
	"testing"
)

// All numbers of a machine without a price cost the same: of those a plan takes no more than
// the objectives ask for, where it once took 250,000,000,001 of them. The least numbers are
// those of one type alone, of speed 1 and 1/2, by Erlang C: 85 of speed 1 and 169 of speed
// 1/2 keep 95% of 80 erl within half a service time, 84 and 168 do not; of the machines that
// come and go check refuses one fewer.
func TestPlanTakesFewFreeMachines(t *testing.T) {
	for machines, want := range map[string][]int64{
		"[{name: a, kind: dedicated}]":                                                                     {85},
		"[{name: a, kind: dedicated}, {name: b, kind: dedicated, speed: 0.5}]":                             {85, 0},
		"[{name: a, kind: dedicated, price: 0/h}, {name: b, kind: dedicated, speed: 0.5, price: 0/h}]":     {85, 0},
		"[{name: a, kind: dedicated, price: 1/h}, {name: b, kind: dedicated, speed: 0.5}]":                 {0, 169},
		"[{name: a, kind: dedicated, price: 1/h}, {name: b, kind: dedicated, speed: 0.5, limit: 1000}]":    {0, 169},
		"[{name: a, kind: dedicated, price: 1/h}, {name: b, kind: public, mttf: 2h, mttr: 1h, speed: .5}]": {0, 265},
	} {
		q, err := ReadScenario(context.Background(), strings.NewReader(`
load: {rate: 40/s}
service: {time: 2s}
objectives: {max_wait: 1s, percentile: 95%}
machines: `+machines))
		if err != nil {
			t.Fatal(err)
		}
		a, err := Nominal(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range a.Mix.Machines {
			if m.Count != want[i] {
				t.Errorf("of %s the plan takes %d %s, want %d", machines, m.Count, m.Name, want[i])
			}
			warned := strings.Contains(strings.Join(a.Mix.Warnings, "\n"), m.Name+" has no price")
			if free := q.Machines[i].Price == nil && m.Count > 0; warned != free {
				t.Errorf("of %s it is said of %s that it has no price: %v, want %v", machines, m.Name, warned, free)
			}
		}
	}
}
