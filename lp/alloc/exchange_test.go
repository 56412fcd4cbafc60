package alloc

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// The search between pairs ends soon after its work is used up, whatever is
// left of sweeps and kicks.
func TestPairsEndWithTheirWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	p := &problem{cap: make([]int64, 12)}
	for range 600 {
		p.climb(rng, 4, 1000)
		p.sites = append(p.sites, []int32{rng.Int32N(6), 6 + rng.Int32N(6)})
	}
	for j := range p.cap {
		p.cap[j] = p.least() / 7
	}
	ks := &knapsack{}
	s, waiting := p.construct(context.Background(), ks, 1, math.MaxInt64)
	if len(waiting) > 0 {
		t.Fatalf("%d jobs wait", len(waiting))
	}
	x := newExchange(p, s, effort{sweeps: 10, kicks: 30})
	if x.work != 10*pairWork {
		t.Errorf("work %d, want %d", x.work, 10*pairWork)
	}
	x.work = 100_000
	x.run(context.Background(), math.MaxInt64)
	if most := 100 * p.jobs(); x.work >= 0 || x.work < -most {
		t.Errorf("%d jobs more than allowed were looked at, want 1 to %d", -x.work, most)
	}
}
