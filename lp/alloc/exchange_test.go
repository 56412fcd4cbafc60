package alloc

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
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
	s, waiting := p.construct(context.Background(), ks, effort{scales: 1}, math.MaxInt64)
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

// Bins that meet are looked at side by side, and come to the same on any number of cores.
func TestBinsMeetAlikeOnAnyCores(t *testing.T) {
	p := manyBins(500)
	s, waiting := p.constructLeast(context.Background())
	if len(waiting) > 0 {
		t.Fatalf("%d jobs wait", len(waiting))
	}
	on := func(cores int) solution {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		x := newExchange(p, s, effort{sweeps: 3, seed: 5})
		x.run(context.Background(), math.MaxInt64)
		return x.a.solution()
	}
	one, four := on(1), on(4)
	if one.value <= s.value {
		t.Errorf("value %d, want more than the %d of before", one.value, s.value)
	}
	if one.value != four.value || !slices.Equal(one.bin, four.bin) || !slices.Equal(one.level, four.level) {
		t.Errorf("value %d on one core, %d on four", one.value, four.value)
	}
}

// manyBins is a problem of bins with 15 jobs each in the mean, so that some pairs draw which are pinned.
func manyBins(bins int) *problem {
	rng := rand.New(rand.NewPCG(3, 4))
	p := &problem{cap: make([]int64, bins)}
	for range 15 * bins {
		p.climb(rng, 4, 1000)
	}
	for j := range p.cap {
		p.cap[j] = p.least() / int64(bins) * (5 + rng.Int64N(230)) / 100
	}
	return p
}
