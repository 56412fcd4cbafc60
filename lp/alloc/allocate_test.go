package alloc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
)

func TestAllocateAgainstHiGHS(t *testing.T) {
	for _, name := range batches {
		s, a := load(t, name)
		plan, err := s.Allocate(context.Background(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range plan.Dependencies {
			want := a.MRPA[d.Dependency]
			what := fmt.Sprintf("%s %s ", name, d.Dependency)
			t.Logf("%srevenue %d best known %d gap %.5f %%", what, d.Revenue, want.Objective, 100*d.Gap)
			if float64(d.Revenue) < 0.997*float64(want.Objective) {
				t.Errorf("%srevenue = %d, want within 0.3 %% of %d", what, d.Revenue, want.Objective)
			}
			if float64(d.Revenue) > want.MIPBound || (want.Optimum != nil && (d.Revenue > *want.Optimum || d.Bound < float64(*want.Optimum))) {
				t.Errorf("%srevenue %d and bound %v contradict the reference %+v", what, d.Revenue, d.Bound, want)
			}
			if name == "i02" && d.Revenue != *want.Optimum {
				t.Errorf("%srevenue = %d, want the optimum %d", what, d.Revenue, *want.Optimum)
			}
		}
	}
}

func TestGapOfGeneratedBatches(t *testing.T) {
	for _, size := range longtest.Of([][2]int{{300, 10}}, [][2]int{{300, 10}, {1000, 30}}) {
		for seed := range uint64(3) {
			s := generated(t, size[0], size[1], 0.3+0.2*float64(seed), 0.3, seed)
			plan, err := s.Allocate(context.Background(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if lp := 1 - float64(plan.Revenue)/plan.Bounds.LP; lp > 5e-4 {
				t.Errorf("%v seed %d: gap to lp_bound = %.4f %%, want at most 0.05 %%", size, seed, 100*lp)
			}
		}
	}
}

// small returns a random batch of one dependency that can be enumerated.
func small(rng *rand.Rand) *Batch {
	b := &Batch{Dependencies: []string{"x"}}
	for j := range 1 + rng.IntN(3) {
		c := int64(5 + rng.IntN(30))
		b.Resources = append(b.Resources, Resource{ID: fmt.Sprint("r", j), Dependency: "x", PrimaryCapacity: c, BackupCapacity: int64(rng.IntN(20))})
		if rng.IntN(3) == 0 {
			b.Resources[j].RiskGroup = "g" // fails with the others of it
		}
		if rng.IntN(4) == 0 {
			b.Resources[j].Speed = []float64{0.5, 0.7, 1.5}[rng.IntN(3)]
		}
	}
	for k := range 1 + rng.IntN(5) {
		var levels []Level
		var d, r int64
		d = int64(rng.IntN(3))
		for range 1 + rng.IntN(3) {
			d += int64(1 + rng.IntN(9))
			r += int64(rng.IntN(12))
			levels = append(levels, Level{d, r})
		}
		if rng.IntN(8) == 0 {
			levels[0].Demand = 0
		}
		job := Job{ID: fmt.Sprint("j", k), Levels: map[string][]Level{"x": levels}}
		if rng.IntN(6) == 0 {
			job.Eligible = map[string][]string{"x": {b.Resources[rng.IntN(len(b.Resources))].ID}}
		}
		b.Jobs = append(b.Jobs, job)
	}
	return b
}

// enumerate calls f with every choice of level and resource for every job of
// a batch with one dependency, level 0 included when out is set.
func enumerateChoices(b *Batch, out bool, f func([]Choice)) {
	choices := make([]Choice, len(b.Jobs))
	var walk func(k int)
	walk = func(k int) {
		if k == len(choices) {
			f(choices)
			return
		}
		if out {
			choices[k] = none
			walk(k + 1)
		}
		for l := range b.Jobs[k].Levels["x"] {
			for j := range b.Resources {
				choices[k] = Choice{int32(j), int32(l + 1)}
				walk(k + 1)
			}
		}
	}
	walk(0)
}

func TestAllocateAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	feasible := 0
	batches := longtest.Of(30, 150)
	for n := range batches {
		b := small(rng)
		s, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		best := int64(-1)
		var at []Choice
		enumerateChoices(b, false, func(c []Choice) {
			if r := Verify(b, Choices{c}, nil, true); r.Feasible && r.Revenue > best {
				best, at = r.Revenue, slices.Clone(c)
			}
		})
		plan, err := s.Allocate(context.Background(), Options{})
		if best < 0 {
			if !errors.Is(err, ErrInfeasible) {
				t.Errorf("batch %d: err = %v, want infeasible", n, err)
			}
			continue
		}
		feasible++
		if err != nil {
			t.Errorf("batch %d: %v, want revenue %d", n, err, best)
			continue
		}
		if plan.Revenue != best || !plan.Optimal {
			t.Errorf("batch %d: revenue = %d (optimal: %v), want %d", n, plan.Revenue, plan.Optimal, best)
		}
		for what, bound := range map[string]float64{"published": *plan.Bounds.Published, "lp": plan.Bounds.LP, "eligible": plan.Bounds.Eligible, "integer": float64(*plan.Bounds.Integer)} {
			if bound < float64(best)*(1-1e-12) {
				t.Errorf("batch %d: bound %s = %v below the optimum %d", n, what, bound, best)
			}
		}
		for _, m := range []Method{LPRoundPaper, MaxBig, MaxBest, UnitBig, UnitBest} {
			// As it is written a published method may end without a place for all.
			var missed *NotFoundError
			if p, err := s.Allocate(context.Background(), Options{Method: m}); err != nil && (!errors.As(err, &missed) || missed.Method != m) || err == nil && p.Revenue > best {
				t.Errorf("batch %d: %s: %v, %v", n, m, p, err)
			}
			if p, err := s.Allocate(context.Background(), Options{Method: m, Fallback: LPRound}); err != nil || p.Revenue > best || (len(p.Fallback) > 0) != (missed != nil) {
				t.Errorf("batch %d: %s with a fallback: %v, %v", n, m, p, err)
			}
		}
		checkBackupByEnumeration(t, n, s, Choices{at})
	}
	if feasible < batches*2/5 {
		t.Errorf("only %d of %d batches are feasible: the test says little", feasible, batches)
	}
}

func checkBackupByEnumeration(t *testing.T, n int, s *System, primary Choices) {
	for _, o := range []BackupOptions{{}, {Mode: Strict}, {NoSharing: true}} {
		least := int64(math.MaxInt64)
		enumerateChoices(s.Batch, o.Mode != Strict, func(c []Choice) {
			if r := Verify(s.Batch, primary, Choices{c}, !o.NoSharing); r.Feasible && r.Loss < least {
				least = r.Loss
			}
		})
		plan, err := s.Backup(context.Background(), primary, o)
		if least == math.MaxInt64 {
			if !errors.Is(err, ErrInfeasible) {
				t.Errorf("batch %d %+v: err = %v, want infeasible", n, o, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("batch %d %+v: %v, want loss %d", n, o, err, least)
			continue
		}
		if plan.Loss != least || !plan.Optimal {
			t.Errorf("batch %d %+v: loss = %d (optimal: %v), want %d", n, o, plan.Loss, plan.Optimal, least)
		}
		if *plan.Bounds.Eligible > float64(least)+1e-9 || *plan.Bounds.LP > *plan.Bounds.Eligible+1e-9 {
			t.Errorf("batch %d %+v: bounds %v, %v for loss %d", n, o, *plan.Bounds.LP, *plan.Bounds.Eligible, least)
		}
		for _, m := range []Method{LPRoundPaper, MaxBig, UnitBest} {
			o := o
			o.Method = m
			var missed *NotFoundError
			if p, err := s.Backup(context.Background(), primary, o); err != nil && (o.Mode != Strict || !errors.As(err, &missed) || missed.Method != m) || err == nil && p.Loss < least {
				t.Errorf("batch %d %+v: %v, %v", n, o, p, err)
			}
			o.Fallback = LPRound
			if p, err := s.Backup(context.Background(), primary, o); err != nil || p.Loss < least || (len(p.Fallback) > 0) != (missed != nil) {
				t.Errorf("batch %d %+v with a fallback: %v, %v", n, o, p, err)
			}
		}
	}
}

func TestInfeasibleSaysByHowMuch(t *testing.T) {
	level := func(d int64) map[string][]Level { return map[string][]Level{"net": {{d, 1}}} }
	for _, c := range []struct {
		name string
		jobs []int64
		want InfeasibleError
	}{
		{"pooled", []int64{9, 9, 9}, InfeasibleError{Dependency: "net", Need: 27, Have: 20}},
		{"oversize", []int64{11, 1}, InfeasibleError{Dependency: "net", Jobs: []string{"j0"}}},
		{"largest", []int64{8, 8}, InfeasibleError{Dependency: "net", Need: 16, Have: 10, Largest: 1}},
	} {
		b := &Batch{Dependencies: []string{"net"}, Resources: []Resource{{ID: "a", Dependency: "net", PrimaryCapacity: 10}, {ID: "b", Dependency: "net", PrimaryCapacity: 5}, {ID: "c", Dependency: "net", PrimaryCapacity: 5}}}
		for k, d := range c.jobs {
			b.Jobs = append(b.Jobs, Job{ID: fmt.Sprint("j", k), Levels: level(d)})
		}
		s, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Allocate(context.Background(), Options{})
		var e *InfeasibleError
		if !errors.As(err, &e) || !errors.Is(err, ErrInfeasible) {
			t.Errorf("%s: err = %v", c.name, err)
			continue
		}
		if e.Error() != (&c.want).Error() {
			t.Errorf("%s: err = %v, want %v", c.name, e, &c.want)
		}
	}
}

func TestTimeLimitReturnsTheBestSoFar(t *testing.T) {
	s := generated(t, 200, 10, 0.6, 0.3, 5)
	plan, err := s.Allocate(context.Background(), Options{TimeLimit: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	if !plan.Stopped || plan.Revenue <= 0 || plan.Gap < 0 {
		t.Errorf("plan = stopped %v, revenue %d, gap %v", plan.Stopped, plan.Revenue, plan.Gap)
	}
	full, err := s.Allocate(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if full.Revenue < plan.Revenue {
		t.Errorf("revenue %d with time, %d without", full.Revenue, plan.Revenue)
	}
	again, _ := s.Allocate(context.Background(), Options{})
	if full.Revenue != again.Revenue {
		t.Errorf("revenues %d and %d with the same seed", full.Revenue, again.Revenue)
	}
}

// A batch of more levels and resources than are searched without haste says so where it is not near its bound, and
// more effort takes the haste out.
func TestHurriedBatchSaysSo(t *testing.T) {
	b, err := Generate(t.Context(), GeneratorOptions{Jobs: 300, Resources: 60, PrimaryFactor: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	defer func(n int) { mostSize = n }(mostSize)
	mostSize = s.size() / 4
	for _, o := range []Options{{}, {Effort: 5}} {
		plan, err := s.Allocate(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if want := o.Effort == 0; plan.Hurried != want {
			t.Errorf("effort %v: hurried = %v, want %v, at a gap of %v", o.Effort, plan.Hurried, want, plan.Gap)
		}
	}
}

// allocated is a batch and its primaries.
func allocated(t testing.TB, b *Batch) (*System, *Plan) {
	t.Helper()
	s, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Allocate(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}
