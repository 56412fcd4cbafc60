package queueing

import (
	"fmt"
	"testing"
)

func BenchmarkErlangB(b *testing.B) {
	for _, n := range []float64{1, 29, 100.5, 1e3, 1e6, 1e9} {
		for _, ratio := range []float64{0.5, 0.99, 1, 1.2, 2} {
			b.Run(fmt.Sprintf("servers=%g/load=%gn", n, ratio), func(b *testing.B) {
				for b.Loop() {
					if _, err := ErlangB(n, ratio*n); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkLeastServers(b *testing.B) {
	load := 1e6
	for _, c := range []struct {
		name string
		m    Model
		o    Objective
	}{
		{"loss", Loss{load, 1}, Objective{Metric: Blocking, Limit: 0.01}},
		{"mmc", MMC{load, 1}, Objective{Metric: WaitTail, Limit: 0.05, Wait: 0.001}},
		{"gigc", GIGC{GGC{load / 1e4, 1, 2, 0.5}}, Objective{Metric: WaitTail, Limit: 0.05, Wait: 0.1}},
		{"gigc-large", GIGC{GGC{load / 20, 1, 2, 1}}, Objective{Metric: WaitTail, Limit: 0.05, Wait: 0.001}},
		{"erlanga", ErlangA{load, 1, 1}, Objective{Metric: Abandonment, Limit: 0.01}},
		{"erlanga-wait", ErlangA{load, 1, 1}, Objective{Metric: WaitTail, Limit: 0.05, Wait: 0.001}},
	} {
		b.Run(c.name+"/load=1e6", func(b *testing.B) {
			for b.Loop() {
				if _, err := LeastServers(c.m, c.o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
