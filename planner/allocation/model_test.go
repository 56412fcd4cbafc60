package allocation

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/highs"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

func mustRead(t *testing.T, text string) *lp.Model {
	t.Helper()
	m, err := lp.Parse(context.Background(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func goSolver(t *testing.T) *NamedSolver {
	t.Helper()
	s, err := FindSolver("go")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Statuses by hand, each with what is known.
func TestSolveModel(t *testing.T) {
	for text, want := range map[string]struct {
		status   lp.Status
		conflict map[string]float64
	}{
		"Min\n x\nst\n c: x >= 2\nEnd":                                  {status: lp.Optimal},
		"Min\n x\nst\n low: x >= 2\n high: x <= 0.5\nEnd":               {lp.Infeasible, map[string]float64{"low": 1.5}},
		"Min\n x\nst\n low: x + y >= 9\n c: x <= 3\n d: y <= 4\nEnd":    {lp.Infeasible, map[string]float64{"low": 2}},
		"Min\n x\nst\n c: 2 x = 3\nGenerals\n x\nEnd":                   {lp.Infeasible, map[string]float64{}},
		"Min\n x\nBounds\n 3 <= x <= 1\nEnd":                            {lp.Infeasible, map[string]float64{"bounds of x": 2}},
		"Max\n x\nst\n c: x - y <= 1\nEnd":                              {status: lp.Unbounded},
		"Max\n x\nst\n c: x - y <= 1\nGenerals\n x\nEnd":                {status: lp.Unbounded},
		"Max\n x\nst\n c: x - y <= 1\n d: 2 z = 3\nGenerals\n x z\nEnd": {lp.Infeasible, map[string]float64{}},
	} {
		a, err := Solve(context.Background(), &ModelQuestion{Model: mustRead(t, text), Solver: goSolver(t), Explain: true})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if a.Status != want.status || (a.Objective != nil) != (want.status == lp.Optimal) || (a.Conflict != nil) != (want.status == lp.Infeasible) {
			t.Errorf("%q: %+v", text, a)
		}
		total, wanted := 0.0, 0.0
		for _, c := range a.Conflict {
			total += c.Miss
		}
		for _, miss := range want.conflict {
			wanted += miss
		}
		if math.Abs(total-wanted) > 1e-9 || (len(a.Conflict) == 0) != (len(want.conflict) == 0) {
			t.Errorf("%q: conflict %v, want %v", text, a.Conflict, want.conflict)
		}
	}
	zero := units.Duration(0)
	var input *ask.InputError
	if _, err := Solve(context.Background(), &ModelQuestion{Model: &lp.Model{}, Solver: goSolver(t), TimeLimit: &zero}); !errors.As(err, &input) || input.Field != "time_limit" {
		t.Errorf("time limit of 0: err = %v", err)
	}
	big := &lp.Model{}
	for j := range 3000 {
		big.Variables = append(big.Variables, lp.Variable{Cost: 1, Upper: 1})
		big.Rows = append(big.Rows, lp.Row{Lower: 0.5, Upper: 2, Terms: []lp.Term{{Variable: j, Coefficient: 1}}})
	}
	if _, err := Solve(context.Background(), &ModelQuestion{Model: big, Solver: goSolver(t)}); !errors.As(err, &input) || input.Field != "solver" || !strings.Contains(input.Reason, "such as cbc") {
		t.Errorf("large model: err = %v", err)
	}
}

func TestFindSolver(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var input *ask.InputError
	for _, name := range []string{"gurobi", "cbc", "/nonexistent/cbc"} {
		if _, err := FindSolver(name); !errors.As(err, &input) || input.Field != "solver" || !strings.Contains(input.Reason, "found on the path: none") {
			t.Errorf("%s: err = %v", name, err)
		}
	}
	s, err := FindSolver("highs")
	integer, without := IntegerSolver("")
	if without != nil {
		t.Fatalf("no solver at all: err = %v", without)
	}
	if highs.Linked {
		if err != nil || integer.Label != s.Label || !strings.Contains(s.Label, "linked") {
			t.Errorf("highs: %+v, %v, %v", s, err, integer)
		}
		return
	}
	if !errors.As(err, &input) || !strings.Contains(input.Reason, "go build -tags highs") {
		t.Errorf("highs: err = %v", err)
	}
	if integer.Label != "go" || !strings.Contains(tooLarge(&lp.SizeError{}).Error(), "coinor-cbc") {
		t.Errorf("no solver at all: %q", integer.Label)
	}
	if s, err := FindSolver(""); err != nil || s.Label != "go" {
		t.Errorf("default: %+v, %v", s, err)
	}
}
