package queueing_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/capplan/capplan/queueing"
)

func ExampleErlangB() {
	b, err := queueing.ErlangB(10, 5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", b)
	// Output: 0.0184
}

func ExampleLogErlangB() {
	// Too small for a float64: the logarithm says how small.
	l, err := queueing.LogErlangB(1000, 300)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("10^%.1f\n", l/2.302585092994046)
	// Output: 10^-220.8
}

func ExampleLeastServers() {
	calls := queueing.ErlangA{ArrivalRate: 5000, ServiceTime: 1, Patience: 1}
	need, err := queueing.LeastServers(calls, queueing.Objective{Metric: queueing.Abandonment, Limit: 0.01})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f servers, %.2f%% give up\n", need.Servers, 100*need.Figures.Abandonment)
	// Output: 4964 servers, 1.00% give up
}

func ExampleEquivalentServers() {
	// The pool of PCU figure 6.
	n, err := queueing.EquivalentServers(100, queueing.Pool{Machines: 10000, Speed: 0.34, Availability: 0.7, Replicas: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f\n", n)
	// Output: 1290
}

func ExampleUnstableError() {
	_, err := queueing.ErlangC(5, 6)
	fmt.Println(errors.Is(err, queueing.ErrUnstable))
	fmt.Println(err)
	// Output:
	// true
	// queueing: ErlangC: offered load per server is 1.2, a steady state needs less than 1
}
