package planner

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
)

// More draws than are kept are refused before the parts of a plan are answered, which took 4.5 s.
func TestTooManyDrawsAreRefusedAtFirst(t *testing.T) {
	ctx := context.Background()
	q, err := ReadScenario(ctx, strings.NewReader(`{load: {erlangs: 80..100..120}, objectives: {max_blocking: 1%},
  samples: 1e7, machines: [{name: rack, price: 1/h}, {name: slow, price: 0.6/h, speed: 0.5}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p := newPremises(q)
	_, err = p.plan(ctx, false)
	var input *ask.InputError
	if !errors.As(err, &input) || input.Field != "samples" {
		t.Errorf("%v, want an error of samples", err)
	}
	if p.work.Mix.Left < p.work.Mix.Given {
		t.Errorf("the mix took %v steps before", p.work.Mix.Given-p.work.Mix.Left)
	}
}

// A check keeps the draws as a plan does: 10 million took 1.5 GB.
func TestTooManyDrawsOfACheck(t *testing.T) {
	ctx := context.Background()
	q, err := ReadScenario(ctx, strings.NewReader(`{load: {erlangs: 80..100..120}, objectives: {max_blocking: 1%},
  samples: 1e7, machines: [{name: rack, price: 1/h}, {name: slow, price: 0.6/h, speed: 0.5}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = CheckFleet(ctx, &FleetQuestion{Scenario: q, Machines: map[string]int64{"rack": 120}})
	if err == nil || !strings.Contains(err.Error(), "samples: 10000000 draws, want 1 to ") {
		t.Errorf("%v, want an error of samples", err)
	}
}
