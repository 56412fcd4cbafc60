package alloc

import (
	"context"
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/lp"
)

// The explicit linear program, solved by gonum's simplex method, has the value
// of lp_bound_eligible.
func TestPrimaryModelHasTheBound(t *testing.T) {
	s := generated(t, 12, 3, 0.5, 0.3, 2)
	b, err := s.Bounds(context.Background(), BoundOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range b.Dependencies {
		m, _, err := s.PrimaryModel(d.Dependency)
		if err != nil {
			t.Fatal(err)
		}
		for j := range m.Variables {
			m.Variables[j].Integer = false
		}
		sol, err := lp.Go{}.Solve(context.Background(), m, lp.Settings{})
		if err != nil || sol.Status != lp.Optimal {
			t.Fatalf("%s: %+v, %v", d.Dependency, sol, err)
		}
		numtest.Close(t, d.Dependency, sol.Objective, d.Eligible, 1e-9)
	}
	if _, _, err := s.PrimaryModel("disk"); !errors.Is(err, ErrUnknownDependency) {
		t.Errorf("err = %v", err)
	}
}

// oracle is a solver whose answer is fixed.
type oracle struct{ *lp.Solution }

func (oracle) Name() string { return "oracle" }

func (o oracle) Solve(context.Context, *lp.Model, lp.Settings) (*lp.Solution, error) {
	return o.Solution, nil
}

func TestExactUsesTheSolver(t *testing.T) {
	if _, err := generated(t, 5, 2, 0.9, 0, 1).Allocate(context.Background(), Options{Method: Exact}); err == nil {
		t.Error("exact without a solver: no error")
	}
	b, err := Generate(context.Background(), GeneratorOptions{Dependencies: []string{"x"}, Jobs: 60, Resources: 12, PrimaryFactor: 0.5, Seed: 6})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	rough := Options{Effort: 1e-9, Bounds: BoundOptions{MaxStates: -1}}
	plain, err := s.Allocate(context.Background(), rough)
	if err != nil {
		t.Fatal(err)
	}
	good, err := s.Allocate(context.Background(), Options{})
	if err != nil || good.Revenue <= plain.Revenue {
		t.Fatalf("the search gained nothing: %v, %v: the test says little", good, err)
	}
	// A solver that knows the better answer, and a bound.
	m, choices, err := s.PrimaryModel("x")
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(m.Variables))
	for v, c := range choices {
		if good.Choices[0][c.Job] == c.Choice {
			x[v] = 1
		}
	}
	rough.Method = Exact
	rough.Solver = oracle{&lp.Solution{Reason: lp.TimeLimit, Status: lp.Feasible, X: x, Objective: m.Objective(x), Bound: float64(good.Revenue) + 3}}
	exact, err := s.Allocate(context.Background(), rough)
	if err != nil || exact.Revenue != good.Revenue || exact.Dependencies[0].Bound != float64(good.Revenue)+3 || exact.Optimal {
		t.Errorf("exact: %+v, %v", exact, err)
	}
}
