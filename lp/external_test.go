package lp

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	for _, name := range []string{"gurobi", "/nonexistent/highs", ""} {
		if _, err := Find(name); !errors.Is(err, ErrNoSolver) {
			t.Errorf("Find(%q): err = %v", name, err)
		}
	}
	e := &External{Path: "/nonexistent/cbc", Kind: CBC}
	m := &Model{Variables: []Variable{{Cost: 1, Upper: 1}}}
	if _, err := e.Solve(context.Background(), m, Settings{}); !errors.Is(err, ErrNoSolver) {
		t.Errorf("missing executable: err = %v", err)
	}
	e = &External{Path: "true", Kind: CBC}
	if sol, err := e.Solve(context.Background(), m, Settings{}); err == nil && (sol.Status != Unknown || sol.X != nil) {
		t.Errorf("an executable that says nothing gave %+v", sol)
	}
}

// The layout of HiGHS's solution file as its documentation shows it.
func TestHiGHSAnswer(t *testing.T) {
	text := `Model status
Optimal

# Primal solution values
Feasible
Objective 11
# Columns 2
x0 3
x1 1
# Rows 1
r0 4

# Dual solution values
Feasible
# Columns 2
x0 0
x1 0
# Rows 1
r0 -2

# Basis
HiGHS v1
Valid
# Columns 2
1 1
# Rows 2
2 1
`
	a := parsed{x: make([]float64, 2), dual: make([]float64, 1)}
	a.highs(text, "")
	if a.bad != "" || a.status != Optimal || !a.hasDual || !reflect.DeepEqual(a.x, []float64{3, 1}) || a.dual[0] != -2 {
		t.Errorf("%+v", a)
	}
	for word, want := range map[string]Status{"Infeasible": Infeasible, "Unbounded": Unbounded, "Primal infeasible or unbounded": InfeasibleOrUnbounded, "Time limit reached": Unknown, "Solve error": Unknown} {
		a := parsed{x: make([]float64, 2), dual: make([]float64, 1)}
		a.highs("Model status\n"+word+"\n\n# Primal solution values\nNone\n\n# Dual solution values\nNone\n", "")
		if a.status != want || a.hasDual {
			t.Errorf("%s: %+v", word, a)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add("s bas 1 1 f f 3\ni 1 b 1 0\nj 1 b 3 0\n", "")
	f.Add("Optimal - objective value 3\n 0 r0 1 2\n 0 x0 3 0\n", "")
	f.Add("Model status\nOptimal\n# Primal solution values\nFeasible\n# Columns 1\nx0 3\n", "")
	f.Fuzz(func(t *testing.T, answer, log string) {
		for _, read := range []func(*parsed){
			func(a *parsed) { a.glpk(answer, log) }, func(a *parsed) { a.cbc(answer, log) }, func(a *parsed) { a.highs(answer, log) },
		} {
			a := parsed{x: make([]float64, 1), dual: make([]float64, 1)}
			read(&a)
			if a.bad == "" && a.status == "" {
				t.Fatalf("no status: %+v", a)
			}
		}
	})
}

func TestGoLimits(t *testing.T) {
	big := &Model{}
	for range 1500 {
		big.Variables = append(big.Variables, Variable{Cost: 1, Upper: 1})
		big.Rows = append(big.Rows, Row{Lower: 0.5, Upper: inf, Terms: []Term{{len(big.Variables) - 1, 1}}})
	}
	var size *SizeError
	if _, err := (Go{}).Solve(context.Background(), big, Settings{}); !errors.As(err, &size) {
		t.Errorf("large model: err = %v", err)
	}
	// 2Σx = odd has no solution in whole numbers, and branching does not see it.
	parity := &Model{}
	row := Row{Lower: 21, Upper: 21}
	for j := range 20 {
		parity.Variables = append(parity.Variables, Variable{Cost: float64(j), Upper: 1, Integer: true})
		row.Terms = append(row.Terms, Term{j, 2})
	}
	parity.Rows = []Row{row}
	sol, err := Go{}.Solve(context.Background(), parity, Settings{Nodes: 50})
	if err != nil || sol.Reason != NodeLimit || sol.Status != Unknown || sol.X != nil || math.IsNaN(sol.Bound) {
		t.Errorf("node limit: %+v, %v", sol, err)
	}
	sol, err = Go{}.Solve(context.Background(), parity, Settings{TimeLimit: 20 * time.Millisecond})
	if err != nil || (sol.Reason != TimeLimit && sol.Reason != NodeLimit) || sol.X != nil {
		t.Errorf("time limit: %+v, %v", sol, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if sol, err = (Go{}).Solve(ended, parity, Settings{}); err != nil || sol.Reason != Interrupted {
		t.Errorf("ended context: %+v, %v", sol, err)
	}
	for _, bad := range []*Model{
		{Variables: []Variable{{Cost: math.NaN(), Upper: 1}}},
		{Variables: []Variable{{Upper: math.NaN()}}},
		{Variables: []Variable{{Upper: 1}}, Rows: []Row{{Upper: 1, Terms: []Term{{1, 1}}}}},
		{Variables: []Variable{{Upper: 1}}, Rows: []Row{{Upper: 1, Terms: []Term{{0, 1}, {0, 1}}}}},
	} {
		var e *ModelError
		if _, err := (Go{}).Solve(context.Background(), bad, Settings{}); !errors.As(err, &e) {
			t.Errorf("%+v: err = %v", bad, err)
		}
	}
}

// A vector that breaks the model never leaves as an answer.
func TestAcceptRefusesAWrongVector(t *testing.T) {
	m := &Model{Variables: []Variable{{Cost: 1, Upper: 1}}, Rows: []Row{{Lower: 0.5, Upper: inf, Terms: []Term{{0, 1}}}}}
	if sol := Checked(m, &Solution{Reason: Finished, Status: Optimal, X: []float64{0.4}}, nil); sol.Status != Unknown || sol.X != nil || sol.Reason != Numerical {
		t.Errorf("%+v", sol)
	}
}
