package network

import (
	"math/rand/v2"
	"testing"
)

// Whoever is drawn of all that are counted belongs to the route that a walk through the counts finds.
func TestTallyFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	for _, routes := range []int{1, 2, 3, 7, 8, 100} {
		counts, all, total := make([]int, routes), make(tally, routes+1), 0
		for range 300 {
			route := rng.IntN(routes)
			d := 1 + rng.IntN(3)
			if counts[route] > 2 && rng.IntN(2) == 0 {
				d = -counts[route]
			}
			counts[route] += d
			all.add(route, d)
			total += d
			for u := range total {
				want, left := 0, u
				for left >= counts[want] {
					left -= counts[want]
					want++
				}
				if got := all.find(u); got != want {
					t.Fatalf("%v: %d is of route %d, want %d", counts, u, got, want)
				}
			}
		}
	}
}
