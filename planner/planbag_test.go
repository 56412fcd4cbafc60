package planner

import (
	"context"
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
bag: {tasks: 400, task_time: 20min, by: 4h, with: 90%}
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
		By: &by, With: &with, CloudPrice: &price, CloudSpeed: &speed,
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
