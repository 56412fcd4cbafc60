package planner

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

// dedicatedOf counts the dedicated machines of the cheapest mix.
func dedicatedOf(a *PlanAnswer) (n int64) {
	for _, m := range a.Mix.Machines {
		if m.Kind == scenario.Dedicated {
			n += m.Count
		}
	}
	return n
}

// Epoch, link and routing are those of the mix that leads: the same as of a plan
// without ranges that can have those machines only.
func TestPlanFollowsLeading(t *testing.T) {
	ask := func(text string) *PlanAnswer {
		q, err := scenario.Read(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return planned(t, q)
	}
	const parts = `
service: {time: 100s}
objectives: {max_blocking: 1%, availability: 99%}
epoch: {migrations: 2, migration_time: 30s}
link: {uplink: 100Mbps, downlink: 100Mbps, footprint: 1MB}
routing:
  rate: 1/s
  clusters:
    - {name: own, machine: rack, external: {scv: 1}}
`
	a := ask(parts + `
load: {rate: 0.9/s..1/s..1.4/s}
samples: 200
machines:
  - {name: rack, price: 0.42/h}
  - {name: spot, kind: public, price: 0.07/h, speed: 0.8, mttf: 5h, mttr: 10min, limit: 60}
`)
	counts := a.Recommended.Counts
	if counts[0] == a.Mix.Machines[0].Count || counts[1] == 0 {
		t.Fatalf("%v is no mix that tells the two apart", counts)
	}
	b := ask(parts + strings.NewReplacer("RACK", units.Count(counts[0]).String(), "SPOT",
		units.Count(counts[1]).String()).Replace(`
load: {rate: 1/s}
machines:
  - {name: rack, price: 0.42/h, limit: RACK, at_least: RACK}
  - {name: spot, kind: public, price: 0.07/h, speed: 0.8, mttf: 5h, mttr: 10min, limit: SPOT, at_least: SPOT}
`))
	numtest.Close(t, "epoch", a.Epoch.Epoch, b.Epoch.Epoch, 1e-12)
	numtest.Close(t, "public jobs", *a.Epoch.PublicJobs, *b.Epoch.PublicJobs, 1e-12)
	numtest.Close(t, "public share", *a.Link.PublicShare, *b.Link.PublicShare, 1e-12)
	numtest.Close(t, "uplink", *a.Link.MinUplink, *b.Link.MinUplink, 1e-12)
	numtest.Close(t, "response", a.Routing.MeanResponse, b.Routing.MeanResponse, 1e-12)
	if *a.Link.Dedicated != counts[0] {
		t.Errorf("%d dedicated servers of %v", *a.Link.Dedicated, counts)
	}
}
