package planner

import (
	"context"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/scenario"
)

// Under a link the searches beside that of the mix, which have fewer nodes, find what it
// found: sensitivities begin at its cost and go the right way, and the frontier begins with
// it. They were up to a quarter too dear, so that a longer MTTF cost money.
func TestSearchesBesideUnderLink(t *testing.T) {
	q, err := scenario.Read(context.Background(), strings.NewReader(`
load: {rate: 6/min}
service: {time: 100s}
objectives: {max_blocking: 1%, availability: 99%}
machines:
  - {name: rack, kind: dedicated, price: 0.42/h}
  - {name: spot, kind: public, price: 0.07/h, speed: 0.8, mttf: 5h, mttr: 10min, limit: 100}
  - {name: desk, kind: public, price: 0.02/h, speed: 0.5, mttf: 2h, mttr: 30min, limit: 100}
epoch: {migrations: 1, migration_time: 30s}
link: {uplink: 6667kbps, downlink: 6667kbps, footprint: 10MB}
`))
	if err != nil {
		t.Fatal(err)
	}
	a := planned(t, q)
	if !a.Mix.Optimal {
		t.Error("the mix is not proven to be the cheapest")
	}
	if got := *a.Sensitivity.Cost; got != a.Mix.Cost {
		t.Errorf("sensitivities begin at %v, the mix costs %v", got, a.Mix.Cost)
	}
	if got := a.Frontier.Points[0].Cost; got != a.Mix.Cost {
		t.Errorf("the frontier begins at %v, the mix costs %v", got, a.Mix.Cost)
	}
	for _, w := range a.Sensitivity.Inputs {
		if w.CostLow == nil || w.CostHigh == nil {
			continue
		}
		least, most := w.CostLow, w.CostHigh // dearer when it rises
		if strings.HasSuffix(w.Input, "mttf") || strings.HasSuffix(w.Input, "speed") || strings.HasSuffix(w.Input, "blocking") {
			least, most = most, least
		}
		if *least > a.Mix.Cost || *most < a.Mix.Cost {
			t.Errorf("%s: %v to %v, and the mix costs %v", w.Input, *w.CostLow, *w.CostHigh, a.Mix.Cost)
		}
	}
}
