package compare

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/scenario"
)

// Where plans with ranges would take long, causes are of the mixes for the most likely values, as those of scenarios
// without ranges are.
func TestCausesWithoutRanges(t *testing.T) {
	read := func(rate, price, spot string) *Compared {
		q, err := scenario.Read(t.Context(), strings.NewReader("load: {rate: "+rate+"}\nservice: {time: 100s}\n"+
			"objectives: {max_blocking: 1%}\nsamples: 50\nmachines:\n  - {name: rack, price: "+price+"}\n"+
			"  - {name: spot, kind: public, price: "+spot+", speed: 0.8, mttf: 5h, mttr: 10min, limit: 200}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return &Compared{Question: q}
	}
	a, b := read("60..72..90/min", "0.42/h", "0.05..0.07..0.1/h"), read("70..86..99/min", "0.5/h", "0.06..0.08..0.1/h")
	bounded, err := plans(t.Context(), a, b, 1)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Ranged(t.Context(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	nominal, err := Ranged(t.Context(), read("72/min", "0.42/h", "0.07/h"), read("86/min", "0.5/h", "0.08/h"))
	if err != nil {
		t.Fatal(err)
	}
	if whole.Figure != "recommended.cost_per_h" || len(whole.Warnings) > 0 {
		t.Errorf("with all ranges the causes are of %s: %q", whole.Figure, whole.Warnings)
	}
	if bounded.Figure != "mix.cost_per_h" || len(bounded.Warnings) != 1 || len(bounded.Causes) != 3 {
		t.Fatalf("causes of %s: %+v, %q", bounded.Figure, bounded.Causes, bounded.Warnings)
	}
	for i, c := range bounded.Causes {
		if n := nominal.Causes[i]; c.Input != n.Input || *c.Effect != *n.Effect {
			t.Errorf("%s has %v, want %s with %v", c.Input, *c.Effect, n.Input, *n.Effect)
		}
	}
	if p, err := planner.Plan(t.Context(), a.Question); err != nil || !(p.Steps() > 0) {
		t.Errorf("a plan took %v steps, %v", p.Steps(), err)
	}
}
