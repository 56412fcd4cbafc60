package alloc

import (
	"github.com/capplan/capplan/internal/numeric"
	"math"
	"math/rand/v2"
	"testing"
)

// Dynamic programming over every capacity is the independent solution.
func TestKnapsackAgainstFullTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var ks knapsack
	for n := range 400 {
		p := &problem{cap: []int64{0}}
		jobs := make([]int32, 1+rng.IntN(12))
		for k := range jobs {
			jobs[k] = int32(k)
			p.first = append(p.first, int32(len(p.dem)))
			d, r := int64(rng.IntN(4)), int64(rng.IntN(20))
			for range 1 + rng.IntN(5) {
				p.dem, p.rev = append(p.dem, d), append(p.rev, r)
				d += int64(1 + rng.IntN(15))
				r += int64(rng.IntN(25))
			}
			p.last = append(p.last, int32(len(p.dem)))
		}
		capacity := p.least() + int64(rng.IntN(60))
		best := make([]int64, capacity+1)
		for _, k := range jobs {
			next := make([]int64, capacity+1)
			for c := range next {
				next[c] = -1 << 60
				for l := p.first[k]; l < p.last[k]; l++ {
					if d := p.dem[l]; d <= int64(c) {
						next[c] = max(next[c], best[int64(c)-d]+p.rev[l])
					}
				}
			}
			best = next
		}
		level := make([]int32, len(jobs))
		value, proven := ks.solve(p, jobs, capacity, level, 1<<20)
		if !proven || value != best[capacity] {
			t.Fatalf("case %d: value = %d (proven: %v), want %d", n, value, proven, best[capacity])
		}
		var used int64
		for _, l := range level {
			used += p.dem[l]
		}
		if used > capacity || p.revenue(level) != value {
			t.Fatalf("case %d: levels take %d of %d and earn %d, want %d", n, used, capacity, p.revenue(level), value)
		}
	}
}

func TestSubsetSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var h subsets
	for range 300 {
		items := make([]int32, 1+rng.IntN(10))
		weights := make([]int64, len(items))
		for i := range items {
			items[i], weights[i] = int32(i), int64(1+rng.IntN(40))
		}
		lo := int64(rng.IntN(120))
		hi := lo + int64(rng.IntN(4))
		want := false
		for mask := range 1 << len(items) {
			var s int64
			for i, w := range weights {
				if mask>>i&1 == 1 {
					s += w
				}
			}
			want = want || (s >= lo && s <= hi)
		}
		got := h.find(items, func(i int32) int64 { return weights[i] }, lo, hi)
		if got != want {
			t.Fatalf("%v in %d..%d: found = %v, want %v", weights, lo, hi, got, want)
		}
		if got {
			var s int64
			for n := range items {
				if h.chosen(n) {
					s += weights[n]
				}
			}
			if s < lo || s > hi {
				t.Fatalf("%v: sum %d outside %d..%d", weights, s, lo, hi)
			}
		}
	}
}

// levelled is a problem of jobs whose levels all bring as much for a unit of demand, which comes in twos: no choice is
// dominated, and a capacity that is odd is never used up.
func levelled(jobs, levels int) *problem {
	p := &problem{cap: make([]int64, jobs/8)}
	for k := range jobs {
		p.first = append(p.first, int32(len(p.dem)))
		for l := range levels {
			p.dem, p.rev = append(p.dem, int64(2*l+2)), append(p.rev, int64(6*l+k%7))
		}
		p.last = append(p.last, int32(len(p.dem)))
	}
	for j := range p.cap {
		p.cap[j] = int64(levels*10 + 1)
	}
	return p
}

// Jobs of many levels merge many states for each that is kept: the steps are bounded too.
func TestKnapsackOfManyLevelsEnds(t *testing.T) {
	p := levelled(40, 400)
	for _, most := range []int{100, 10_000} {
		var ks knapsack
		level := make([]int32, p.jobs())
		value, proven := ks.solve(p, numeric.Indices[int32](p.jobs()), p.cap[0], level, most)
		if proven || p.revenue(level) != value {
			t.Errorf("%d states: proven = %v, value %d of levels that earn %d", most, proven, value, p.revenue(level))
		}
		// The last merge may go beyond it.
		if steps := ks.steps; steps > 2*stateSteps*most+6*p.levels() {
			t.Errorf("%d states took %d steps, want about %d", most, steps, stateSteps*most)
		}
	}
}

// The search of pairs and kicks ends once its work is done, of which merged states are a part.
func TestExchangeOfManyLevelsEnds(t *testing.T) {
	p := levelled(40, 400)
	for _, parts := range []int{1, 2 * tiedSearches} {
		e := effort{sweeps: 10, kicks: 1_000_000, scales: 1, stint: &stint{left: 20_000_000}, parts: parts}
		s, waiting := p.construct(t.Context(), &knapsack{}, e, math.MaxInt64)
		if len(waiting) > 0 {
			t.Fatalf("%d jobs wait", len(waiting))
		}
		x := newExchange(p, s, e)
		x.run(t.Context(), math.MaxInt64)
		most := 20_000_000/stepsOfWork*mergesOfWork/parts + 2*stateSteps*20_000
		if x.ks.steps > most || x.work > 0 {
			t.Errorf("%d steps, and %d jobs left to look at, want at most %d steps and no jobs", x.ks.steps, x.work, most)
		}
		if v := p.value(x.a.level, x.a.bin); v < s.value {
			t.Errorf("earns %d after the search, %d before", v, s.value)
		}
	}
}
