package routing_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/capplan/capplan/queueing/routing"
)

func clusters() []routing.Cluster {
	out := []routing.Cluster{
		{Name: "slow", LocalRate: 0.3, LocalServiceTime: 0.8, ServiceTime: 1},
		{Name: "middle", LocalRate: 0.5, LocalServiceTime: 0.9, ServiceTime: 0.5},
		{Name: "fast", LocalRate: 0.4, LocalServiceTime: 0.5, ServiceTime: 0.25},
	}
	for j := range out {
		c := &out[j]
		var err error
		if c.LocalSecondMoment, err = routing.SecondMoment(c.LocalServiceTime, 0.1); err != nil {
			log.Fatal(err)
		}
		if c.SecondMoment, err = routing.SecondMoment(c.ServiceTime, 0.5); err != nil {
			log.Fatal(err)
		}
	}
	return out
}

func ExamplePAP() {
	split, err := routing.PAP(clusters(), 3)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range split.Routes {
		fmt.Printf("%-6s %.4f/s, busy %.0f %%, response %.3f s\n", r.Name, r.Rate, 100*r.Utilization, r.Response)
	}
	fmt.Printf("mean response %.4f s, one more request/s adds %.3f\n", split.MeanResponse, split.Multiplier)
	// Output:
	// slow   0.3187/s, busy 56 %, response 2.199 s
	// middle 0.4019/s, busy 65 %, response 2.302 s
	// fast   2.2794/s, busy 77 %, response 1.070 s
	// mean response 1.3552 s, one more request/s adds 3.430
}

func ExamplePAP_infeasible() {
	_, err := routing.PAP(clusters(), 6)
	var e *routing.InfeasibleError
	if errors.As(err, &e) {
		fmt.Printf("at most %.2f/s, exceeded by %.2f/s\n", e.Greatest, e.Excess)
	}
	// Output: at most 5.06/s, exceeded by 0.94/s
}

func ExampleCompare() {
	outcomes, err := routing.Compare(clusters(), 3)
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Err != nil {
			fmt.Println(o.Policy, o.Err)
			continue
		}
		fmt.Printf("%v %.4f s, %.3f times the optimum\n", o.Policy, o.Split.MeanResponse, o.Price)
	}
	// Output:
	// pap 1.3552 s, 1.000 times the optimum
	// rr routing: RoundRobin: cluster "slow" is unstable with the external requests sent to it: utilization = 1.24, want less than 1
	// lrf routing: LeastRateFirst: cluster "slow" is unstable with the external requests sent to it: utilization = 1.365, want less than 1
	// bcf 2.5070 s, 1.850 times the optimum
}

func ExampleDispatcher() {
	split, err := routing.PAP(clusters(), 3)
	if err != nil {
		log.Fatal(err)
	}
	d, err := routing.NewDispatcher(split.Probabilities(), []float64{0.25, 0.75}, routing.DispatchOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, typ := range []int{0, 1, 1, 1, 0, 1, 1, 1} {
		j, err := d.Next(typ)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(split.Routes[j].Name, " ")
	}
	fmt.Println()
	// Output: slow slow middle fast middle fast fast fast
}
