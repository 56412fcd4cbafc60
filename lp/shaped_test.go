package lp_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/lp"
)

// fixed is a backend of somebody else that answers whatever it likes.
type fixed struct{ answer *lp.Solution }

func (fixed) Name() string { return "fixed" }

func (f fixed) Solve(context.Context, *lp.Model, lp.Settings) (*lp.Solution, error) {
	return f.answer, nil
}

// What is no answer to the model is an error that says why; what claims no
// vector has none.
func TestRunTrustsNoShape(t *testing.T) {
	m := &lp.Model{
		Variables: []lp.Variable{{Name: "x", Upper: 1, Integer: true}, {Cost: -1, Upper: 1}},
		Rows:      []lp.Row{{Upper: 1, Terms: []lp.Term{{Variable: 1, Coefficient: 1}}}},
	}
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		answer *lp.Solution
		says   string // empty: it is an answer
	}{
		"nil":               {nil, "neither a solution nor an error"},
		"empty":             {&lp.Solution{}, `unknown status ""`},
		"no vector":         {&lp.Solution{Status: lp.Optimal}, "0 values for 2 variables"},
		"short vector":      {&lp.Solution{Status: lp.Optimal, X: []float64{1}}, "1 values for 2 variables"},
		"empty vector":      {&lp.Solution{Status: lp.Feasible, X: []float64{}}, "0 values for 2 variables"},
		"long vector":       {&lp.Solution{Status: lp.Optimal, X: make([]float64, 99)}, "99 values for 2 variables"},
		"NaN":               {&lp.Solution{Status: lp.Optimal, X: []float64{nan, nan}, Bound: nan}, "the value of variable 1, x, is NaN"},
		"infinite":          {&lp.Solution{Status: lp.Optimal, X: []float64{0, inf}, Bound: -inf}, "the value of variable 2 is +Inf"},
		"out of bounds":     {&lp.Solution{Status: lp.Feasible, X: []float64{0, 4}}, "its values violate the model by"},
		"not whole":         {&lp.Solution{Status: lp.Optimal, X: []float64{0.5, 1}}, "its values violate the model by"},
		"another status":    {&lp.Solution{Status: "\x1b[2J", X: []float64{0, 1}}, "unknown status"},
		"unknown with one":  {&lp.Solution{Status: lp.Unknown, X: []float64{0, 1}}, ""},
		"infeasible vector": {&lp.Solution{Status: lp.Infeasible, X: []float64{1}}, ""},
	} {
		for _, start := range [][]float64{nil, {1, 1}, {1}} {
			sol, err := lp.Run(context.Background(), fixed{c.answer}, m, lp.Settings{Start: start})
			var wrong *lp.AnswerError
			switch {
			case c.says != "" && (!errors.As(err, &wrong) || !strings.Contains(wrong.Reason, c.says) || strings.Contains(err.Error(), "\x1b")):
				t.Errorf("%s: %v, want an error that says %q", name, err, c.says)
			case c.says == "" && (err != nil || sol == nil):
				t.Errorf("%s: %v, %v", name, sol, err)
			case c.says == "":
				if vector := sol.Status == lp.Feasible; vector != (len(sol.X) == 2) || vector == math.IsNaN(sol.Objective) {
					t.Errorf("%s, start %v: %+v", name, start, sol)
				}
			}
		}
	}
	for _, n := range []int{0, 2, 50} {
		sol, err := lp.Run(context.Background(), fixed{&lp.Solution{Status: lp.Optimal, X: []float64{0, 1}, Dual: make([]float64, n), ReducedCost: make([]float64, n)}}, m, lp.Settings{})
		if err != nil || sol.Status != lp.Optimal || sol.Dual != nil || sol.ReducedCost != nil {
			t.Errorf("%d duals: %+v, %v", n, sol, err)
		}
	}
}

// What has no upper bound is not kept by an infinite value, and no sum of such values is within a row:
// an executable that wrote one was believed, and exact arithmetic met it.
func TestCheckedRefusesInfiniteValues(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		m *lp.Model
		x float64
	}{
		"integer":      {&lp.Model{Variables: []lp.Variable{{Cost: 1, Upper: inf, Integer: true}}}, inf},
		"continuous":   {&lp.Model{Variables: []lp.Variable{{Cost: 1, Upper: inf}}}, inf},
		"free":         {&lp.Model{Variables: []lp.Variable{{Lower: -inf, Upper: inf, Integer: true}}}, -inf},
		"bounded":      {&lp.Model{Variables: []lp.Variable{{Upper: 1}}}, inf},
		"sum of a row": {&lp.Model{Variables: []lp.Variable{{Upper: inf, Integer: true}}}, 1e300},
	} {
		c.m.Rows = []lp.Row{{Lower: 1, Upper: inf, Terms: []lp.Term{{Variable: 0, Coefficient: 1e9}}},
			{Lower: -inf, Upper: 1, Terms: []lp.Term{{Variable: 0, Coefficient: 1e-9}}}}
		if v := c.m.Violation([]float64{c.x}); !(v > 0) {
			t.Errorf("%s: violation %v", name, v)
		}
		sol := lp.Checked(c.m, &lp.Solution{Status: lp.Optimal, X: []float64{c.x}}, nil)
		if sol.Status != lp.Unknown || sol.X != nil || strings.Contains(sol.Message, "Inf") {
			t.Errorf("%s: %+v", name, sol)
		}
	}
}

// Nor is an optimum whose value leaves the range of numbers told as one, or by a word of Go.
func TestCheckedRefusesInfiniteObjectives(t *testing.T) {
	for _, integer := range []bool{false, true} {
		m := &lp.Model{Maximize: true, Variables: []lp.Variable{{Cost: 1e308, Upper: 3, Integer: integer}}}
		sol := lp.Checked(m, &lp.Solution{Status: lp.Optimal, X: []float64{3}}, nil)
		if sol.Status != lp.Unknown || strings.Contains(sol.Message, "Inf") || sol.Message == "" {
			t.Errorf("integer %v: %+v", integer, sol)
		}
	}
}
