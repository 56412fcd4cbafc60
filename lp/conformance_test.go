package lp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// solvers are the backends under test: the one that is always there, and every
// executable that is installed.
func solvers() []Solver {
	list := []Solver{Go{}}
	for _, e := range Installed() {
		list = append(list, e)
	}
	return list
}

// conformance is the suite that every backend passes: models whose answer is
// known by hand.
var conformance = []struct {
	name      string
	model     Model
	status    []Status // any of these
	objective float64
	dual      []float64 // where the backend has one; nil when it is not unique
}{
	{"two rows", Model{Maximize: true, Variables: []Variable{{Cost: 3, Upper: inf}, {Cost: 2, Upper: inf}},
		Rows: []Row{{Lower: -inf, Upper: 4, Terms: []Term{{0, 1}, {1, 1}}}, {Lower: -inf, Upper: 7, Terms: []Term{{0, 1}, {1, 3}}}, {Lower: -inf, Upper: 3, Terms: []Term{{0, 1}}}}},
		[]Status{Optimal}, 11, []float64{2, 0, 1}},
	{"minimize with an offset", Model{Offset: 10, Variables: []Variable{{Cost: 1, Upper: inf}, {Cost: 2, Upper: inf}},
		Rows: []Row{{Lower: 2, Upper: inf, Terms: []Term{{0, 1}, {1, 1}}}}}, []Status{Optimal}, 12, []float64{1}},
	{"range", Model{Maximize: true, Variables: []Variable{{Cost: 1, Lower: -inf, Upper: inf}},
		Rows: []Row{{Lower: -2, Upper: 5, Terms: []Term{{0, 2}}}}}, []Status{Optimal}, 2.5, []float64{0.5}},
	{"free and negative", Model{Variables: []Variable{{Cost: 1, Lower: -inf, Upper: inf}, {Cost: 1, Lower: -4, Upper: -1}},
		Rows: []Row{{Lower: -6, Upper: inf, Terms: []Term{{0, 1}, {1, -1}}}}}, []Status{Optimal}, -14, nil},
	{"equation", Model{Variables: []Variable{{Cost: 1, Upper: inf}, {Cost: 3, Upper: 2}},
		Rows: []Row{{Lower: 3, Upper: 3, Terms: []Term{{0, 1}, {1, 2}}}}}, []Status{Optimal}, 3, []float64{1}},
	{"square", Model{Variables: []Variable{{Cost: 1, Upper: inf}, {Cost: 1, Upper: inf}},
		Rows: []Row{{Lower: 3, Upper: 3, Terms: []Term{{0, 1}, {1, 1}}}, {Lower: 1, Upper: 1, Terms: []Term{{0, 1}, {1, -1}}}}}, []Status{Optimal}, 3, nil},
	{"redundant equations", Model{Variables: []Variable{{Cost: 1, Upper: inf}, {Cost: 2, Upper: inf}, {Cost: 0, Upper: inf}},
		Rows: []Row{{Lower: 3, Upper: 3, Terms: []Term{{0, 1}, {1, 1}}}, {Lower: 6, Upper: 6, Terms: []Term{{0, 2}, {1, 2}}}, {Lower: 5, Upper: 5, Terms: []Term{{0, 1}, {1, 1}, {2, 1}}}}}, []Status{Optimal}, 3, nil},
	{"degenerate (Beale)", Model{Variables: []Variable{{Cost: -0.75, Upper: inf}, {Cost: 150, Upper: inf}, {Cost: -0.02, Upper: inf}, {Cost: 6, Upper: inf}},
		Rows: []Row{{Lower: -inf, Upper: 0, Terms: []Term{{0, 0.25}, {1, -60}, {2, -0.04}, {3, 9}}},
			{Lower: -inf, Upper: 0, Terms: []Term{{0, 0.5}, {1, -90}, {2, -0.02}, {3, 3}}}, {Lower: -inf, Upper: 1, Terms: []Term{{2, 1}}}}}, []Status{Optimal}, -0.05, nil},
	{"fixed variable", Model{Variables: []Variable{{Cost: 2, Lower: 3, Upper: 3}, {Cost: 1, Upper: inf}},
		Rows: []Row{{Lower: 5, Upper: inf, Terms: []Term{{0, 1}, {1, 1}}}}}, []Status{Optimal}, 8, []float64{1}},
	{"bounds only", Model{Maximize: true, Variables: []Variable{{Cost: 2, Lower: -1, Upper: 3}, {Cost: -1, Lower: -2, Upper: 5}}}, []Status{Optimal}, 8, nil},
	{"no objective", Model{Variables: []Variable{{Upper: inf}}, Rows: []Row{{Lower: 1, Upper: 2, Terms: []Term{{0, 1}}}}}, []Status{Optimal}, 0, nil},
	{"empty", Model{Offset: 4}, []Status{Optimal}, 4, nil},
	{"infeasible rows", Model{Variables: []Variable{{Cost: 1, Upper: inf}},
		Rows: []Row{{Lower: 2, Upper: inf, Terms: []Term{{0, 1}}}, {Lower: -inf, Upper: 1, Terms: []Term{{0, 1}}}}}, []Status{Infeasible, InfeasibleOrUnbounded}, 0, nil},
	{"infeasible equations", Model{Variables: []Variable{{Cost: 1, Upper: inf}, {Cost: 1, Upper: inf}},
		Rows: []Row{{Lower: 3, Upper: 3, Terms: []Term{{0, 1}, {1, 1}}}, {Lower: 7, Upper: 7, Terms: []Term{{0, 2}, {1, 2}}}}}, []Status{Infeasible, InfeasibleOrUnbounded}, 0, nil},
	{"infeasible bounds", Model{Variables: []Variable{{Cost: 1, Lower: 2, Upper: 1}}}, []Status{Infeasible}, 0, nil},
	{"infeasible empty row", Model{Variables: []Variable{{Cost: 1, Upper: 1}}, Rows: []Row{{Lower: 1, Upper: 2}}}, []Status{Infeasible}, 0, nil},
	{"unbounded", Model{Maximize: true, Variables: []Variable{{Cost: 1, Upper: inf}, {Cost: 0, Upper: inf}},
		Rows: []Row{{Lower: -inf, Upper: 1, Terms: []Term{{0, 1}, {1, -1}}}}}, []Status{Unbounded, InfeasibleOrUnbounded}, 0, nil},
	{"unbounded without rows", Model{Variables: []Variable{{Cost: -1, Upper: inf}, {Cost: 1, Upper: 2}},
		Rows: []Row{{Lower: 1, Upper: inf, Terms: []Term{{1, 1}}}}}, []Status{Unbounded, InfeasibleOrUnbounded}, 0, nil},
	{"knapsack", Model{Maximize: true, Variables: []Variable{{Cost: 10, Upper: 1, Integer: true}, {Cost: 13, Upper: 1, Integer: true}, {Cost: 7, Upper: 1, Integer: true}, {Cost: 8, Upper: 1, Integer: true}},
		Rows: []Row{{Lower: -inf, Upper: 10, Terms: []Term{{0, 5}, {1, 7}, {2, 4}, {3, 3}}}}}, []Status{Optimal}, 21, nil},
	{"general integers", Model{Maximize: true, Variables: []Variable{{Cost: 5, Upper: inf, Integer: true}, {Cost: 4, Upper: inf, Integer: true}},
		Rows: []Row{{Lower: -inf, Upper: 24, Terms: []Term{{0, 6}, {1, 4}}}, {Lower: -inf, Upper: 6, Terms: []Term{{0, 1}, {1, 2}}}}}, []Status{Optimal}, 20, nil},
	{"mixed", Model{Variables: []Variable{{Cost: 1, Upper: inf, Integer: true}, {Cost: 0.4, Upper: inf}},
		Rows: []Row{{Lower: 3.5, Upper: inf, Terms: []Term{{0, 1}, {1, 0.3}}}}}, []Status{Optimal}, 3 + 0.4*0.5/0.3, nil},
	{"no whole number", Model{Variables: []Variable{{Cost: 1, Upper: 10, Integer: true}}, Rows: []Row{{Lower: 2.2, Upper: 2.8, Terms: []Term{{0, 1}}}}}, []Status{Infeasible}, 0, nil},
	{"bounds between whole numbers", Model{Maximize: true, Variables: []Variable{{Cost: 1, Lower: 0.5, Upper: 2.5, Integer: true}},
		Rows: []Row{{Lower: -inf, Upper: 9, Terms: []Term{{0, 1}}}}}, []Status{Optimal}, 2, nil},
}

func TestConformance(t *testing.T) {
	for _, s := range solvers() {
		for _, c := range conformance {
			what := s.Name() + ": " + c.name
			sol, err := s.Solve(context.Background(), &c.model, Settings{})
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			known := false
			for _, want := range c.status {
				known = known || sol.Status == want
			}
			if !known || sol.Reason != Finished {
				t.Errorf("%s: %s, %s (%s), want %v", what, sol.Status, sol.Reason, sol.Message, c.status)
				continue
			}
			if sol.Status != Optimal {
				if sol.X != nil || !math.IsNaN(sol.Objective) {
					t.Errorf("%s: a vector with status %s", what, sol.Status)
				}
				continue
			}
			if e := math.Abs(sol.Objective - c.objective); e > 1e-6*(1+math.Abs(c.objective)) {
				t.Errorf("%s: objective = %v, want %v", what, sol.Objective, c.objective)
			}
			if math.Abs(sol.Bound-sol.Objective) > 1e-6*(1+math.Abs(c.objective)) {
				t.Errorf("%s: bound = %v at the optimum %v", what, sol.Bound, sol.Objective)
			}
			if v := c.model.Violation(sol.X); v > 1e-6 {
				t.Errorf("%s: vector %v breaks the model by %v", what, sol.X, v)
			}
			if sol.Dual != nil && c.dual != nil {
				for i, y := range c.dual {
					if math.Abs(sol.Dual[i]-y) > 1e-6 {
						t.Errorf("%s: dual = %v, want %v", what, sol.Dual, c.dual)
						break
					}
				}
			}
		}
	}
}

// randomModel is a small program with a known feasible point.
func randomModel(rng *rand.Rand, integer bool) *Model {
	n, rows := 2+rng.IntN(4), 1+rng.IntN(4)
	m := &Model{Maximize: rng.IntN(2) == 0}
	point := make([]float64, n)
	for j := range point {
		point[j] = float64(rng.IntN(6))
		m.Variables = append(m.Variables, Variable{Cost: float64(rng.IntN(21) - 10), Lower: 0, Upper: 6, Integer: integer})
	}
	for range rows {
		r := Row{Lower: -inf, Upper: inf}
		at := 0.0
		for j := range n {
			if a := float64(rng.IntN(9) - 4); a != 0 {
				r.Terms = append(r.Terms, Term{j, a})
				at += a * point[j]
			}
		}
		switch rng.IntN(4) {
		case 0:
			r.Lower, r.Upper = at, at
		case 1:
			r.Lower = at - float64(rng.IntN(4))
		case 2:
			r.Upper = at + float64(rng.IntN(4))
		default:
			r.Lower, r.Upper = at-2, at+3
		}
		m.Rows = append(m.Rows, r)
	}
	return m
}

// Integer models with variables in 0..6 can be enumerated.
func TestGoAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for n := range 120 {
		m := randomModel(rng, true)
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
		sol, err := Go{}.Solve(context.Background(), m, Settings{})
		if err != nil || sol.Status != Optimal {
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
		m := randomModel(rng, n%3 == 0)
		var first *Solution
		for _, s := range list {
			sol, err := s.Solve(context.Background(), m, Settings{})
			if err != nil || sol.Status != Optimal {
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
