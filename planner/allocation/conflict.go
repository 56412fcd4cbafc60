package allocation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/lp"
)

// A RowConflict is by how much a row must give way. Its unit is that of the row.
type RowConflict struct {
	Row  string  `json:"row"`
	Miss float64 `json:"miss"`
}

// A conflict is what the least sum by which rows give way shows about a model that is called
// infeasible.
type conflict struct {
	rows  []RowConflict // nil where it cannot be told, none where only integrality is in the way
	by    lp.Proof      // what shows that they must; empty: that solver's word
	point []float64     // at which they give way by so much, by variable of the model
}

// sureMiss is how much rows must give way, of the greatest side of a row, for a
// contradiction and not the tolerance of a solver, keptMiss how much a vector may break
// the model that keeps to it: that tolerance.
const (
	sureMiss = 1e-5
	keptMiss = 1e-6
)

// contradicted returns what is known of a model that a solver calls infeasible. Where
// that is no more than its word, the least by which rows must give way shows it, or is
// nothing and shows that it is wrong.
func (a *ModelAnswer) contradicted(sol *lp.Solution, c conflict) *lp.Solution {
	if sol.Proof == lp.ByWord {
		if c.point != nil && a.Model.Violation(c.point) <= keptMiss {
			return lp.None(lp.Numerical, lp.Unknown,
				"called infeasible, but a vector that the solver itself finds keeps every row")
		}
		if c.by != "" {
			sol.Proof = c.by
		}
	}
	a.Conflict = c.rows
	return sol
}

// mustGive finds the rows that must give way: the least sum over rows, integrality
// left aside. It is the elastic program: each row gets variables that make up what it
// misses, and their sum is made least.
func mustGive(ctx context.Context, s lp.Solver, m *lp.Model, settings lp.Settings) conflict {
	e := &lp.Model{Variables: slices.Clone(m.Variables)}
	for j := range e.Variables {
		if e.Variables[j].Cost, e.Variables[j].Integer = 0, false; e.Variables[j].Lower > e.Variables[j].Upper {
			return contradicting("bounds of "+e.Variables[j].Name, e.Variables[j].Lower-e.Variables[j].Upper)
		}
	}
	type slack struct{ row, variable int }
	var slacks []slack
	greatest := 1.0 // of the sides
	for i, r := range m.Rows {
		if r.Lower > r.Upper {
			return contradicting(r.Name, r.Lower-r.Upper)
		}
		r.Terms = slices.Clone(r.Terms)
		add := func(side, sign float64) {
			if math.IsInf(side, 0) {
				return
			}
			greatest = max(greatest, math.Abs(side))
			slacks = append(slacks, slack{i, len(e.Variables)})
			r.Terms = append(r.Terms, lp.Term{Variable: len(e.Variables), Coefficient: sign})
			e.Variables = append(e.Variables,
				lp.Variable{Name: fmt.Sprintf(" slack %d", len(slacks)), Cost: 1, Upper: math.Inf(1)})
		}
		add(r.Lower, 1)
		add(r.Upper, -1)
		e.Rows = append(e.Rows, r)
	}
	sol, err := lp.Run(ctx, s, e, settings)
	if err != nil || sol.Status != lp.Optimal {
		return conflict{}
	}
	c := conflict{rows: []RowConflict{}, point: sol.X[:len(m.Variables)]}
	all := 0.0
	for _, k := range slacks {
		// The tolerance is that of solvers, below which a row counts as kept.
		if v := sol.X[k.variable]; v > 1e-7 {
			c.rows, all = append(c.rows, RowConflict{m.Rows[k.row].Name, v}), all+v
		}
	}
	switch {
	case !(all > sureMiss*greatest):
	case sol.Proof == lp.ByExact:
		c.by = lp.ByExact
	case sol.Proof != lp.ByWord: // dual values of this optimum are such weights
		c.by = lp.ByWeights
	}
	return c
}

// contradicting is two bounds that leave nothing between them.
func contradicting(what string, by float64) conflict {
	return conflict{rows: []RowConflict{{what, by}}, by: lp.ByExact}
}
