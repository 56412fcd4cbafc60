package planner

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

// A fleet of racks is a loss system: met, short by so many and met with such a
// chance as Erlang's formula says.
func TestCheckFleetAgainstErlang(t *testing.T) {
	q := uncertainRacks(t)
	q.Samples = new(units.Count(400))
	q.Machines = append(q.Machines, scenario.MachineType{Name: "few", Price: rangeOf[units.Price](t, "2/h"), Limit: new(units.Count(3))})
	need := int64(1)
	for lossOf(need, 115) > 0.01 {
		need++
	}
	for _, n := range []int64{0, 40, need - 1, need, need + 5, 200} {
		a, err := CheckFleet(context.Background(), &FleetQuestion{Scenario: q, Machines: map[string]int64{"rack": n}})
		if err != nil {
			t.Fatal(err)
		}
		if a.Met != (n >= need) || a.Shortfall != max(need-n, 0) {
			t.Errorf("%d racks of %d: met %v, short by %d", n, need, a.Met, a.Shortfall)
		}
		if a.Machines[0].Missing == nil || *a.Machines[0].Missing != max(need-n, 0) {
			t.Errorf("%d racks of %d: %v are missing", n, need, a.Machines[0].Missing)
		}
		if few := a.Machines[1].Missing; need-n > 3 && few != nil {
			t.Errorf("%d racks of %d: %d of 3 are said to do", n, need, *few)
		}
		carried := 0. // the greatest load at 1 %
		for step := 256.; step > 1e-6; step /= 2 {
			if lossOf(n, carried+step) <= 0.01 {
				carried += step
			}
		}
		want := math.Min(math.Max((carried-100)/30, 0), 1)
		if se := math.Sqrt(want*(1-want)/float64(a.Judged)) + 1e-9; math.Abs(*a.Chance-want) > 4*se {
			t.Errorf("%d racks meet with chance %v, want %v", n, *a.Chance, want)
		}
	}
}

// The chance of a fleet is the one that a plan gives the same mix.
func TestCheckFleetAgreesWithPlan(t *testing.T) {
	q := uncertainRacks(t)
	q.Samples = new(units.Count(400))
	a := planned(t, q)
	for _, c := range a.Uncertainty.Candidates {
		f, err := CheckFleet(context.Background(), &FleetQuestion{Scenario: q, Machines: map[string]int64{"rack": c.Counts[0]}, Chance: *c.Chance})
		if err != nil {
			t.Fatal(err)
		}
		if *f.Chance != *c.Chance || f.Cost != c.Cost {
			t.Errorf("%v: chance %v and cost %v, the plan says %v and %v", c.Counts, *f.Chance, f.Cost, *c.Chance, c.Cost)
		}
	}
}
