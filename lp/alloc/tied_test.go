package alloc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/lp"
)

// tiedRow is one batch of testdata/tied.json.
type tiedRow struct {
	Batch    Batch    `json:"batch"`
	LP       *float64 `json:"lp"`
	Eligible *float64 `json:"eligible"`
	Optimum  *float64 `json:"optimum"`
}

func tiedRows(t *testing.T) []tiedRow {
	t.Helper()
	data, err := os.ReadFile("testdata/tied.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []tiedRow
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestTiedBoundsAgainstHiGHS(t *testing.T) {
	infeasible := 0
	for n, row := range tiedRows(t) {
		what := fmt.Sprintf("batch %d: ", n)
		s, err := New(&row.Batch)
		if err != nil {
			t.Fatal(what, err)
		}
		b, err := s.Bounds(context.Background(), BoundOptions{})
		if row.LP == nil {
			infeasible++
			if !errors.Is(err, ErrInfeasible) {
				t.Errorf("%serr = %v, want infeasible", what, err)
			}
			continue
		}
		if err != nil {
			if row.Optimum != nil || !errors.Is(err, ErrInfeasible) {
				t.Errorf("%s%v", what, err)
			}
			continue
		}
		numtest.Close(t, what+"lp", b.LP, *row.LP, 1e-9)
		if row.Eligible != nil {
			numtest.Close(t, what+"eligible", b.Eligible, *row.Eligible, 1e-9)
		}
		if row.Optimum != nil {
			for name, bound := range map[string]*float64{"published": b.Published, "lp": &b.LP, "eligible": &b.Eligible, "best": p(b.Best())} {
				if bound != nil && *bound < *row.Optimum-1e-6 {
					t.Errorf("%s%s = %v below the optimum %v", what, name, *bound, *row.Optimum)
				}
			}
			if b.Integer != nil && float64(*b.Integer) < *row.Optimum-1e-6 {
				t.Errorf("%sinteger = %v below the optimum %v", what, *b.Integer, *row.Optimum)
			}
		}
	}
	t.Logf("%d infeasible", infeasible)
}

// What an iteration leaves of a price is no price: 9e-11 was told of ample capacity.
func TestShadowPricesOfNothing(t *testing.T) {
	for n, row := range tiedRows(t) {
		s, err := New(&row.Batch)
		if err != nil {
			t.Fatal(n, err)
		}
		b, err := s.Bounds(context.Background(), BoundOptions{})
		if err != nil {
			continue
		}
		for _, d := range b.Dependencies {
			if d.ShadowPrice != 0 && d.ShadowPrice*float64(d.Capacity) < 1e-9*b.LP {
				t.Errorf("batch %d, %s: %g for a unit of %d", n, d.Dependency, d.ShadowPrice, d.Capacity)
			}
		}
	}
}

func p[T any](v T) *T { return &v }

// The optimum by HiGHS is found for nearly all small batches, and never
// exceeded; the answers of all methods keep the rules.
func TestTiedAnswersAgainstHiGHS(t *testing.T) {
	worse, feasible, proven := 0, 0, 0
	for n, row := range tiedRows(t) {
		what := fmt.Sprintf("batch %d: ", n)
		s, err := New(&row.Batch)
		if err != nil {
			t.Fatal(what, err)
		}
		for _, m := range []Method{LPRound, LPRoundPaper, MaxBig, MaxBest, UnitBig, UnitBest} {
			plan, err := s.Allocate(context.Background(), Options{Method: m})
			if row.Optimum == nil {
				if !errors.Is(err, ErrInfeasible) && !errors.Is(err, ErrNotFound) {
					t.Errorf("%s%s: err = %v, want none found", what, m, err)
				}
				continue
			}
			if err != nil {
				if m == LPRound {
					t.Errorf("%s%v, want %v", what, err, *row.Optimum)
				}
				continue
			}
			if plan.Net > *row.Optimum+1e-6 {
				t.Errorf("%s%s: net revenue %v above the optimum %v", what, m, plan.Net, *row.Optimum)
			}
			if m != LPRound {
				continue
			}
			feasible++
			if plan.Optimal {
				proven++
				if plan.Net < *row.Optimum-1e-6 {
					t.Errorf("%snet revenue %v said to be optimal, %v is", what, plan.Net, *row.Optimum)
				}
			}
			if plan.Net < *row.Optimum-1e-6 {
				worse++
				t.Logf("%snet revenue %v, optimum %v, bound %v (tied: %v)", what, plan.Net, *row.Optimum, plan.Bound, s.tied())
			}
		}
	}
	t.Logf("%d feasible, %d proven optimal, %d below the optimum", feasible, proven, worse)
	if worse > feasible/50 {
		t.Errorf("%d of %d answers below the optimum", worse, feasible)
	}
}

// Where all assignments can be tried, the best that Verify accepts is the
// optimum of HiGHS: the verifier and the program mean the same rules.
func TestVerifierAgainstHiGHS(t *testing.T) {
	tried := 0
	for n, row := range tiedRows(t) {
		b := &row.Batch
		ways := 1.0
		for k := range b.Jobs {
			for _, levels := range b.Jobs[k].Levels {
				ways *= float64(len(levels)*len(b.Resources) + 1)
			}
		}
		if ways > longtest.Of(2e3, 3e4) {
			continue
		}
		tried++
		s, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		c := s.empty()
		best := math.Inf(-1)
		var walk func(k, d int)
		walk = func(k, d int) {
			switch {
			case k == len(b.Jobs):
				if r := Verify(b, c, nil, true); r.Feasible {
					best = math.Max(best, float64(r.Revenue)-r.Spending)
				}
				return
			case d == len(b.Dependencies):
				walk(k+1, 0)
				return
			}
			c[d][k] = none
			walk(k, d+1)
			for l := range b.Jobs[k].Levels[b.Dependencies[d]] {
				for j := range b.Resources {
					c[d][k] = Choice{int32(j), int32(l + 1)}
					walk(k, d+1)
				}
			}
			c[d][k] = none
		}
		walk(0, 0)
		if row.Optimum == nil {
			if !math.IsInf(best, -1) {
				t.Errorf("batch %d: found %v where HiGHS has nothing", n, best)
			}
		} else if math.Abs(best-*row.Optimum) > 1e-6 {
			t.Errorf("batch %d: the best that passes is %v, HiGHS has %v", n, best, *row.Optimum)
		}
	}
	if tried < longtest.Of(15, 60) {
		t.Errorf("only %d batches are small enough", tried)
	}
}

// Gaps and times on generated batches with everything: run with -benchtime 1x.
func BenchmarkTied(b *testing.B) {
	for _, size := range [][2]int{{100, 10}, {1000, 30}, {10_000, 100}, {100_000, 200}} {
		b.Run(fmt.Sprintf("jobs=%d/resources=%d", size[0], size[1]), func(b *testing.B) {
			batch, err := Generate(context.Background(), GeneratorOptions{Jobs: size[0], Resources: size[1], PrimaryFactor: 0.5, PriceFactor: 0.3, OptionalShare: 0.8, FeeFactor: 0.5, BudgetFactor: 0.6, Seed: 1})
			if err != nil {
				b.Fatal(err)
			}
			s, err := New(batch)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				bounds, err := s.Bounds(context.Background(), BoundOptions{})
				if err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				plan, err := s.Allocate(context.Background(), Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(100*(bounds.LP-plan.Net)/bounds.LP, "gap-lp-%")
				b.ReportMetric(100*plan.Gap, "gap-%")
				b.ReportMetric(time.Since(start).Seconds(), "allocate-s")
			}
		})
	}
}

// The explicit program of the whole, solved by gonum's simplex method, has the
// value of lp_bound_eligible, and a solver's better answer and bound are used.
func TestModelOfTheWhole(t *testing.T) {
	n := 0
	for i, row := range tiedRows(t) {
		s, err := New(&row.Batch)
		if err != nil {
			t.Fatal(err)
		}
		if row.Eligible == nil || len(row.Batch.Jobs) > 4 || !s.tied() {
			continue
		}
		n++
		m, choices, deps := s.Model()
		for j := range m.Variables {
			m.Variables[j].Integer = false
		}
		sol, err := lp.Go{}.Solve(context.Background(), m, lp.Settings{})
		if err != nil || sol.Status != lp.Optimal {
			t.Errorf("batch %d: %+v, %v", i, sol, err)
			continue
		}
		numtest.Close(t, fmt.Sprintf("batch %d", i), sol.Objective, *row.Eligible, 1e-7)
		if row.Optimum == nil {
			continue
		}
		good, err := s.Allocate(context.Background(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, len(m.Variables))
		for v, c := range choices {
			if deps[v] < 0 {
				x[v] = 1
				for _, id := range good.Rejected {
					if id == row.Batch.Jobs[c.Job].ID {
						x[v] = 0
					}
				}
			} else if good.Choices[deps[v]][c.Job] == c.Choice {
				x[v] = 1
			}
		}
		if v := m.Objective(x); math.Abs(v-good.Net) > 1e-9*math.Max(1, math.Abs(v)) {
			t.Errorf("batch %d: the model values the answer at %v, it is %v", i, v, good.Net)
		}
		exact, err := s.Allocate(context.Background(), Options{Method: Exact, Solver: oracle{&lp.Solution{Reason: lp.Finished, Status: lp.Optimal, X: x, Objective: good.Net, Bound: *row.Optimum}}})
		if err != nil || exact.Net != good.Net || exact.Bound > *row.Optimum+1e-5 {
			t.Errorf("batch %d: exact: %+v, %v", i, exact, err)
		}
	}
	if n < 40 {
		t.Errorf("only %d batches", n)
	}
}
