package sim

import (
	"context"
	"fmt"
	"testing"
)

// BenchmarkMMC is the whole of a small model: arrivals, services, patience that
// none has, and the counting. An operation is an event.
func BenchmarkMMC(b *testing.B) {
	for _, servers := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("servers=%d", servers), func(b *testing.B) {
			q := queue{arrival: 0.8 * float64(servers), service: 1, servers: servers}
			b.ReportAllocs()
			b.ResetTimer()
			o := Options{Horizon: float64(b.N)/(2*q.arrival) + 1, Replications: 1, Workers: 1}
			got, err := Run(context.Background(), q, o)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(got.Events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkAgenda takes an event and puts another.
func BenchmarkAgenda(b *testing.B) {
	for _, n := range []int{10, 1000, 100_000} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			var a Agenda[queueEvent]
			r := Stream(1, 1)
			for range n {
				a.Schedule(r.ExpFloat64(), queueEvent{})
			}
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				at, e, _ := a.Next()
				a.Schedule(at+r.ExpFloat64(), e)
			}
		})
	}
}
