package alloc

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/lp"
)

// Model returns the choice of all primaries as one explicit program, with
// optional admission, base fees, prices and the budget: the variables and rows
// of [System.PrimaryModel] for each dependency, one more variable for each job,
// 1 when it is served, which the sum of its levels of each dependency equals,
// and a row for the budget. A variable of a job's admission has the choice of
// level 0; deps tells the dependency of the others. A system that [New] did not
// return has an empty one.
func (s *System) Model() (m *lp.Model, choices []ModelChoice, deps []int) {
	if s.made("Model") != nil {
		return &lp.Model{}, nil, nil
	}
	m = &lp.Model{Name: "allocation", Maximize: true}
	budget := lp.Row{Lower: math.Inf(-1), Upper: s.budget()}
	for b := range s.Batch.Jobs {
		v := lp.Variable{Lower: 1, Upper: 1, Integer: true}
		if s.optional != nil && s.optional[b] {
			v.Lower = 0
		}
		if s.fee != nil {
			v.Cost = float64(s.fee[b])
		}
		m.Variables, choices, deps = append(m.Variables, v), append(choices, ModelChoice{b, none}), append(deps, -1)
	}
	for i := range s.deps {
		d := &s.deps[i]
		part, own := s.primaryModel(d)
		shift, rows := len(m.Variables), len(m.Rows)
		m.Variables, choices = append(m.Variables, part.Variables...), append(choices, own...)
		for v, c := range own {
			deps = append(deps, i)
			if d.price == nil {
				continue
			}
			k := d.at[c.Job]
			if spent := d.price[d.local[c.Resource]] * float64(d.demand[d.first[k]+c.Level-1]); spent > 0 {
				budget.Terms = append(budget.Terms, lp.Term{Variable: shift + v, Coefficient: spent})
			}
		}
		m.Rows = append(m.Rows, part.Rows...)
		for r := rows; r < len(m.Rows); r++ {
			for t := range m.Rows[r].Terms {
				m.Rows[r].Terms[t].Variable += shift
			}
		}
		for k, b := range d.job {
			row := &m.Rows[rows+k]
			row.Lower, row.Upper = 0, 0
			row.Terms = append(row.Terms, lp.Term{Variable: int(b), Coefficient: -1})
		}
	}
	if s.Batch.Budget != nil {
		m.Rows = append(m.Rows, budget)
	}
	return m, choices, deps
}

// improveTied is improve for the whole of a batch whose dependencies are tied.
func (s *System) improveTied(ctx context.Context, solver lp.Solver, limit time.Duration, plan *Plan) error {
	if plan.Optimal || ctx.Err() != nil {
		return nil
	}
	cells := 0.0
	for i := range s.deps {
		cells += s.deps[i].primaryProblem().cells()
	}
	if cells > MaxSolverCells {
		plan.Open = []string{tooLarge(cells)}
		return nil
	}
	if deadline, ok := ctx.Deadline(); ok {
		limit = max(time.Until(deadline), time.Millisecond)
	}
	m, choices, deps := s.Model()
	start := make([]float64, len(choices))
	for v, c := range choices {
		if i := deps[v]; i >= 0 && plan.Choices[i][c.Job] == c.Choice {
			start[v], start[c.Job] = 1, 1
		} else if i < 0 && m.Variables[v].Lower == 1 {
			start[v] = 1
		}
	}
	sol, err := lp.Run(ctx, solver, m, lp.Settings{TimeLimit: limit, Start: start})
	if err != nil {
		return fmt.Errorf("alloc: Allocate: exact: %w", err)
	}
	if sol.X != nil && sol.Objective > plan.Net+1e-9*math.Abs(plan.Net) {
		found := s.empty()
		for v, x := range sol.X {
			if x > 0.5 && deps[v] >= 0 {
				found[deps[v]][choices[v].Job] = choices[v].Choice
			}
		}
		// A solver's tolerances are not ours: what breaks a rule is left.
		if r := Verify(s.Batch, found, nil, true); r.Feasible && float64(r.Revenue)-r.Spending > plan.Net {
			plan.Choices = found
			for i := range s.deps {
				d := s.describe(&s.deps[i], found[i])
				d.Bound = plan.Dependencies[i].Bound
				d.Gap = gap(d.Bound, d.Net)
				plan.Dependencies[i] = d
			}
		}
	}
	if sol.Status != lp.Optimal {
		plan.Open = []string{openBecause(ctx, sol)}
	}
	plan.solver = math.Inf(1)
	if !math.IsNaN(sol.Bound) {
		plan.solver = sol.Bound + 1e-6*math.Max(1, math.Abs(sol.Bound)*1e-3)
	}
	return nil
}
