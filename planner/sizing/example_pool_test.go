package sizing_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// How many dedicated machines does a large pool of desktops save, and what
// holds the two together?
func Example_publicPool() {
	ctx := context.Background()
	q := &sizing.SizeQuestion{
		Traffic:    sizing.Traffic{OfferedLoad: units.Exactly[units.Erlang](1200)},
		Objectives: sizing.Objectives{MaxBlocking: new(units.Fraction(0.01))},
	}
	alone, err := sizing.Size(ctx, q)
	if err != nil {
		panic(err)
	}
	q.Pool = &sizing.Pool{Machines: 10000, Speed: 0.34, Availability: 0.35, Replicas: 2}
	beside, err := sizing.Size(ctx, q)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d dedicated alone, %d beside the pool\n", alone.Servers, *beside.DedicatedServers)

	mttf, mttr := 7200.0, 600.0 // s
	copies, err := survival.Replicas(ctx, &survival.ReplicasQuestion{MTTF: &mttf, MTTR: &mttr, Target: 0.999})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d copies keep one alive %.3f%% of the time\n", copies.Replicas, 100*copies.AvailabilityAll)

	// The example of the paper asks for too much, and is told so.
	migrations, migration, failures := 100.0, 100.0, 1.0/200 // 1, s, per s
	_, err = survival.Epoch(ctx, &survival.EpochQuestion{Migrations: &migrations, MigrationTime: &migration, FailureRate: &failures})
	var infeasible *ask.InfeasibleError
	fmt.Println("infeasible:", errors.As(err, &infeasible))
	// Output:
	// 1230 dedicated alone, 625 beside the pool
	// 3 copies keep one alive 99.954% of the time
	// infeasible: true
}
