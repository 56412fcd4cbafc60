package alloc

import (
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
