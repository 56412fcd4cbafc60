package planner_test

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// Which machines to rent: racks that stay, and spot machines that come and go,
// of which each job gets as many replicas as keep one alive 99% of the time.
func ExamplePlan() {
	load, err := units.ParseRange[units.Erlang]("120")
	if err != nil {
		fmt.Println(err)
		return
	}
	price := func(text string) *units.Range[units.Price] {
		r, err := units.ParseRange[units.Price](text)
		if err != nil {
			fmt.Println(err)
		}
		return &r
	}
	mttf, mttr := units.Point(units.Duration(5*3600)), units.Point(units.Duration(600))
	blocking, target, limit := units.Fraction(0.01), 0.99, int64(200)
	q := &planner.PlanQuestion{
		Traffic:    sizing.Traffic{OfferedLoad: &load},
		Objectives: sizing.Objectives{MaxBlocking: &blocking},
		Target:     &target,
		Machines: []planner.MachineType{
			{Name: "rack", Price: price("0.42/h")},
			{Name: "spot", Kind: planner.Public, Price: price("0.07/h"), MTTF: &mttf, MTTR: &mttr, Limit: &limit},
		},
	}
	a, err := planner.Plan(context.Background(), q)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range a.Mix.Machines {
		fmt.Printf("%d %s, worth %.1f servers, %.2f/h\n", m.Count, m.Name, m.Equivalent, m.Cost)
	}
	fmt.Printf("%.2f/h, blocking %.2f%%\n", a.Mix.Cost, 100**a.Mix.Blocking)
	for _, b := range a.Mix.Binding {
		fmt.Println("binds:", b.Constraint)
	}
	// Output:
	// 42 rack, worth 42.0 servers, 17.64/h
	// 199 spot, worth 96.3 servers, 13.93/h
	// 31.57/h, blocking 0.95%
	// binds: max_blocking
	// binds: availability target
	// binds: limit of spot
}
