package network

import (
	"context"
	"fmt"
	"testing"

	"github.com/capplan/capplan/sim"
)

// BenchmarkShared is what an event takes in a pool, where whoever leaves is any of those there: 62 ns of 100 servers,
// 85 of 10,000 and 340 of a million, which no cache holds. Looking through all of them it was 1900 ns of 10,000.
func BenchmarkShared(b *testing.B) {
	for _, servers := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("servers=%d", servers), func(b *testing.B) {
			n := &Network{
				Stations: []Station{{Name: "pool", Servers: servers, Slower: 0.5}},
				Classes:  []Class{{Demands: []float64{1}, Rates: []float64{0.8 * float64(servers)}, Routes: [][]float64{{0}}}},
			}
			horizon := max(5, 1e6/float64(servers))
			events := uint64(0)
			for b.Loop() {
				r, err := sim.Run(context.Background(), n, sim.Options{Seed: 1, Replications: 1, Horizon: horizon})
				if err != nil {
					b.Fatal(err)
				}
				events += r.Events
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}

// BenchmarkLine is what an event takes where nearly all customers wait in order of arrival at one server: 130 to
// 320 ns on a busy machine. When each departure moved up all behind it, it was 950 ns of 4,000, 10,600 of 40,000 and
// 392,000 of 400,000.
func BenchmarkLine(b *testing.B) {
	for _, customers := range []int{4000, 40_000, 400_000} {
		b.Run(fmt.Sprintf("customers=%d", customers), func(b *testing.B) {
			n := &Network{
				Stations: []Station{{Name: "disk", Servers: 1}, {Name: "processor", Servers: 1}},
				Classes:  []Class{{Customers: customers, Demands: []float64{1, 0.5}}},
			}
			events := uint64(0)
			for b.Loop() {
				r, err := sim.Run(context.Background(), n, sim.Options{Seed: 1, Replications: 1, Horizon: 3e5})
				if err != nil {
					b.Fatal(err)
				}
				events += r.Events
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}
