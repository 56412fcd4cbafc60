package alloc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A job that fits only the dear resource is not paid for at the price of the cheap one.
func TestBudgetKnowsWhatFits(t *testing.T) {
	job := func(id string, demand int64) Job {
		return Job{ID: id, Levels: map[string][]Level{"cpu": {{demand, 100}}}}
	}
	one := Batch{
		Dependencies: []string{"cpu"}, Budget: p(40.),
		Resources: []Resource{
			{ID: "cheap", Dependency: "cpu", PrimaryCapacity: 20, Price: 1},
			{ID: "dear", Dependency: "cpu", PrimaryCapacity: 30, Price: 2},
		},
		Jobs: []Job{job("a", 21)},
	}
	only := one // the same by a list
	only.Budget = p(20.)
	only.Jobs = []Job{job("a", 11)}
	only.Jobs[0].Eligible = map[string][]string{"cpu": {"dear"}}
	// Both of 12 fit the cheap one, which holds no more than 20, and tiny neither: 20·1 + 4·2 + .01.
	both := one
	both.Jobs = []Job{job("a", 12), job("b", 12), job("c", 1)}
	both.Resources = append(both.Resources[:2:2], Resource{ID: "tiny", Dependency: "cpu", PrimaryCapacity: 8, Price: 0.01})
	both.Budget = p(25.)
	for name, c := range map[string]struct {
		batch    *Batch
		spending float64
	}{"one": {&one, 42}, "only": {&only, 22}, "both": {&both, 28.01}} {
		s, err := New(c.batch)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Allocate(context.Background(), Options{})
		var e *InfeasibleError
		if !errors.As(err, &e) {
			t.Errorf("%s: err = %v, want infeasible", name, err)
		} else if math.Abs(e.Spending-c.spending) > 1e-6 {
			t.Errorf("%s: spending %v, want %v", name, e.Spending, c.spending)
		}
	}
}

// Of small random batches with a budget, what is said to be infeasible is so by trying all,
// and most of what is infeasible is said to be.
func TestBudgetByBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	infeasible, proven, open := 0, 0, 0
	for n := range 400 {
		b := Batch{Dependencies: []string{"cpu"}}
		for j := range 2 + rng.IntN(3) {
			b.Resources = append(b.Resources, Resource{
				ID: fmt.Sprint("r", j), Dependency: "cpu", PrimaryCapacity: 5 + rng.Int64N(30), Price: float64(rng.IntN(12)) / 4,
			})
		}
		b.Jobs = make([]Job, 1+rng.IntN(5))
		for k := range b.Jobs {
			job := Job{ID: fmt.Sprint("j", k), Levels: map[string][]Level{}}
			demand := 1 + rng.Int64N(16)
			job.Levels["cpu"] = []Level{{demand, 50}, {demand + 1 + rng.Int64N(5), 60}}
			if rng.IntN(5) == 0 {
				job.Admission = Optional
			}
			if rng.IntN(3) == 0 {
				job.Eligible = map[string][]string{"cpu": {b.Resources[rng.IntN(len(b.Resources))].ID, b.Resources[0].ID}}
			}
			b.Jobs[k] = job
		}
		least := cheapest(&b)
		if math.IsInf(least, 1) {
			continue // not for the budget
		}
		budget := math.Round(least*(0.7+0.6*rng.Float64())*4) / 4
		b.Budget = &budget
		s, err := New(&b)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Allocate(context.Background(), Options{})
		said := errors.Is(err, ErrInfeasible)
		switch {
		case least <= budget:
			if err != nil {
				t.Errorf("batch %d: %v, though %v of %v will do", n, err, least, budget)
			}
		case err == nil:
			t.Errorf("batch %d: an answer, though %v of %v is the least", n, least, budget)
		default:
			if infeasible++; said {
				proven++
			} else {
				open++
			}
		}
	}
	t.Logf("%d infeasible, %d proven, %d open", infeasible, proven, open)
	if infeasible < 100 || proven*100 < infeasible*85 {
		t.Errorf("of %d infeasible %d are proven", infeasible, proven)
	}
}

// cheapest tries every place of the required jobs at their least levels.
func cheapest(b *Batch) float64 {
	room := make([]int64, len(b.Resources))
	for j := range room {
		room[j] = b.Resources[j].PrimaryCapacity
	}
	best := math.Inf(1)
	var place func(k int, spent float64)
	place = func(k int, spent float64) {
		if k == len(b.Jobs) {
			best = math.Min(best, spent)
			return
		}
		if b.Jobs[k].Admission == Optional {
			place(k+1, spent)
			return
		}
		need := b.Jobs[k].Levels["cpu"][0].Demand
		for j := range room {
			may := b.Jobs[k].Eligible == nil
			for _, id := range b.Jobs[k].Eligible["cpu"] {
				may = may || id == b.Resources[j].ID
			}
			if may && room[j] >= need {
				room[j] -= need
				place(k+1, spent+float64(need)*b.Resources[j].Price)
				room[j] += need
			}
		}
	}
	place(0, 0)
	return best
}
