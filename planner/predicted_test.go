package planner

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/units"
)

// daily is a machine that is overloaded from 10 to 11 on the first days of ten.
func daily(name string, busy int) machines.Trace {
	h := machines.Trace{Name: name}
	monday := 1704067200.0
	for i := range 14 * 288 {
		load, day, clock := 0.1, i/288, i%288
		if i%7 == 0 {
			load = 0.3
		}
		if day < busy && clock >= 120 && clock < 132 {
			load = 0.95
		}
		h.Samples = append(h.Samples, smp.Sample{Time: monday + 300*float64(i), Load: load, FreeMemory: math.NaN()})
	}
	return h
}

// A type takes the mean chance of its machines from the ranking, which is the
// one that the plan shows, and there are no more of them than are ranked.
func TestPlanPredicted(t *testing.T) {
	question := func(predicted string) *PlanQuestion {
		return &scenario.Question{
			Load:       &scenario.Load{Erlangs: rangeOf[units.Erlang](t, "12")},
			Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01)), Availability: new(units.Fraction(0.9))},
			Machines: []scenario.MachineType{
				{Name: "rack", Price: rangeOf[units.Price](t, "1/h")},
				{Name: "lab", Kind: scenario.Public, Price: rangeOf[units.Price](t, "0.05/h"), Predicted: predicted},
			},
			Availability: &scenario.Availability{
				Hosts:  []machines.Trace{daily("quiet", 0), daily("some", 4), daily("often", 9)},
				Day:    "weekday",
				Start:  "09:00",
				Window: 3 * 3600,
				Days:   10,
			},
			Seed: new(units.Count(1)),
		}
	}
	a := planned(t, question("all"))
	sum, chance := 0.0, map[string]float64{}
	for _, h := range a.Rank.Hosts {
		chance[h.Name] = *h.Free
		sum += *h.Free
	}
	lab := a.Machines[1]
	numtest.Close(t, "mean of three", *lab.Availability, sum/3, 1e-12)
	if *lab.Limit != 3 || !strings.HasPrefix(lab.AvailabilityFrom, "predicted: mean chance of 3 machines") {
		t.Errorf("%+v", lab)
	}
	if !(chance["quiet"] > chance["some"] && chance["some"] > chance["often"]) {
		t.Fatalf("chances %v do not tell the machines apart", chance)
	}
	numtest.Close(t, "best two", *planned(t, question("best 2")).Machines[1].Availability, (chance["quiet"]+chance["some"])/2, 1e-12)
	numtest.Close(t, "by name", *planned(t, question("often, quiet")).Machines[1].Availability, (chance["quiet"]+chance["often"])/2, 1e-12)

	q := question("all")
	q.Availability.Hosts = q.Availability.Hosts[1:2]
	one := planned(t, q)
	numtest.Close(t, "one machine", *one.Machines[1].Availability, *one.Predict.Free, 1e-12)

	without := question("all")
	without.Availability = nil
	for name, q := range map[string]*scenario.Question{
		"nobody":      question("nobody"),
		"twice":       question("some,some"),
		"best 4":      question("best 4"),
		"best none":   question("best none"),
		"no question": without,
	} {
		var input *ask.InputError
		if _, err := Plan(context.Background(), q); !errors.As(err, &input) || input.Field != "machines[1].predicted" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
