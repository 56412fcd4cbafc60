package planner

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

const machineClusters = `
clusters:
  - {name: north, machine: rack, count: 3}
  - {name: south, machine: spot, count: 40, local: {rate: 0.1/s, service_time: 1s}}
  - {name: west, external: {service_time: 0.5s, scv: 0.25}, servers: 2, price: 3}
`

// clustersOf reads clusters of a text.
func clustersOf(t *testing.T, text string) []routes.Cluster {
	t.Helper()
	f, err := routes.ReadClusters(context.Background(), "clusters", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f.Clusters
}

// The routing over machines of a plan is that over clusters with the servers,
// service times and prices that they come to, written down by hand.
func TestPlanRoutesOverMachines(t *testing.T) {
	plan := func(clusters string) *PlanQuestion {
		q := farm(t)
		q.Load, q.Service = &scenario.Load{Rate: rangeOf[units.Rate](t, "1.2/s")}, &scenario.Service{Time: rangeOf[units.Duration](t, "1s")}
		q.Routing = &scenario.Routing{Clusters: clustersOf(t, clusters)}
		return q
	}
	a := planned(t, plan(machineClusters))
	// spot: 5 h of 5 h 10 min there, two copies: 40·(30/31)/2 servers of speed .8;
	// a request holds one for 1.25 s at .07/h over .4838 servers a machine.
	b := planned(t, plan(`
clusters:
  - {name: north, external: {service_time: 1s}, servers: 3, price: 0.00011666666666666667}
  - {name: south, local: {rate: 0.1/s, service_time: 1s}, external: {service_time: 1.25s}, servers: 19.35483870967742, price: 0.000050231481481481484}
  - {name: west, external: {service_time: 0.5s, scv: 0.25}, servers: 2, price: 3}
`))
	numtest.Close(t, "response", a.Routing.MeanResponse, b.Routing.MeanResponse, 1e-12)
	for j := range b.Routing.Clusters {
		numtest.Close(t, "rate", a.Routing.Clusters[j].ExternalRate, b.Routing.Clusters[j].ExternalRate, 1e-9)
	}
	filled, err := leadingOf(t, plan(machineClusters), nil).routedMachines(clustersOf(t, machineClusters))
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "servers", float64(*filled[1].Servers), 40*30./31/2, 1e-12)
	numtest.Close(t, "price of rack", float64(filled[0].Price.Number), 0.42/3600, 1e-12)
	numtest.Close(t, "price of spot", float64(filled[1].Price.Number), 0.07/3600*1.25*2*31/30, 1e-12)

	// Without a count: as many as the mix has.
	q := plan(strings.Replace(machineClusters, ", count: 3", "", 1))
	q.Load.Rate = rangeOf[units.Rate](t, "120/s")
	q.Routing.Rate = rangeOf[units.Rate](t, "1.2/s")
	m := planned(t, q)
	p := leadingOf(t, q, countsOf(m.Mix))
	if filled, err = p.routedMachines(q.Routing.Clusters); err != nil || float64(*filled[0].Servers) != float64(m.Mix.Machines[0].Count) {
		t.Errorf("%v servers, %v, the mix has %d", filled[0].Servers, err, m.Mix.Machines[0].Count)
	}
}

// The samples of a scenario are those of its routing too, as of route with --samples.
func TestPlanRoutesDraws(t *testing.T) {
	const clusters = `
clusters:
  - {name: north, local: {rate: 0.1/s, service_time: 1s}, external: {service_time: 1s}}
  - {name: south, external: {service_time: 0.5s}}
`
	for rate, draws := range map[string]int{"1..1.5/s": 300, "1/s": 0} {
		q := farm(t)
		q.Load, q.Objectives, q.Samples = nil, nil, new(units.Count(300))
		q.Routing = &scenario.Routing{Clusters: clustersOf(t, clusters), Rate: rangeOf[units.Rate](t, rate)}
		a := planned(t, q)
		switch u := a.Routing.Uncertainty; {
		case u == nil && draws > 0, u != nil && u.Samples != draws:
			t.Errorf("%s: %+v, want %d draws", rate, u, draws)
		}
	}
}

// leadingOf is a mix of so many machines that leads the plan of a scenario; nil is none.
func leadingOf(t *testing.T, q *scenario.Question, counts []int64) *leading {
	t.Helper()
	p := newPremises(q)
	if err := p.resolve(nil); err != nil {
		t.Fatal(err)
	}
	if counts == nil {
		return p.leading(&PlanAnswer{}, nil, timing{})
	}
	return p.leading(&PlanAnswer{}, &chosen{yardstick: &yardstick{premises: p}, counts: counts, answer: &MixAnswer{}}, timing{})
}

// countsOf lists the machines of a mix by type.
func countsOf(a *MixAnswer) (counts []int64) {
	for _, m := range a.Machines {
		counts = append(counts, m.Count)
	}
	return counts
}

const machineBatch = `
dependencies: [cpu]
resources:
  - {id: spare, dependency: cpu, primary_capacity: 10}
  - {id: big, dependency: cpu, primary_capacity: 100, machine: big, count: 2}
jobs:
  - {id: a, eligible: {cpu: [big]}, levels: {cpu: [{demand: 200, revenue: 5}]}}
  - {id: b, levels: {cpu: [{demand: 220, revenue: 7}]}}
`

// A resource of two machines of speed 2.2 is two resources, and no job is
// spread over both.
func TestPlanAllocatesOnMachines(t *testing.T) {
	f, err := allocation.ReadBatch(context.Background(), "batch", strings.NewReader(machineBatch))
	if err != nil {
		t.Fatal(err)
	}
	q := farm(t)
	q.Load, q.Objectives = nil, nil
	q.Allocation = &scenario.Allocation{Batch: f, Method: "max-best"}
	a := planned(t, q)
	if a.Allocation == nil || *a.Allocation.Revenue != 12 {
		t.Fatalf("%+v, %+v", a.Allocation, a.Infeasible)
	}
	seen := map[string]bool{}
	for _, x := range a.Allocation.Assignments {
		seen[*x.Resource] = true
	}
	if !seen["big-1"] || !seen["big-2"] {
		t.Errorf("assignments %+v", a.Allocation.Assignments)
	}
	if len(f.Resources) != 2 || f.Jobs[0].Eligible[0].Value[0] != "big" {
		t.Error("the batch of the caller is changed")
	}
	var input *ask.InputError
	q.Machines[1].Name = "huge"
	if _, err := Plan(context.Background(), q); !errors.As(err, &input) || input.Field != "allocation.batch.resources[1].machine" {
		t.Errorf("no such machine: %v", err)
	}
	// Alone a batch or clusters know no types of machines.
	if _, err := allocation.Allocate(context.Background(), &allocation.Question{Batch: f}); err == nil || !strings.Contains(err.Error(), "for plan") {
		t.Errorf("allocate: %v", err)
	}
	rate := units.Point(units.Rate(1))
	if _, err := routes.Route(context.Background(), &routes.Question{Clusters: clustersOf(t, machineClusters), Rate: &rate}); !errors.As(err, &input) {
		t.Errorf("route: %v", err)
	}
}
