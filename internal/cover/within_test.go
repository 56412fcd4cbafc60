package cover

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// A sharing limits what stands on items that are not counted: their share of
// the worth times a weight, and a swap for each counted item or place on them,
// whichever are fewer. It is of the form that a network link asks for.
type sharing struct {
	items         []Item
	weight, slots []float64
	swap, most    float64
	linear        bool // its relaxation has a linear bound
}

func (l *sharing) load(n []int64) float64 {
	share, worth, slots, counted := 0.0, 0.0, 0.0, 0.0
	for i, it := range l.items {
		w := it.Worth * float64(n[i])
		worth += w
		if it.Counted {
			counted += float64(n[i])
			continue
		}
		share += l.weight[i] * w
		slots += l.slots[i] * float64(n[i])
	}
	if worth == 0 || slots == 0 {
		return 0
	}
	return share/worth + l.swap*math.Min(slots, counted)
}

func (l *sharing) Admits(n []int64) bool { return l.load(n) < l.most }

// Relax is deliberately plain: the swaps of the least counts, and the shares
// at what the box is worth at most.
func (l *sharing) Relax(least, most []int64) Relaxed {
	r := Relaxed{OK: true, Counted: -1}
	point := true
	share, slots, counted := 0.0, 0.0, 0.0
	for i, it := range l.items {
		point = point && least[i] == most[i]
		if it.Counted {
			counted += float64(least[i])
			continue
		}
		share += l.weight[i] * it.Worth * float64(least[i])
		slots += l.slots[i] * float64(least[i])
	}
	if point {
		r.OK = l.Admits(least)
		return r
	}
	left := l.most - l.swap*math.Min(slots, counted)
	if left <= 0 {
		r.OK = slots == 0
		return r
	}
	r.Worth = share / left
	if l.linear {
		for i, it := range l.items {
			g := -left * it.Worth
			if !it.Counted {
				g += l.weight[i] * it.Worth
			}
			r.Weight = append(r.Weight, g)
		}
	}
	return r
}

func bruteWithin(p *Problem, l Limit) float64 {
	best := math.Inf(1)
	n := make([]int64, len(p.Items))
	var walk func(i int, cost, worth float64, counted int64)
	walk = func(i int, cost, worth float64, counted int64) {
		if i < len(p.Items) {
			it := p.Items[i]
			for n[i] = it.Least; n[i] <= it.Most; n[i]++ {
				c := counted
				if it.Counted {
					c += n[i]
				}
				walk(i+1, cost+it.Price*float64(n[i]), worth+it.Worth*float64(n[i]), c)
			}
			return
		}
		short := p.Need - worth
		if short <= slack*p.Need {
			short = 0
		}
		if p.MostCounted >= 0 && counted > p.MostCounted || short > 0 && p.Shortfall == 0 || !l.Admits(n) {
			return
		}
		best = math.Min(best, cost+p.Shortfall*short)
	}
	walk(0, 0, 0, 0)
	return best
}

// Every choice is tried on small cases: least counts that only more counted
// items can dilute, a room beside the limit, a priced shortfall.
func TestSolveWithinAgainstAllChoices(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	held, infeasible := 0, 0
	for trial := range 4000 {
		p := &Problem{MostCounted: -1, Need: 12 * rng.Float64()}
		l := &sharing{swap: rng.Float64() * 0.1, most: 0.1 + rng.Float64(), linear: rng.IntN(2) == 0}
		for range 1 + rng.IntN(4) {
			it := Item{Worth: 0.2 + 2*rng.Float64(), Price: rng.Float64(), Most: rng.Int64N(8), Counted: rng.IntN(2) == 0}
			if rng.IntN(2) == 0 {
				it.Price = math.Round(100*it.Price) / 100
			}
			if !it.Counted {
				it.Price /= 4
			}
			if rng.IntN(3) == 0 && it.Most > 0 {
				it.Least = rng.Int64N(it.Most)
			}
			p.Items = append(p.Items, it)
			l.weight, l.slots = append(l.weight, 0.3+rng.Float64()), append(l.slots, rng.Float64())
		}
		l.items = p.Items
		if rng.IntN(4) == 0 {
			p.MostCounted = rng.Int64N(12)
		}
		if rng.IntN(3) == 0 {
			p.Shortfall = 0.05 + rng.Float64()
		}
		want := bruteWithin(p, l)
		got, err := SolveWithin(context.Background(), p, l, nil)
		if math.IsInf(want, 1) {
			infeasible++
			if e := (*InfeasibleError)(nil); !errors.As(err, &e) {
				t.Fatalf("trial %d, %+v: %v, %v, want infeasible", trial, p, got, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("trial %d, %+v: %v, want cost %v", trial, p, err, want)
		}
		if math.Abs(got.Cost-want) > 1e-9*math.Max(want, 1) || !got.Proven || got.Bound > got.Cost || !l.Admits(got.Counts) {
			t.Fatalf("trial %d, %+v: %+v, want cost %v", trial, p, got, want)
		}
		if free, err := Solve(p); err != nil || free.Cost < got.Cost*(1-1e-9) {
			held++
		}
	}
	if held < 300 || infeasible < 300 {
		t.Errorf("the limit cost money in %d cases and left none in %d, want some of both", held, infeasible)
	}
}

// A search cut short says so, and its bound holds.
func TestSolveWithinBudget(t *testing.T) {
	p := &Problem{Need: 50_000.5, MostCounted: -1, MaxNodes: 1000}
	l := &sharing{most: 0.31, swap: 0, linear: true}
	for i := range 6 {
		p.Items = append(p.Items, Item{Worth: 1 + 0.137*float64(i), Price: 1.01 + 0.1371*float64(i), Most: MostCount, Counted: i < 3})
		if i >= 3 {
			p.Items[i].Price *= 0.4
		}
		l.weight, l.slots = append(l.weight, 1), append(l.slots, 1)
	}
	l.items = p.Items
	got, err := SolveWithin(context.Background(), p, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	// 31 % of the worth at .4 of the price, the rest at the price of one.
	if !l.Admits(got.Counts) || got.Bound > got.Cost || got.Cost < 0.8*50_000 {
		t.Errorf("%+v", got)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	p.MaxNodes = 0
	if _, err := SolveWithin(ctx, p, l, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the cancel: %v", err)
	}
}
