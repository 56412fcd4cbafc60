package planner

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// quickMachines is a load whose services take longer on a server of speed 1 than the limit on
// responses, and machines of which one type is slower and one is faster. With the speeds divided by
// the given one and the service time by it too it is the same question.
func quickMachines(t *testing.T, limit func(o *scenario.Objectives), by float64) *PlanQuestion {
	t.Helper()
	speed := func(v float64) *units.Range[units.Number] { return new(units.Point(units.Number(v / by))) }
	q := &scenario.Question{
		Load:       &scenario.Load{Rate: rangeOf[units.Rate](t, "0.013/s")},
		Service:    &scenario.Service{Time: new(units.Point(units.Duration(300 / by)))},
		Objectives: &scenario.Objectives{},
		Machines: []scenario.MachineType{
			{Name: "quick", Price: rangeOf[units.Price](t, "1/h"), Speed: speed(2)},
			{Name: "slow", Price: rangeOf[units.Price](t, "0.3/h"), Speed: speed(0.8)},
		},
	}
	limit(q.Objectives)
	return q
}

// Machines may be fast enough for a limit on responses that no number of servers of speed 1 meets:
// the plan is that of the same question with service times of the fast machines, and a fleet is held
// to the limit by its own figures. M/M/c responses of four quick machines: 162 s on average.
func TestFastMachinesMeetResponses(t *testing.T) {
	for name, limit := range map[string]func(*scenario.Objectives){
		"mean": func(o *scenario.Objectives) { o.MaxMeanResponse = new(units.Duration(200)) },
		"tail": func(o *scenario.Objectives) {
			o.MaxResponse, o.Percentile = new(units.Duration(500)), new(units.Percentile(0.9))
		},
		"both": func(o *scenario.Objectives) {
			o.MaxMeanResponse, o.Spare = new(units.Duration(200)), new(units.Count(1))
			o.MaxResponse, o.Percentile = new(units.Duration(500)), new(units.Percentile(0.9))
		},
	} {
		q := quickMachines(t, limit, 1)
		a, same := planned(t, q), planned(t, quickMachines(t, limit, 2))
		if len(a.Infeasible) > 0 || a.Mix == nil || a.Size != nil || a.Sensitivity == nil {
			t.Fatalf("%s: infeasible %+v, mix %+v", name, a.Infeasible, a.Mix)
		}
		if a.Mix.Cost != same.Mix.Cost || math.Abs(*a.Mix.MeanResponse / *same.Mix.MeanResponse - 1) > 1e-9 ||
			math.Abs(a.Mix.Needed/(2*same.Mix.Needed)-1) > 1e-9 {
			t.Errorf("%s: %+v, with the fast machine as the reference %+v", name, a.Mix, same.Mix)
		}
		for count, met := range map[int64]bool{2: false, 30: true} {
			f, err := CheckFleet(context.Background(), &FleetQuestion{Scenario: q, Machines: map[string]int64{"quick": count}})
			if err != nil {
				t.Fatal(err)
			}
			if f.Met != met || (f.Shortfall == 0) != met || f.Shortfall >= int64(math.Ceil(f.Needed)) {
				t.Errorf("%s: %d quick: met %v, %d of %v servers short", name, count, f.Met, f.Shortfall, f.Needed)
			}
		}
	}
}

// Draws of service times above a limit on the mean response are met by machines that are faster.
// Seven of speed 2 take 97 s on average of services of 120 s, those that take longest.
func TestFastMachinesMeetResponsesInAllDraws(t *testing.T) {
	q := &scenario.Question{
		Load:       &scenario.Load{Rate: rangeOf[units.Rate](t, "0.1/s")},
		Service:    &scenario.Service{Time: rangeOf[units.Duration](t, "85..100..120s")},
		Objectives: &scenario.Objectives{MaxMeanResponse: new(units.Duration(110))},
		Machines: []scenario.MachineType{{Name: "quick", Price: rangeOf[units.Price](t, "1/h"),
			Speed: new(units.Point(units.Number(2)))}},
		Samples: new(units.Count(400)),
	}
	a := planned(t, q)
	if r := a.Recommended; a.Uncertainty.Infeasible != 0 || r == nil || r.Counts[0] != 7 || *r.Chance != 1 {
		t.Errorf("no answer in %v of the draws, recommended %+v", a.Uncertainty.Infeasible, r)
	}
}

// A curve that never changes has the mix of its rate.
func TestFastMachinesMeetResponsesOfACurve(t *testing.T) {
	limit := func(o *scenario.Objectives) { o.MaxMeanResponse = new(units.Duration(200)) }
	q := quickMachines(t, limit, 1)
	want := planned(t, q)
	q.Load = &scenario.Load{Curve: &traffic.Curve{Start: []float64{0, 3600}, Rate: []float64{0.013, 0.013}, End: 7200}}
	q.Service.Staffing = sizing.SIPP
	if a := planned(t, q); a.Mix == nil || a.Mix.Cost != want.Mix.Cost {
		t.Errorf("mix %+v, of the rate %+v", a.Mix, want.Mix)
	}
}
