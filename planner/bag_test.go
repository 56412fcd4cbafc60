package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/law"
	rooms "github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/scenario"
)

// The part bag asks what the room of bags asks of the same machines, with the price
// and speed of the type that helps: by default the dedicated one that is cheapest
// for its speed.
func TestPlanBagAsksOfItsMachines(t *testing.T) {
	const text = `
machines:
  - {name: rack, price: 0.42/h}
  - {name: big, price: 0.80/h, speed: 2}
  - {name: spot, kind: public, price: 0.05/h, speed: 0.8, speed_cv: 0.2, mttf: 5h, mttr: 10min, limit: 60}
bag: {tasks: 400, task_time: 20min, by: 4h, with: 90%, hourly: true}
`
	ctx := context.Background()
	q, err := scenario.Read(ctx, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Plan(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	by, with, price, speed := 4*3600., 0.9, 0.8, 2.
	want, err := rooms.Done(ctx, &rooms.FinishQuestion{
		Bag: &bags.Bag{Size: bags.Spread{Mean: 400}, Work: bags.Spread{Mean: 1200}},
		Hosts: &hosts.Platform{
			Count: 60,
			Up:    law.Exponential{Scale: 5 * 3600},
			Down:  law.Exponential{Scale: 600},
			Speed: hosts.Speed{Mean: 0.8, SD: 0.8 * 0.2},
		},
		By: &by, With: &with, CloudPrice: &price, CloudSpeed: &speed, Hourly: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := a.Bag
	if got == nil || got.Design == nil || want.Design == nil {
		t.Fatalf("no design: %+v", got)
	}
	numtest.Close(t, "median", *got.Finish.P50, *want.Finish.P50, 1e-9)
	numtest.Close(t, "cost", *got.Design.Cost, *want.Design.Cost, 1e-9)
	if got.Design.Workers != want.Design.Workers || got.Design.Workers == 0 || got.Design.Start != want.Design.Start {
		t.Errorf("%+v; asked directly %+v", got.Design, want.Design)
	}
}

// The help of 4,800 tasks takes 218 of a type that has as many, and holds to fewer that can be had: by the
// formula 217 are too few (90.9 %), and by runs they are not.
func TestPlanBagHoldsToTheLimit(t *testing.T) {
	const all = "bag: the help uses all %d of blade: with more machines it may cost less"
	for name, v := range map[string]struct {
		limit   string
		workers int
		start   float64
		says    string
	}{
		"any number":     {"speed: 1", 218, 0, ""},
		"more than need": {"limit: 219", 218, 0, ""},
		"as many":        {"limit: 218", 218, 0, all},
		"one fewer":      {"limit: 217", 217, 0, all},
		"fewer": {"limit: 180", 0, 0, "even with all 180 workers that the limit allows once the " +
			"first task is given out it was in time in 0% of 16"},
		"one": {"limit: 1", 0, 0, "even with the one worker that the limit allows once the first task is " +
			"given out it was in time in 0% of 16"},
		"none": {"limit: 0", 0, 0, "is blade, which has a limit of 0"},
	} {
		q, err := scenario.Read(t.Context(), strings.NewReader(`
machines:
  - {name: blade, price: $650/month, `+v.limit+`}
  - {name: desk, kind: public, price: $0.02/h, speed: 0.7, mttf: 9h, mttr: 15h, limit: 150}
bag: {tasks: 4800, task_time: 40min, machine: desk, by: 14h, with: 95%, cloud: blade}
`))
		if err != nil {
			t.Fatal(err)
		}
		a, err := Plan(t.Context(), q)
		switch {
		case err != nil && v.limit == "limit: 0":
			if !strings.Contains(err.Error(), v.says) {
				t.Errorf("%s: error %v, want %q", name, err, v.says)
			}
			continue
		case err != nil:
			t.Fatal(err)
		case v.workers == 0:
			if len(a.Infeasible) != 1 || !strings.Contains(a.Infeasible[0].Reason, v.says) {
				t.Errorf("%s: %v, want %q", name, a.Infeasible, v.says)
			}
			continue
		}
		if d := a.Bag.Design; d.Workers != v.workers || d.Start != v.start {
			t.Errorf("%s: %d workers from %v", name, d.Workers, d.Start)
		}
		for _, p := range a.Bag.Frontier {
			if strings.HasPrefix(v.limit, "limit") && p.Workers > 219 {
				t.Errorf("%s: frontier with %d workers", name, p.Workers)
			}
		}
		if slices.Contains(a.Warnings, fmt.Sprintf(all, v.workers)) != (v.says == all) {
			t.Errorf("%s: warnings %q", name, a.Warnings)
		}
	}
}
