package alloc_test

import (
	"context"
	"fmt"
	"log"

	"github.com/capplan/capplan/lp/alloc"
)

func twoJobs() *alloc.Batch {
	return &alloc.Batch{
		Dependencies: []string{"cpu"},
		Resources: []alloc.Resource{
			{ID: "R1", Dependency: "cpu", PrimaryCapacity: 250, BackupCapacity: 50},
			{ID: "R2", Dependency: "cpu", PrimaryCapacity: 200, BackupCapacity: 50},
			{ID: "R3", Dependency: "cpu", BackupCapacity: 100},
		},
		Jobs: []alloc.Job{
			{ID: "job1", Levels: map[string][]alloc.Level{"cpu": {{Demand: 50, Revenue: 250}, {Demand: 100, Revenue: 500}, {Demand: 220, Revenue: 1000}}}},
			{ID: "job2", Levels: map[string][]alloc.Level{"cpu": {{Demand: 50, Revenue: 250}, {Demand: 100, Revenue: 500}, {Demand: 220, Revenue: 1000}}}},
		},
	}
}

func ExampleSystem_Allocate() {
	s, err := alloc.New(twoJobs())
	if err != nil {
		log.Fatal(err)
	}
	plan, err := s.Allocate(context.Background(), alloc.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("revenue %d, optimal %v, lp_bound %.2f\n", plan.Revenue, plan.Optimal, plan.Bounds.LP)
	for _, a := range s.Assignments(plan.Choices) {
		fmt.Println(a.Job, "level", a.Level, "earns", a.Revenue)
	}
	// Unordered output:
	// revenue 1500, optimal true, lp_bound 2000.00
	// job1 level 3 earns 1000
	// job2 level 2 earns 500
}

func ExampleSystem_Backup() {
	s, err := alloc.New(twoJobs())
	if err != nil {
		log.Fatal(err)
	}
	primary, err := s.Choices([]alloc.Assignment{
		{Job: "job1", Dependency: "cpu", Resource: "R1", Level: 3},
		{Job: "job2", Dependency: "cpu", Resource: "R2", Level: 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	plan, err := s.Backup(context.Background(), primary, alloc.BackupOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("loss %d, unprotected %d\n", plan.Loss, len(plan.Unprotected))
	for _, a := range s.Assignments(plan.Choices) {
		fmt.Println(a.Job, "backed up on", a.Resource, "at level", a.Level)
	}
	// Output:
	// loss 500, unprotected 0
	// job1 backed up on R3 at level 2
	// job2 backed up on R3 at level 2
}
