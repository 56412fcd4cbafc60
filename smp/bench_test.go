package smp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

func BenchmarkReliability(b *testing.B) {
	for _, n := range []int{600, 6000, 60000, 1000000} {
		b.Run(fmt.Sprintf("dense/steps=%d", n), func(b *testing.B) {
			k := randomDense(rand.New(rand.NewPCG(5, 6)), 2, 1, n, 0.1, 0)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := k.Reliability(context.Background(), n, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	// Three failure states, as the five-state model has: together and apart.
	for _, apart := range []bool{false, true} {
		b.Run(fmt.Sprintf("dense/steps=6000/down=3/apart=%v", apart), func(b *testing.B) {
			k := randomDense(rand.New(rand.NewPCG(5, 6)), 2, 3, 6000, 0.1, 0)
			for b.Loop() {
				if _, err := k.Reliability(context.Background(), 6000, &Options{ByState: apart}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	rng := rand.New(rand.NewPCG(7, 8))
	k := randomDense(rng, 2, 3, 25, 0.1, 0.1)
	three := randomDense(rand.New(rand.NewPCG(9, 9)), 2, 1, 2000, 0.1, 0)
	b.Run("dense/states=3/steps=2000", func(b *testing.B) {
		for b.Loop() {
			if _, err := three.Reliability(context.Background(), 2000, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sparse/steps=6000", func(b *testing.B) {
		for b.Loop() {
			if _, err := k.Reliability(context.Background(), 6000, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkLabel(b *testing.B) {
	rng := rand.New(rand.NewPCG(13, 14))
	samples := make([]Sample, 100000)
	for i := range samples {
		samples[i] = Sample{Time: float64(i) * 300, Load: rng.Float64()}
	}
	b.Run("samples=1e5", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := Label(Thresholds{Period: 300}, samples); err != nil {
				b.Fatal(err)
			}
		}
	})
}
