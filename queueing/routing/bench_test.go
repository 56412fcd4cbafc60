package routing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numeric"
)

func manyClusters(n int) []Cluster {
	cs := make([]Cluster, n)
	for j := range cs {
		cs[j] = threeClusters()[j%3]
		cs[j].LocalRate *= 0.5 + float64(j)/float64(n)
	}
	return cs
}

func BenchmarkPAP(b *testing.B) {
	for _, n := range []int{1e3, 1e6} {
		cs := manyClusters(n)
		for _, load := range []float64{0.01, 0.5, 0.9, 0.9999} {
			b.Run(fmt.Sprintf("clusters=%g/load=%g", float64(n), load), func(b *testing.B) {
				var size numeric.Sum
				for j := range cs {
					v, _ := cs[j].Capacity()
					size.Add(v)
				}
				for b.Loop() {
					if _, err := PAP(cs, size.Value()*load); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkPAPSeveralServers(b *testing.B) {
	for _, n := range []int{1e2, 1e4} {
		cs := manyClusters(n)
		for j := range cs {
			cs[j].Servers = float64(2 + j%30)
		}
		rate := 0.7 * capacity(b, cs)
		b.Run(fmt.Sprintf("clusters=%g", float64(n)), func(b *testing.B) {
			for b.Loop() {
				if _, err := PAP(cs, rate); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompare(b *testing.B) {
	cs := manyClusters(1000)
	rate := 0.2 * capacity(b, cs)
	for b.Loop() {
		if _, err := Compare(cs, rate); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDispatch(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for rule, name := range []string{"billiard", "balanced"} {
		for _, n := range []int{3, 1e3, 1e6} {
			d, err := NewDispatcher(randomProbabilities(rng, n), nil, DispatchOptions{Rule: Rule(rule)})
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/clusters=%g", name, float64(n)), func(b *testing.B) {
				for b.Loop() {
					if _, err := d.Next(0); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkLeastMean(b *testing.B) {
	cs := manyClusters(100)
	u := Uncertain{Clusters: cs, LocalRates: make([]Range, len(cs)), Rate: 0.5 * capacity(b, cs)}
	for j := range cs {
		u.LocalRates[j] = Range{0.8 * cs[j].LocalRate, 1.2 * cs[j].LocalRate}
	}
	s, err := u.Draw(1000, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("clusters=100/draws=1000", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.LeastMean(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSplitByType(b *testing.B) {
	for _, size := range []struct{ types, clusters int }{{2, 2}, {3, 3}, {4, 8}, {5, 1000}, {50, 100}, {3, 1e5}} {
		rng := rand.New(rand.NewPCG(1, 2))
		cs := randomClusters(rng, size.clusters)
		types, mean := randomTypes(rng, size.types)
		rate := 0.6 * capacity(b, cs) / mean
		b.Run(fmt.Sprintf("types=%d/clusters=%g", size.types, float64(size.clusters)), func(b *testing.B) {
			for b.Loop() {
				s, err := SplitByType(context.Background(), cs, rate, types)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(s.Gap(), "gap")
			}
		})
	}
}
