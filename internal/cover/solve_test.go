package cover

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// brute tries every choice.
func brute(p *Problem) float64 {
	best := math.Inf(1)
	var walk func(i int, cost, worth float64, counted int64)
	walk = func(i int, cost, worth float64, counted int64) {
		if p.MostCounted >= 0 && counted > p.MostCounted {
			return
		}
		if i == len(p.Items) {
			switch short := p.Need - worth; {
			case short <= slack*p.Need:
				best = math.Min(best, cost)
			case p.Shortfall > 0:
				best = math.Min(best, cost+p.Shortfall*short)
			}
			return
		}
		it := p.Items[i]
		for n := it.Least; n <= it.Most; n++ {
			c := counted
			if it.Counted {
				c += n
			}
			walk(i+1, cost+it.Price*float64(n), worth+it.Worth*float64(n), c)
		}
	}
	walk(0, 0, 0, 0)
	return best
}

// Every choice is tried on small cases, with prices of cents and of any size,
// equal prices per worth, limits, least counts, and a priced shortfall.
func TestSolveAgainstAllChoices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	infeasible, short := 0, 0
	for trial := range 6000 {
		p := &Problem{MostCounted: -1, Need: 12 * rng.Float64()}
		for range 1 + rng.IntN(4) {
			it := Item{Worth: 0.2 + 2*rng.Float64(), Price: rng.Float64(), Most: rng.Int64N(8), Counted: rng.IntN(2) == 0}
			switch rng.IntN(3) {
			case 0:
				it.Price = math.Round(100*it.Price) / 100
			case 1: // as clouds price: twice the size at twice the price
				size := float64(int(1) << rng.IntN(3))
				it.Worth, it.Price = size, 0.1*size
			}
			if rng.IntN(3) == 0 && it.Most > 0 {
				it.Least = rng.Int64N(it.Most)
			}
			p.Items = append(p.Items, it)
		}
		if rng.IntN(2) == 0 {
			p.MostCounted = rng.Int64N(12)
		}
		if rng.IntN(3) == 0 {
			p.Shortfall = 0.05 + rng.Float64()
		}
		want := brute(p)
		got, err := Solve(p)
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
		if math.Abs(got.Cost-want) > 1e-9*math.Max(want, 1) || !got.Proven || got.Bound > got.Cost {
			t.Fatalf("trial %d, %+v: %+v, want cost %v", trial, p, got, want)
		}
		worth, price := 0.0, 0.0
		for i, n := range got.Counts {
			if it := p.Items[i]; n < it.Least || n > it.Most {
				t.Fatalf("trial %d: count %d of %+v", trial, n, it)
			}
			worth += p.Items[i].Worth * float64(n)
			price += p.Items[i].Price * float64(n)
		}
		if worth != got.Worth || math.Abs(price+p.Shortfall*got.Short-got.Cost) > 1e-9 {
			t.Fatalf("trial %d: %+v does not add up", trial, got)
		}
		if got.Short > 0 {
			short++
		}
	}
	if infeasible < 200 || short < 200 {
		t.Errorf("%d infeasible and %d short cases, want some of both", infeasible, short)
	}
}

// The work does not grow with the counts: a need of 1e11 takes few nodes.
func TestSolveHuge(t *testing.T) {
	for _, p := range []*Problem{
		{Need: 1e11, MostCounted: -1, Items: []Item{{Worth: 1, Price: 0.4, Most: MostCount}, {Worth: 0.119, Price: 0.03, Most: MostCount}}},
		{Need: 1e11, MostCounted: -1, Items: []Item{{Worth: 1, Price: 0.1, Most: MostCount}, {Worth: 2, Price: 0.2, Most: MostCount}, {Worth: 4, Price: 0.4, Most: MostCount}}},
		{Need: 1.5e9, MostCounted: 1e9, Items: []Item{{Worth: 1, Price: 0.1, Most: MostCount, Counted: true}, {Worth: 2, Price: 0.3, Most: MostCount, Counted: true}}},
		{Need: 1e9, MostCounted: -1, Shortfall: 5, Items: []Item{{Worth: 1, Price: math.Pi, Most: MostCount}, {Worth: 0.7, Price: math.E, Most: 1e8}}},
	} {
		p.MaxNodes = 1000
		s, err := Solve(p)
		if err != nil || !s.Proven {
			t.Errorf("%+v: %+v, %v", p, s, err)
		}
	}
}

// Where the proof is out of reach the answer says so, with a true bound.
func TestSolveUnproven(t *testing.T) {
	p := &Problem{Need: 1e5 + 0.5, MostCounted: -1, MaxNodes: 50}
	for i := range 8 {
		w := 1 + math.Sqrt(float64(i+2))
		p.Items = append(p.Items, Item{Worth: w, Price: w * (1 + 1e-9*float64(i)), Most: MostCount})
	}
	s, err := Solve(p)
	if err != nil {
		t.Fatal(err)
	}
	if s.Proven || s.Bound > s.Cost || s.Cost > s.Bound*(1+1e-4) || s.Worth < p.Need*(1-1e-12) {
		t.Errorf("%+v, want a good choice that is not proven", s)
	}
}

func TestSolveDomain(t *testing.T) {
	for _, p := range []*Problem{
		{Need: math.NaN()}, {Need: -1}, {Shortfall: math.Inf(1)},
		{Items: []Item{{Worth: math.NaN()}}}, {Items: []Item{{Price: -1}}}, {Items: []Item{{Least: 2, Most: 1}}}, {Items: []Item{{Most: MostCount + 1}}},
	} {
		if _, err := Solve(p); !errors.As(err, new(*DomainError)) {
			t.Errorf("%+v: %v, want a DomainError", p, err)
		}
	}
}

// Machines that are there already and are enough cost what they cost.
func TestSolveLeast(t *testing.T) {
	s, err := Solve(&Problem{Need: 3, MostCounted: -1, Items: []Item{{Worth: 1, Price: 2, Least: 5, Most: 9}, {Worth: 1, Price: 1, Most: 9}}})
	if err != nil || s.Counts[0] != 5 || s.Counts[1] != 0 || s.Cost != 10 || !s.Proven {
		t.Errorf("%+v, %v", s, err)
	}
}

func BenchmarkSolve(b *testing.B) {
	p := &Problem{Need: 137.8964, MostCounted: -1, Items: []Item{{Worth: 1, Price: 0.4, Most: MostCount, Counted: true}, {Worth: 0.119, Price: 0.03, Most: 500}, {Worth: 1.9, Price: 0.7, Most: 30}}}
	for b.Loop() {
		if _, err := Solve(p); err != nil {
			b.Fatal(err)
		}
	}
}
