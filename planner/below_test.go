package planner

import (
	"context"
	"strings"
	"testing"
)

// A plan costs no more than what it shows with a type left out, which is a mix that it
// could have had: without exchanges it was 27.4 an hour here, and 23.8 without spot.
func TestPlanBelowItsAlternatives(t *testing.T) {
	q, err := ReadScenario(context.Background(), strings.NewReader(`
load: {rate: 100/min}
service: {time: 100s}
objectives: {max_wait: 20s, percentile: 95%}
machines:
  - {name: rack, kind: dedicated, speed: 0.88, price: 0.39/h}
  - {name: large, kind: public, speed: 2.22, price: 0.299/h, mttf: 40h, mttr: 113min}
  - {name: spot, kind: public, speed: 1.53, price: 0.201/h, mttf: 42h, mttr: 99min}
  - {name: cloud, kind: public, speed: 2.06, price: 0.27/h, mttf: 70h, mttr: 62min}
`))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Plan(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if !(a.Mix.Cost < 23.8) {
		t.Errorf("the plan costs %v an hour, want no more than 88 machines of cloud, 23.76", a.Mix.Cost)
	}
	for _, other := range a.Mix.Alternatives {
		if other.Cost != nil && *other.Cost < a.Mix.Cost*(1-1e-9) {
			t.Errorf("%s costs %v an hour, and the plan %v", other.Name, *other.Cost, a.Mix.Cost)
		}
	}
}
