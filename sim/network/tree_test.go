package network

import (
	"math/rand/v2"
	"testing"
)

// Whatever part of a sum is drawn, it lies where a walk through the rates finds it, and never at a rate
// of 0.
func TestTreeFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	for _, n := range []int{1, 2, 3, 7, 8, 100} {
		rates, all := make([]float64, n), newTree(n)
		for range 300 {
			i := rng.IntN(n)
			rates[i] = float64(rng.IntN(4)) // sums without rounding
			all.set(i, rates[i])
			total := 0.0
			for _, r := range rates {
				total += r
			}
			if total != all.sum() {
				t.Fatalf("%v: sum %v", rates, all.sum())
			}
			for u := 0.5; u < total; u++ {
				want, left := 0, u
				for left >= rates[want] {
					left -= rates[want]
					want++
				}
				if got, rest := all.find(u); got != want || rest != left {
					t.Fatalf("%v: %v is at %d with %v left, want %d with %v", rates, u, got, rest, want, left)
				}
			}
			if got, _ := all.find(total); total > 0 && rates[got] == 0 {
				t.Fatalf("%v: the end is at %d", rates, got)
			}
		}
	}
}
