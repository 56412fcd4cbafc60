// Package lptest is the conformance suite of package lp: what every
// [lp.Solver] must do. A backend calls [Run] from a test of its own.
package lptest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/capplan/capplan/lp"
)

// Run tests a solver: models whose answer is known by hand, status and reason
// told apart, duals by strong duality, starts, limits, and models that mean
// nothing. It takes some seconds, in limits that the backend must keep.
func Run(t *testing.T, s lp.Solver) {
	for _, c := range models {
		t.Run(c.name, func(t *testing.T) {
			sol := solve(t, s, &c.model, lp.Settings{})
			known := false
			for _, want := range c.status {
				known = known || sol.Status == want
			}
			if !known || sol.Reason != lp.Finished {
				t.Fatalf("%s, %s (%s), want %v", sol.Status, sol.Reason, sol.Message, c.status)
			}
			if sol.Status == lp.Optimal {
				optimal(t, sol, c.objective)
			}
			if sol.Dual != nil && c.dual != nil {
				for i, y := range c.dual {
					if math.Abs(sol.Dual[i]-y) > 1e-6 {
						t.Errorf("dual = %v, want %v", sol.Dual, c.dual)
						break
					}
				}
			}
		})
	}
	for _, integer := range []bool{false, true} {
		m, least := assignment(12, integer)
		t.Run("assignment", func(t *testing.T) { optimal(t, solve(t, s, m, lp.Settings{}), least) })
		m.Maximize, m.Offset = true, 1000 // sorted alike
		t.Run("assignment", func(t *testing.T) { optimal(t, solve(t, s, m, lp.Settings{}), 1000+12*13*25/6) })
	}
	t.Run("start", func(t *testing.T) { start(t, s) })
	t.Run("limits", func(t *testing.T) { limits(t, s) })
	t.Run("no model", func(t *testing.T) { noModel(t, s) })
}

// solve checks what holds for every answer.
func solve(t *testing.T, s lp.Solver, m *lp.Model, settings lp.Settings) *lp.Solution {
	t.Helper()
	before := copyOf(m)
	sol, err := s.Solve(context.Background(), m, settings)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(before, m) {
		t.Error("the solver changed the caller's model")
	}
	consistent(t, m, sol)
	return sol
}

func copyOf(m *lp.Model) *lp.Model {
	c := *m
	c.Variables = append([]lp.Variable(nil), m.Variables...)
	c.Rows = append([]lp.Row(nil), m.Rows...)
	for i := range c.Rows {
		c.Rows[i].Terms = append([]lp.Term(nil), m.Rows[i].Terms...)
	}
	return &c
}

// consistent tests that the parts of an answer do not contradict each other.
func consistent(t *testing.T, m *lp.Model, sol *lp.Solution) {
	t.Helper()
	has := sol.Status == lp.Optimal || sol.Status == lp.Feasible
	if has != (sol.X != nil) || has == math.IsNaN(sol.Objective) {
		t.Fatalf("status %s with the vector %v and objective %v", sol.Status, sol.X, sol.Objective)
	}
	if !has {
		if sol.Dual != nil || sol.ReducedCost != nil {
			t.Errorf("status %s with duals", sol.Status)
		}
		return
	}
	if v := m.Violation(sol.X); v > 1e-6 {
		t.Errorf("the vector violates the model by %v", v)
	}
	slack := 1e-6 * (1 + math.Abs(sol.Objective))
	if worse := sol.Bound - sol.Objective; (m.Maximize && worse < -slack) || (!m.Maximize && worse > slack) {
		t.Errorf("bound %v is passed by the objective %v", sol.Bound, sol.Objective)
	}
	if sol.Dual != nil && sol.Status == lp.Optimal {
		duality(t, m, sol)
	}
}

// duality tests that the dual values prove the objective: each pays for the
// side of its row or bound that holds, none for a side that is not there.
func duality(t *testing.T, m *lp.Model, sol *lp.Solution) {
	t.Helper()
	sign, total, scale := 1.0, m.Offset, 1.0
	if m.Maximize {
		sign = -1
	}
	pay := func(what string, i int, dual, lower, upper float64) {
		side := lower
		if sign*dual < 0 {
			side = upper
		}
		switch {
		case math.Abs(dual) < 1e-9:
		case math.IsInf(side, 0):
			if math.Abs(dual) > 1e-6 {
				t.Errorf("%s %d: dual %v on a side without a bound", what, i, dual)
			}
		default:
			total += dual * side
			scale = math.Max(scale, math.Abs(dual*side))
		}
	}
	for i, r := range m.Rows {
		pay("row", i, sol.Dual[i], r.Lower, r.Upper)
	}
	for j, v := range m.Variables {
		pay("variable", j, sol.ReducedCost[j], v.Lower, v.Upper)
	}
	if math.Abs(total-sol.Objective) > 1e-6*scale {
		t.Errorf("duals %v and reduced costs %v prove %v, the objective is %v",
			sol.Dual, sol.ReducedCost, total, sol.Objective)
	}
}

// optimal tests an answer whose objective is known.
func optimal(t *testing.T, sol *lp.Solution, objective float64) {
	t.Helper()
	if sol.Status != lp.Optimal || sol.Reason != lp.Finished {
		t.Fatalf("%s, %s (%s), want optimal", sol.Status, sol.Reason, sol.Message)
	}
	slack := 1e-6 * (1 + math.Abs(objective))
	if math.Abs(sol.Objective-objective) > slack {
		t.Errorf("objective = %v, want %v", sol.Objective, objective)
	}
	if !(math.Abs(sol.Bound-sol.Objective) <= slack) {
		t.Errorf("bound = %v at the optimum %v", sol.Bound, sol.Objective)
	}
}

// start tests that a vector to begin from does no harm, whatever it is.
func start(t *testing.T, s lp.Solver) {
	m, least := assignment(6, true)
	diagonal := make([]float64, len(m.Variables))
	for i := range 6 {
		diagonal[7*i] = 1
	}
	broken := append([]float64(nil), diagonal...)
	broken[1] = 1
	for _, x := range [][]float64{diagonal, broken, {1}, make([]float64, len(m.Variables))} {
		optimal(t, solve(t, s, m, lp.Settings{Start: x}), least)
	}
	relaxed, least := assignment(6, false)
	optimal(t, solve(t, s, relaxed, lp.Settings{Start: diagonal}), least)
}

// limits tests a model that cannot be finished: the answer says why it
// stopped, and is no worse than the start.
func limits(t *testing.T, s lp.Solver) {
	m, x := marketSplit()
	at := m.Objective(x)
	sol := solve(t, s, m, lp.Settings{TimeLimit: 400 * time.Millisecond, Start: x})
	if sol.Status != lp.Feasible || (sol.Reason != lp.TimeLimit && sol.Reason != lp.NodeLimit) || sol.Objective > at {
		t.Errorf("time limit: %s, %s, objective %v from a start of %v (%s)",
			sol.Status, sol.Reason, sol.Objective, at, sol.Message)
	}
	if math.IsInf(sol.Bound, 0) {
		t.Errorf("time limit: bound %v", sol.Bound)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	sol, err := s.Solve(ctx, m, lp.Settings{Start: x})
	if err != nil {
		t.Fatal(err)
	}
	consistent(t, m, sol)
	if sol.Status != lp.Feasible || sol.Reason != lp.Interrupted || sol.Objective > at {
		t.Errorf("context: %s, %s, objective %v from a start of %v (%s)",
			sol.Status, sol.Reason, sol.Objective, at, sol.Message)
	}
	small, _ := assignment(6, false)
	if sol, err = s.Solve(ctx, small, lp.Settings{}); err != nil || sol.Reason != lp.Interrupted ||
		sol.Status != lp.Unknown {
		t.Errorf("ended context: %+v, %v", sol, err)
	}
}

// noModel tests what means nothing.
func noModel(t *testing.T, s lp.Solver) {
	for _, m := range []*lp.Model{
		{Variables: []lp.Variable{{Cost: math.NaN(), Upper: 1}}},
		{Variables: []lp.Variable{{Upper: math.NaN()}}},
		{Variables: []lp.Variable{{Upper: 1}},
			Rows: []lp.Row{{Upper: 1, Terms: []lp.Term{{Variable: 1, Coefficient: 1}}}}},
		{Variables: []lp.Variable{{Upper: 1}},
			Rows: []lp.Row{{Upper: 1, Terms: []lp.Term{{Variable: 0, Coefficient: 1}, {Variable: 0, Coefficient: 1}}}}},
	} {
		var e *lp.ModelError
		if _, err := s.Solve(context.Background(), m, lp.Settings{}); !errors.As(err, &e) {
			t.Errorf("%+v: err = %v, want a *ModelError", m, err)
		}
	}
}
