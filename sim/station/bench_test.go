package station

import (
	"context"
	"fmt"
	"testing"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim"
)

// BenchmarkStation is the whole of a run with all its figures; an operation is an
// event.
func BenchmarkStation(b *testing.B) {
	one := queueing.Exponential{Mean: 1}
	for _, servers := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("servers=%d", servers), func(b *testing.B) {
			rate := 0.8 * float64(servers)
			s := Station{Servers: servers, Classes: []Class{{Gaps: queueing.Exponential{Mean: 1 / rate}, Service: one}}}
			b.ReportAllocs()
			b.ResetTimer()
			o := sim.Options{Horizon: float64(b.N)/(2*rate) + 2, WarmUp: 1, Replications: 1, Workers: 1}
			got, err := Simulate(context.Background(), &s, o)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(got.Events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkClasses is the same of one server and three classes, by priority; see [Station.Weight].
func BenchmarkClasses(b *testing.B) {
	for name, s := range map[string]Station{
		"one": {}, "priority": {Priorities: true}, "preemptive": {Priorities: true, Preemptive: true},
	} {
		b.Run(name, func(b *testing.B) {
			s.Servers = 1
			classes := 3.0
			if !s.Priorities {
				classes = 1
			}
			for range int(classes) {
				s.Classes = append(s.Classes,
					Class{Gaps: queueing.Exponential{Mean: classes / 0.95}, Service: queueing.Exponential{Mean: 1}})
			}
			o := sim.Options{Horizon: float64(b.N)/1.9 + 2, WarmUp: 1, Replications: 1, Workers: 1}
			got, err := Simulate(context.Background(), &s, o)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(got.Events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
