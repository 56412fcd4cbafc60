package lp_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/lptest"
)

// wantSolvers in the environment are the executables that must be there, as in CI.
const wantSolvers = "CAPPLAN_WANT_SOLVERS"

// solvers are the backends under test: the one that is always there, and every
// executable that is installed, by hand the first of them.
func solvers() []lp.Solver {
	list := []lp.Solver{lp.Go{}}
	installed := lp.Installed()
	if !longtest.Wanted() && os.Getenv(wantSolvers) == "" {
		installed = installed[:min(1, len(installed))]
	}
	for _, e := range installed {
		list = append(list, e)
	}
	return list
}

func TestConformance(t *testing.T) {
	for _, s := range solvers() {
		t.Run(s.Name(), func(t *testing.T) {
			t.Parallel()
			lptest.Run(t, s)
		})
	}
}

// CI names the executables that must be there, so that the suite does not pass
// because they are not.
func TestSolversWanted(t *testing.T) {
	for _, name := range strings.Fields(os.Getenv(wantSolvers)) {
		if _, err := lp.Find(name); err != nil {
			t.Error(err)
		}
	}
}

// Integer models with variables in 0..6 can be enumerated.
func TestGoAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for n := range 120 {
		m := lptest.Random(rng, true)
		best := math.Inf(-1)
		sign := 1.0
		if !m.Maximize {
			sign = -1
		}
		x := make([]float64, len(m.Variables))
		var walk func(j int)
		walk = func(j int) {
			if j == len(x) {
				if m.Violation(x) == 0 {
					best = math.Max(best, sign*m.Objective(x))
				}
				return
			}
			for v := 0.0; v <= 6; v++ {
				x[j] = v
				walk(j + 1)
			}
		}
		walk(0)
		sol, err := lp.Go{}.Solve(context.Background(), m, lp.Settings{})
		if err != nil || sol.Status != lp.Optimal {
			t.Fatalf("model %d: %+v, %v", n, sol, err)
		}
		numtest.Close(t, fmt.Sprintf("model %d", n), sign*sol.Objective, best, 1e-9)
	}
}

// All backends agree on random linear programs.
func TestBackendsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	list := solvers()
	for n := range 25 {
		m := lptest.Random(rng, n%3 == 0)
		var first *lp.Solution
		for _, s := range list {
			sol, err := s.Solve(context.Background(), m, lp.Settings{})
			if err != nil || sol.Status != lp.Optimal {
				t.Fatalf("model %d: %s: %+v, %v", n, s.Name(), sol, err)
			}
			if first == nil {
				first = sol
			} else if math.Abs(sol.Objective-first.Objective) > 1e-6*(1+math.Abs(first.Objective)) {
				t.Errorf("model %d: %s: objective %v, %s: %v", n, s.Name(), sol.Objective, list[0].Name(), first.Objective)
			}
		}
	}
}
