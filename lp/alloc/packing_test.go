package alloc

import (
	"math/rand/v2"
	"testing"
)

// lowered is what a descent does, by looking at all jobs for each step.
func lowered(a *packing, jobs []int32, j int32, amount int64) (level []int32, loss int64, ok bool) {
	p := a.p
	for _, k := range jobs {
		level = append(level, a.level[k])
	}
	for amount > 0 {
		best, slope := -1, 0.0
		for i, k := range jobs {
			if l := level[i]; l > p.first[k] && !p.isOut(k, l-1) {
				s := float64(p.worth(l, j)-p.worth(l-1, j)) / float64(p.dem[l]-p.dem[l-1])
				if best < 0 || s < slope {
					best, slope = i, s
				}
			}
		}
		if best < 0 {
			return nil, 0, false
		}
		l := level[best]
		amount -= p.dem[l] - p.dem[l-1]
		loss += p.worth(l, j) - p.worth(l-1, j)
		level[best]--
	}
	return level, loss, true
}

func TestDescentIsStepByStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	reached := 0
	for range 3000 {
		p := &problem{skip: rng.IntN(3) == 0}
		if rng.IntN(2) == 0 {
			p.cost, p.line = []int64{int64(rng.IntN(4))}, []int32{0}
		}
		jobs := 1 + rng.IntN(12)
		for range jobs {
			p.first = append(p.first, int32(len(p.dem)))
			d, r := int64(0), int64(0)
			for range 1 + rng.IntN(5) {
				d += 1 + int64(rng.IntN(6))
				r += int64(rng.IntN(9))
				p.dem, p.rev = append(p.dem, d), append(p.rev, r)
			}
			p.last = append(p.last, int32(len(p.dem)))
			if p.skip && rng.IntN(2) == 0 {
				p.keep = make([]bool, 12)
				p.keep[rng.IntN(12)] = true
			}
		}
		p.cap = []int64{1000}
		a := newPacking(p)
		var all []int32
		var b descent
		for k := range p.first {
			if rng.IntN(4) > 0 {
				a.put(int32(k), 0, p.first[k]+rng.Int32N(p.last[k]-p.first[k]))
				all = append(all, int32(k))
				b.add(a, int32(k))
			}
		}
		for range 10 {
			amount := int64(rng.IntN(40)) - 5
			level, loss, ok := lowered(a, all, 0, amount)
			n, got, can := b.enough(a, 0, amount)
			if ok != can || got != loss {
				t.Fatalf("%d of %v: loses %d, %v, want %d, %v", amount, a.level, got, can, loss, ok)
			}
			if !ok || rng.IntN(2) == 0 {
				continue
			}
			b.apply(a, n)
			for i, k := range all {
				if a.level[k] != level[i] {
					t.Fatalf("%d: levels %v, want %v", amount, a.level, level)
				}
			}
			reached++
		}
	}
	if reached < 3000 {
		t.Errorf("only %d descents were made", reached)
	}
}

// A job that names its bins finds the same one as by a look at all.
func TestBinsOfAListAreThoseOfAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 2000 {
		bins := 1 + rng.IntN(9)
		p := &problem{first: []int32{0}, last: []int32{1}, dem: []int64{0}, rev: []int64{0}, sites: [][]int32{{}}}
		priced := rng.IntN(2) == 0
		for j := range bins {
			p.cap = append(p.cap, int64(rng.IntN(5)))
			if priced {
				p.cost, p.price = append(p.cost, 0), append(p.price, float64(rng.IntN(3)))
				p.cost[j] = int64(p.price[j])
			}
			if rng.IntN(2) == 0 {
				p.sites[0] = append(p.sites[0], int32(j))
			}
		}
		if rng.IntN(2) == 0 {
			p.home, p.unit = []int32{rng.Int32N(3)}, make([]int32, bins)
			for j := range p.unit {
				p.unit[j] = rng.Int32N(3)
			}
		}
		p.line = p.byPrice()
		a := newPacking(p)
		for range 4 {
			a.take(rng.Int32N(int32(bins)), int64(rng.IntN(3))-1)
		}
		d := int64(rng.IntN(4))
		fit, wide := int32(-1), int32(-1)
		for j := range a.from(d) {
			if p.allowed(0, j) && (fit < 0 || priced && p.cost[j] < p.cost[fit]) {
				fit = j
			}
		}
		for j := range a.down() {
			if wide < 0 && p.allowed(0, j) {
				wide = j
			}
		}
		got := a.bestFit(0, d)
		same := got == fit || priced && got >= 0 && p.cost[got] == p.cost[fit] && a.room[got] == a.room[fit]
		if !same || a.roomiest(0) != wide {
			t.Fatalf("best fit %d, roomiest %d, want %d, %d", got, a.roomiest(0), fit, wide)
		}
	}
}

// A line finds the first bin with room as a walk along it does.
func TestLineFindsTheFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		n := 1 + rng.IntN(20)
		p := &problem{cap: make([]int64, n)}
		for j := range p.cap {
			p.cap[j] = int64(rng.IntN(9))
		}
		a, order := newPacking(p), make([]int32, 0, n)
		for _, j := range rng.Perm(n) {
			order = append(order, int32(j))
		}
		l := a.lineUp(order)
		for range 30 {
			if j := rng.Int32N(int32(n)); a.room[j] > 0 {
				a.take(j, rng.Int64N(2*a.room[j])-a.room[j]/2)
			}
			d, want := int64(rng.IntN(12)), 0
			for want < n && a.room[order[want]] < d {
				want++
			}
			if got := l.first(d); got != want {
				t.Fatalf("room %v in order %v: first of %d is %d, want %d", a.room, order, d, got, want)
			}
		}
	}
}
