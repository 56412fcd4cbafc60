package lp_test

import (
	"context"
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

// Whatever a backend returns, what [lp.Run] hands on fits the model.
func TestRunTrustsNoShape(t *testing.T) {
	m := &lp.Model{
		Variables: []lp.Variable{{Upper: 1, Integer: true}, {Cost: -1, Upper: 1}},
		Rows:      []lp.Row{{Upper: 1, Terms: []lp.Term{{Variable: 1, Coefficient: 1}}}},
	}
	nan, inf := math.NaN(), math.Inf(1)
	for name, a := range map[string]*lp.Solution{
		"nil":               nil,
		"empty":             {},
		"no vector":         {Status: lp.Optimal},
		"short vector":      {Status: lp.Optimal, X: []float64{1}},
		"empty vector":      {Status: lp.Feasible, X: []float64{}},
		"long vector":       {Status: lp.Optimal, X: make([]float64, 99)},
		"NaN":               {Status: lp.Optimal, X: []float64{nan, nan}, Bound: nan},
		"infinite":          {Status: lp.Optimal, X: []float64{0, inf}, Bound: -inf},
		"unknown with one":  {Status: lp.Unknown, X: []float64{0, 1}},
		"another status":    {Status: "\x1b[2J", X: []float64{0, 1}},
		"infeasible vector": {Status: lp.Infeasible, X: []float64{1}},
	} {
		for _, start := range [][]float64{nil, {1, 1}, {1}} {
			sol, err := lp.Run(context.Background(), fixed{a}, m, lp.Settings{Start: start})
			if err != nil || sol == nil {
				t.Fatalf("%s: %v, %v", name, sol, err)
			}
			if vector := sol.Status == lp.Optimal || sol.Status == lp.Feasible; vector != (len(sol.X) == 2) || vector == math.IsNaN(sol.Objective) {
				t.Errorf("%s, start %v: %+v", name, start, sol)
			}
			if strings.Contains(sol.Message, "\x1b") {
				t.Errorf("%s: message %q", name, sol.Message)
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
