package planner

import (
	"math"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

func uncertainRacks(t *testing.T) *PlanQuestion {
	return &scenario.Question{
		Load:       &scenario.Load{Erlangs: rangeOf[units.Erlang](t, "100..130")},
		Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))},
		Machines:   []scenario.MachineType{{Name: "rack", Price: rangeOf[units.Price](t, "1/h")}},
	}
}

// lossOf is Erlang's B by its recurrence.
func lossOf(servers int64, load float64) float64 {
	b := 1.
	for n := 1.; n <= float64(servers); n++ {
		b = load * b / (n + load*b)
	}
	return b
}

// Of loads that are equally likely from 100 to 130 erl the safe fleet carries
// those up to 128.5, the one for the most likely figures those up to 115.
func TestPlanRecommendsWhatIsSafe(t *testing.T) {
	q := uncertainRacks(t)
	q.Objectives.Budget = &units.Money{Price: units.Price(135. / 3600)}
	a := planned(t, q)
	r := a.Recommended
	if r == nil || r.Reason != ask.Safe {
		t.Fatalf("recommended %+v", r)
	}
	// Of 4,000 draws the 95 % point of the load is within ±0.4 erl, four standard errors.
	n := r.Counts[0]
	if lossOf(n, 128.1) > 0.01 || lossOf(n-1, 128.9) <= 0.01 {
		t.Errorf("%d racks are not the fewest for 128.5 erl", n)
	}
	if lossOf(a.Mix.Machines[0].Count, 115) > 0.01 || lossOf(a.Mix.Machines[0].Count-1, 115) <= 0.01 {
		t.Errorf("%d racks are not the fewest for 115 erl", a.Mix.Machines[0].Count)
	}
	if *r.Chance < 0.95 || r.Extra != float64(n-a.Mix.Machines[0].Count) {
		t.Errorf("chance %v, extra %v", *r.Chance, r.Extra)
	}
	if r.OverBudget == nil || *r.OverBudget != float64(n)-135 {
		t.Errorf("over budget %v", r.OverBudget)
	}
	if r.AtLikely == nil || math.Abs(*r.AtLikely.Blocking/lossOf(n, 115)-1) > 1e-9 {
		t.Errorf("at the most likely load %+v", r.AtLikely)
	}
	// Short by what the loads between 128.5 and 130 erl need beyond n.
	if r.WhenShort == nil || *r.WhenShort <= 0 || *r.WhenShort > 3 || r.PublicAway != nil {
		t.Errorf("short by %v when missed, public away %v", r.WhenShort, r.PublicAway)
	}
}

// Where limits keep all mixes from being safe, the least regret leads, and
// without a price of what is missing the one that comes nearest.
func TestPlanRecommendsWithoutASafeMix(t *testing.T) {
	q := uncertainRacks(t)
	q.Machines[0].Limit = new(units.Count(140))
	a := planned(t, q)
	if r := a.Recommended; r == nil || r.Reason != ask.Safest || r.Counts[0] != 140 || *r.Chance >= 0.95 {
		t.Errorf("without a cost: %+v", r)
	}
	q.Costs = &scenario.Costs{Shortfall: &units.Money{Price: units.Price(2. / 3600)}}
	a = planned(t, q)
	if r := a.Recommended; r == nil || r.Reason != ask.LeastRegret || r.Counts[0] != a.Uncertainty.LeastRegret.Counts[0] {
		t.Errorf("with a cost: %+v", r)
	}
	q.Load.Erlangs = rangeOf[units.Erlang](t, "115")
	if a = planned(t, q); a.Recommended != nil {
		t.Error("recommended beside a certain answer")
	}
}
