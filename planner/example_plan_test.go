package planner_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing/fstest"
	"time"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

// Which machines to rent: racks that stay, and spot machines that come and go,
// of which each job gets as many replicas as keep one alive 99% of the time.
func ExamplePlan() {
	q := &planner.PlanQuestion{
		Load: &scenario.Load{Erlangs: units.Exactly[units.Erlang](120)},
		Objectives: &scenario.Objectives{
			MaxBlocking:  new(units.Fraction(0.01)),
			Availability: new(units.Fraction(0.99)),
		},
		Machines: []scenario.MachineType{
			{Name: "rack", Price: units.Exactly(units.PerHour(0.42))},
			{
				Name:  "spot",
				Kind:  scenario.Public,
				Price: units.Exactly(units.PerHour(0.07)),
				MTTF:  units.Exactly(units.DurationOf(5 * time.Hour)),
				MTTR:  units.Exactly(units.DurationOf(10 * time.Minute)),
				Limit: new(units.Count(200)),
			},
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

// A scenario is read from anywhere, and is the question: what is wrong with it
// stands at a line.
func ExampleReadScenario() {
	ctx := context.Background()
	q, err := planner.ReadScenario(ctx, strings.NewReader(`
load: {erlangs: 120}
objectives: {max_blocking: 1%}
machines:
  - {name: rack, price: 0.42/h}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	a, err := planner.Plan(ctx, q)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d racks for %.2f/h\n", a.Mix.Machines[0].Count, a.Mix.Cost)

	_, err = planner.ReadScenario(ctx, strings.NewReader("load: {erlangs: 120}\nservice: {model: los}\n"))
	fmt.Println(err)
	// Output:
	// 138 racks for 57.96/h
	// scenario:2:18: service.model: "los" (did you mean loss?), want one of loss, wait, abandon, ps; the line is "service: {model: los}"
}

// The files that a scenario names are those of an fs.FS: os.DirFS for a folder,
// or files in memory.
func ExampleScenarioReader() {
	ctx := context.Background()
	reader := planner.ScenarioReader{
		Name: "day.yaml",
		Files: fstest.MapFS{
			"day.csv": {Data: []byte("time_s,rate_per_s\n0,0.5\n28800,1.2\n64800,0.5\n86400,0.5\n")},
		},
	}
	q, warnings, err := reader.Read(ctx, strings.NewReader(`
load: {curve: day.csv}
service: {time: 100s}
objectives: {max_wait: 20s, percentile: 80%}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range warnings {
		fmt.Fprintln(os.Stderr, w)
	}
	a, err := planner.Plan(ctx, q)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d servers at the peak\n", a.Size.Servers)
	// Output: 126 servers at the peak
}
