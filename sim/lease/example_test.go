package lease_test

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/lease"
)

// Two policies meet the same requests, so that their difference is paired.
func Example() {
	w, err := routing.DAS2(routing.DAS2Setting{})
	if err != nil {
		fmt.Println(err)
		return
	}
	run := func(p lease.Policy) sim.Result {
		s := &lease.System{Workload: w, ReferenceSpeed: 1000, LocalShare: 0.1, Policy: p}
		r, err := lease.Simulate(context.Background(), s, sim.Options{Seed: 1, Horizon: 4 * 3600, Replications: 4})
		if err != nil {
			fmt.Println(err)
		}
		return r
	}
	rr, pap := run(lease.RoundRobin), run(lease.PAPRTDP)
	d, err := sim.Difference(rr, pap, lease.RejectionRate)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("round robin rejects more than PAP-RTDP: %v\n", d.Mean > 0)
	// Output: round robin rejects more than PAP-RTDP: true
}
