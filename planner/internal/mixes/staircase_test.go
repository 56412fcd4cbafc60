package mixes

import (
	"math/rand/v2"
	"testing"
)

// What the steps tell is what would be decided, and far less is.
func TestStaircase(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	var s staircase
	decided := 0
	const asked = 20_000
	for range asked {
		counts := []int64{rng.Int64N(60), rng.Int64N(60), rng.Int64N(60)}
		enough := 3*counts[0]+2*counts[1]+counts[2]*counts[2]/20 >= 150
		got := s.ask(counts, func() bool { decided++; return enough })
		if got != enough {
			t.Fatalf("%v: %v, want %v", counts, got, enough)
		}
	}
	if decided > asked/4 {
		t.Errorf("%d of %d were decided", decided, asked)
	}
}
