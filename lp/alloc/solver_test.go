package alloc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/highs"
)

// generalSolvers are those that can finish the batches: HiGHS where it is
// linked, and executables.
func generalSolvers() []lp.Solver {
	var list []lp.Solver
	if highs.Linked {
		list = append(list, highs.Solver{})
	}
	for _, e := range lp.Installed() {
		if e.Kind != lp.GLPK { // it takes minutes
			list = append(list, e)
		}
	}
	return list
}

// The method exact has the values that HiGHS found for the explicit integer
// programs, with each solver that is there, from a start that is made poor so
// that the solver has to work.
func TestExactAgainstHiGHS(t *testing.T) {
	if !highs.Linked {
		longtest.Skip(t) // cbc takes many seconds
	}
	for _, solver := range generalSolvers() {
		o := Options{Method: Exact, Solver: solver, Effort: 1e-9, Bounds: BoundOptions{MaxStates: -1}}
		// The primaries of i02 take a solver a quarter of a minute.
		s, a := load(t, "i17")
		if solver.Name() == "cbc" {
			o.Effort = 1 // from a poor start it takes minutes
		}
		plan, err := s.Allocate(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range plan.Dependencies {
			if want := a.MRPA[d.Dependency].Optimum; d.Revenue != *want || d.Bound != float64(*want) {
				t.Errorf("%s %s: revenue %d, bound %v, want %d (%v)", solver.Name(), d.Dependency, d.Revenue, d.Bound, *want, plan.Open)
			}
		}
		if !plan.Optimal || plan.Stopped || len(plan.Open) > 0 {
			t.Errorf("%s: optimal %v, stopped %v, open %v", solver.Name(), plan.Optimal, plan.Stopped, plan.Open)
		}
		for _, name := range []string{"i02", "i17"} {
			s, a := load(t, name)
			backup, err := s.Backup(context.Background(), primariesGiven(t, s, a), BackupOptions{Options: o})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range backup.Dependencies {
				if want := a.MLBA[d.Dependency].SoftMIP.Optimum; d.Loss != *want || d.Bounds.Best != float64(*want) {
					t.Errorf("%s %s %s: loss %d, bound %v, want %d (%v)", solver.Name(), name, d.Dependency, d.Loss, d.Bounds.Best, *want, backup.Open)
				}
			}
			if !backup.Optimal || backup.Stopped {
				t.Errorf("%s %s: backups optimal %v, stopped %v", solver.Name(), name, backup.Optimal, backup.Stopped)
			}
		}
	}
}

// On small problems of every form (levels left out, sites, homes) the solver
// that is always there, given the whole problem, agrees with the search's
// proof; both say so of problems without a solution.
func TestGenerallyAgainstTheSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	o := Options{Solver: lp.Go{}, turns: &turns{}}
	none := 0
	for n := range 60 {
		p := randomProblem(rng)
		q, culprits := p.trimmed()
		if len(culprits) > 0 {
			continue
		}
		want, _, proven := q.search(context.Background(), effort{sweeps: 3, nodes: exactNodes, seed: 1}, 1e12)
		if !proven {
			t.Fatalf("problem %d is not proven", n)
		}
		got, bound, empty, open, err := generally(context.Background(), o, p, solution{}, 1e12)
		if err != nil || open != "" || empty != (want.level == nil) {
			t.Errorf("problem %d: empty %v, open %q, %v", n, empty, open, err)
			continue
		}
		if empty {
			none++
		} else if got.value != want.value || bound != float64(want.value) {
			t.Errorf("problem %d: value %d, bound %v, want %d", n, got.value, bound, want.value)
		}
	}
	if none == 0 || none > 40 {
		t.Errorf("%d of 60 problems without a solution: the test says little", none)
	}
}

func randomProblem(rng *rand.Rand) *problem {
	p := &problem{skip: rng.IntN(2) == 0}
	for range 2 + rng.IntN(2) {
		p.cap, p.unit = append(p.cap, int64(4+rng.IntN(12))), append(p.unit, int32(rng.IntN(2)))
	}
	jobs := 2 + rng.IntN(4)
	if rng.IntN(2) == 0 {
		p.home = make([]int32, jobs)
	}
	if rng.IntN(2) == 0 {
		p.sites = make([][]int32, jobs)
	}
	for k := range jobs {
		p.first = append(p.first, int32(len(p.dem)))
		if p.skip {
			p.dem, p.rev = append(p.dem, 0), append(p.rev, 0)
		}
		demand, revenue := int64(1+rng.IntN(6)), int64(1+rng.IntN(9))
		for range 1 + rng.IntN(3) {
			p.dem, p.rev = append(p.dem, demand), append(p.rev, revenue)
			demand, revenue = demand+int64(1+rng.IntN(3)), revenue+int64(1+rng.IntN(9))
		}
		p.last = append(p.last, int32(len(p.dem)))
		if p.home != nil {
			p.home[k] = int32(rng.IntN(2))
		}
		if p.sites != nil && rng.IntN(2) == 0 {
			p.sites[k] = []int32{int32(rng.IntN(len(p.cap)))}
		}
	}
	return p
}

// Stopped at once, the answer is that of the search, said not to be proven;
// a solver that cannot be run is an error.
func TestExactStopped(t *testing.T) {
	s, _ := load(t, "i13")
	ctx, cancel := context.WithCancel(context.Background())
	bounds, err := s.Bounds(ctx, BoundOptions{})
	if err != nil {
		t.Fatal(err)
	}
	late := oracleFunc(func(context.Context, *lp.Model, lp.Settings) (*lp.Solution, error) {
		cancel()
		return lp.None(lp.Interrupted, lp.Unknown, ""), nil
	})
	plan, err := s.Allocate(ctx, Options{Method: Exact, Solver: late, Effort: 1e-9})
	if err != nil || plan.Optimal || !plan.Stopped || len(plan.Open) == 0 || plan.Revenue <= 0 || float64(plan.Revenue) > bounds.Best() {
		t.Errorf("%+v, %v", plan, err)
	}
	broken := oracleFunc(func(context.Context, *lp.Model, lp.Settings) (*lp.Solution, error) { return nil, lp.ErrNoSolver })
	if _, err := s.Allocate(context.Background(), Options{Method: Exact, Solver: broken, Effort: 1e-9}); !errors.Is(err, lp.ErrNoSolver) {
		t.Errorf("err = %v", err)
	}
}

type oracleFunc func(context.Context, *lp.Model, lp.Settings) (*lp.Solution, error)

func (oracleFunc) Name() string { return "oracle" }

func (f oracleFunc) Solve(ctx context.Context, m *lp.Model, s lp.Settings) (*lp.Solution, error) {
	return f(ctx, m, s)
}

// Every problem gets a share of the time, and what one leaves the next ones
// have.
func TestTurns(t *testing.T) {
	var all turns
	all.left.Store(100)
	if d := all.take(context.Background()); d != 0 {
		t.Errorf("without a limit: %v", d)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	first := all.take(ctx)
	all.left.Store(1)
	if last := all.take(ctx); first <= 0 || first >= time.Hour/2 || last < 55*time.Minute {
		t.Errorf("first %v, last %v", first, last)
	}
}

// Violations come in the order of the batch.
func TestVerifyOrder(t *testing.T) {
	b := &Batch{Dependencies: []string{"x"}, Resources: []Resource{{ID: "home", Dependency: "x", PrimaryCapacity: 100}}}
	primary, backup := Choices{nil}, Choices{nil}
	for k := range int32(20) {
		b.Resources = append(b.Resources, Resource{ID: fmt.Sprint("r", k), Dependency: "x", PrimaryCapacity: 1})
		b.Jobs = append(b.Jobs, Job{ID: fmt.Sprint("j", k), Levels: map[string][]Level{"x": {{Demand: 2, Revenue: 1}}}})
		primary[0], backup[0] = append(primary[0], Choice{0, 1}), append(backup[0], Choice{k + 1, 1})
	}
	r := Verify(b, primary, backup, true)
	for k, v := range r.Violations {
		if v.Rule != "shared capacity" || v.Place != fmt.Sprint("r", k) {
			t.Fatalf("%+v", r.Violations)
		}
	}
	if len(r.Violations) != 20 {
		t.Errorf("%d violations", len(r.Violations))
	}
}
