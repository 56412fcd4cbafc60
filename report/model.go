package report

import (
	"strconv"

	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// shownValues is how many values of a solution are shown. The CSV has all values.
const shownValues = 40

// Model says what is known of a linear or mixed-integer program. It leads with the objective and
// whether it is proven. Duals and reduced costs stand beside rows and variables where the solver
// gives them.
func Model(a *allocation.ModelAnswer) *page.Section {
	s := page.New("lp", "What is the optimum?", nil, a.Explanation, modelData(a))
	kind := "minimum"
	if a.Maximize {
		kind = "maximum"
	}
	// Why the solver stopped is separate from what the values are: a feasible solution at a time
	// limit is not an optimum.
	switch a.Status {
	case lp.Optimal:
		s.Say("optimal: %s %s", kind, say.Optional(a.Objective, nineDigits))
	case lp.Feasible:
		s.Say("feasible: objective %s, the %s was not reached", say.Optional(a.Objective, nineDigits), kind)
	default:
		s.Say("%s", a.Status)
	}
	s.Fact("stopped", string(a.Reason), a.Message)
	s.Fact("bound", say.Optional(a.Bound, nineDigits), kind+" at best")
	s.Fact("gap", say.Maybe(a.Gap, say.Fraction, 3))
	if a.Proof != "" {
		s.Fact("shown by", string(a.Proof))
	}
	integers := ""
	if a.Integers > 0 {
		integers = say.Plural(a.Integers, "integer")
	}
	s.Fact("solver", a.Solver)
	s.Fact("variables", strconv.Itoa(a.Variables), integers)
	s.Fact("rows", strconv.Itoa(a.Rows))
	addConflict(s, a)
	sol := a.Computed
	// A solver that found infeasibility has no values.
	if sol.X != nil {
		t := s.Table("variable", "value")
		t.MoreIn = "csv"
		if sol.ReducedCost != nil {
			t.Head = append(t.Head, "reduced cost")
		}
		for j, v := range a.Model.Variables {
			// Fits counts what it has no room for, so that the loop goes on.
			if !t.Fits(shownValues) {
				continue
			}
			row := []string{v.Name, nineDigits(sol.X[j])}
			if sol.ReducedCost != nil {
				row = append(row, nineDigits(sol.ReducedCost[j]))
			}
			t.Line(row...)
		}
	}
	if sol.Dual != nil {
		t := s.Table("row", "dual")
		t.MoreIn = "csv"
		for i, r := range a.Model.Rows {
			if t.Fits(shownValues) {
				t.Row(r.Name, nineDigits(sol.Dual[i]))
			}
		}
	}
	return s
}

// addConflict names the rows of an infeasible model that must give way. Such rows come of the
// relaxation, so that a model that is infeasible in whole numbers only has none.
func addConflict(s *page.Section, a *allocation.ModelAnswer) {
	switch {
	case a.Status != lp.Infeasible || a.Conflict == nil:
	case len(a.Conflict) == 0:
		s.Parts = append(s.Parts,
			page.Part{Facts: []page.Fact{{Label: "conflict",
				Value: "no solution in whole numbers; there is one in fractions"}}})
	default:
		t := s.Table("must give way", "by at least")
		t.MoreIn = "csv"
		for _, c := range a.Conflict {
			if t.Fits(shownValues) {
				t.Row(c.Row, say.Number(c.Miss, 7))
			}
		}
	}
}

// nineDigits is the precision to which solvers agree at their usual tolerances of 1e-9. More digits
// would differ from solver to solver.
func nineDigits(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

// modelData is a row for each variable and row; of an answer without a solution
// its scalar figures. Variables and rows stand in one table, told apart by the column kind.
func modelData(a *allocation.ModelAnswer) page.Data {
	sol := a.Computed
	if sol.X == nil {
		return page.Scalars(a)
	}
	rows := [][]string{{"kind", "name", "value", "dual"}}
	for j, v := range a.Model.Variables {
		// Adding 0 makes a 0 of a −0, which solvers return and people would ask about.
		row := []string{"variable", v.Name, say.Plain(sol.X[j] + 0), ""}
		if sol.ReducedCost != nil {
			row[3] = say.Plain(sol.ReducedCost[j] + 0)
		}
		rows = append(rows, row)
	}
	for i, r := range a.Model.Rows {
		value := 0.0
		// The value of a row is computed here from the solution, not taken from the solver.
		for _, t := range r.Terms {
			value += t.Coefficient * sol.X[t.Variable]
		}
		row := []string{"row", r.Name, say.Plain(value + 0), ""}
		if sol.Dual != nil {
			row[3] = say.Plain(sol.Dual[i] + 0)
		}
		rows = append(rows, row)
	}
	return page.Rows("lp", rows)
}
