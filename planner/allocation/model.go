package allocation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A ModelQuestion asks for the optimum of a linear or mixed-integer program.
type ModelQuestion struct {
	Model  *lp.Model    `json:"-"` // names are made up where there are none
	Solver *NamedSolver `json:"-"`
	// above 0; nil: an hour, and 8 s of the solver go where variables are integer
	TimeLimit *units.Duration `json:"time_limit_s,omitempty"`
	// relative, at which an integer solution counts as optimal; nil: 1e-9
	Gap     *units.Fraction `json:"gap,omitempty"`
	Explain bool            `json:"explain,omitempty"`
}

// A ModelAnswer says in two statements why the solver stopped and what is
// known of the model. Figures that are not known are null. Both are needed: a
// solver may stop for want of time with a solution in hand, or finish without
// one.
type ModelAnswer struct {
	// what is known: "optimal", "feasible", "infeasible", "unbounded", "infeasible or unbounded",
	// "unknown"
	Status lp.Status `json:"status"`
	// why it stopped: "finished", "time limit", "node limit", "interrupted", "numerical", "other
	// reason"
	Reason lp.Reason `json:"reason"`
	// Objective is that of the solution, Bound what no solution betters, Gap
	// |bound − objective|/|objective|.
	Objective *float64 `json:"objective"`
	Bound     *float64 `json:"bound"`
	Gap       *float64 `json:"gap"`
	// what shows the status: "exact arithmetic", "a basis", "dual values", "weights of the rows" of an
	// infeasible model, "a ray" of an unbounded one, "the solver's word"; "" where none is known
	Proof lp.Proof `json:"proof"`
	// Solver is the one that answered.
	Solver       string `json:"solver"`
	Message      string `json:"message"` // in the solver's words
	Advice       string `json:"advice"`  // what to try where nothing was found out; else ""
	Name         string `json:"name"`
	Maximize     bool   `json:"maximize"`
	Variables    int    `json:"variables"`
	Integers     int    `json:"integers"` // of the variables
	Rows         int    `json:"rows"`
	Coefficients int    `json:"coefficients"`
	// Solution is by variable, Dual by row (d objective / d right side),
	// ReducedCost by variable (d objective / d bound).
	Solution    map[string]float64 `json:"solution"`
	Dual        map[string]float64 `json:"dual"`
	ReducedCost map[string]float64 `json:"reduced_cost"`
	// Conflict says, of an infeasible model, by how much which rows must give
	// way at least: the least sum over rows, integrality left aside.
	Conflict []RowConflict `json:"conflict"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`

	Model    *lp.Model    `json:"-"` // with all names
	Computed *lp.Solution `json:"-"` // in the model's order
}

// Solve answers a ModelQuestion. Infeasible and unbounded models are
// answers. Errors: *ask.InputError for a model or a solver that cannot be used.
func Solve(ctx context.Context, q *ModelQuestion) (*ModelAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	switch {
	case q.Model == nil:
		return nil, ask.Missing("model", "a linear or mixed-integer program")
	case q.Solver == nil || q.Solver.Solver == nil:
		return nil, ask.Missing("solver", "one such as FindSolver returns")
	}
	settings := lp.Settings{Gap: float64(ask.Value(q.Gap))}
	if q.TimeLimit != nil && *q.TimeLimit == 0 {
		return nil, ask.Inputf("time_limit", "is 0, want a time such as 30s")
	}
	settings.TimeLimit = timeLimit(q.TimeLimit)
	// Names are needed by the answer, whose maps have them as keys.
	m, err := q.Model.Named()
	if err == nil {
		err = m.Check()
	}
	if err != nil {
		return nil, solverError(err)
	}
	a := &ModelAnswer{
		Name:      m.Name,
		Maximize:  m.Maximize,
		Solver:    q.Solver.Label,
		Variables: len(m.Variables),
		Rows:      len(m.Rows),
		Model:     m,
	}
	for _, v := range m.Variables {
		if v.Integer {
			a.Integers++
		}
	}
	for _, r := range m.Rows {
		a.Coefficients += len(r.Terms)
	}
	if _, ok := q.Solver.Solver.(lp.Go); ok && q.TimeLimit == nil && a.Integers > 0 {
		settings.TimeLimit = goLimit
	}
	clock := time.Now()
	// left is what is left of the time for another run, at least ten milliseconds
	// in which a small model can be solved.
	left := func() lp.Settings {
		s := settings
		if s.TimeLimit > 0 {
			s.TimeLimit = max(s.TimeLimit-time.Since(clock), 10*time.Millisecond)
		}
		return s
	}
	sol, err := lp.Run(ctx, q.Solver, m, settings)
	if err != nil {
		return nil, solverError(err)
	}
	if sol.Status == lp.InfeasibleOrUnbounded {
		if sol, err = tellApart(ctx, q.Solver, m, sol, left()); err != nil {
			return nil, solverError(err)
		}
	}
	if sol.Status == lp.Infeasible {
		s := left()
		// Which rows are in the way is not worth waiting for much longer than for the answer.
		if most := max(leastForRows, time.Since(clock)/4); s.TimeLimit == 0 || s.TimeLimit > most {
			s.TimeLimit = most
		}
		sol = a.contradicted(sol, mustGive(ctx, q.Solver, m, s))
	}
	a.fill(sol)
	a.Advice = a.advice(q.Solver)
	if q.Explain {
		a.explain()
	}
	return a, nil
}

// goLimit is how long the solver go looks for whole numbers where nobody asks for more: its
// branch and bound may not end, and nobody waits ten seconds without having asked for it.
const goLimit = 8 * time.Second

// leastForRows is how long at least the rows that must give way are looked for.
const leastForRows = 2 * time.Second

// tellApart finds out which of the two a model is, by the same model without an
// objective. A model with a solution whose relaxation is unbounded is unbounded
// itself, its numbers being rational (Meyer 1974).
func tellApart(ctx context.Context, s lp.Solver, m *lp.Model, sol *lp.Solution,
	settings lp.Settings) (*lp.Solution, error) {
	plain := *m
	plain.Variables = slices.Clone(m.Variables)
	for j := range plain.Variables {
		plain.Variables[j].Cost = 0
	}
	second, err := lp.Run(ctx, s, &plain, settings)
	if err != nil {
		return nil, err
	}
	switch second.Status {
	case lp.Optimal, lp.Feasible:
		sol.Status, sol.Proof = lp.Unbounded, lp.ByWord
	case lp.Infeasible:
		sol.Status, sol.Proof = lp.Infeasible, second.Proof
	default:
		sol.Reason = second.Reason
	}
	return sol, nil
}

// fill takes over what the solver found.
func (a *ModelAnswer) fill(sol *lp.Solution) {
	a.Status, a.Reason, a.Message, a.Computed = sol.Status, sol.Reason, sol.Message, sol
	a.Proof = sol.Proof
	a.Objective, a.Bound = ask.Figure(sol.Objective), ask.Figure(sol.Bound)
	if a.Objective != nil && a.Bound != nil {
		a.Gap = ask.Figure(sol.Gap())
	}
	// byVariable names the values of a solution by variable.
	byVariable := func(values []float64) map[string]float64 {
		if values == nil {
			return nil
		}
		all := make(map[string]float64, len(values))
		for j, v := range a.Model.Variables {
			all[v.Name] = values[j] + 0 // no −0
		}
		return all
	}
	a.Solution, a.ReducedCost = byVariable(sol.X), byVariable(sol.ReducedCost)
	if sol.Dual != nil {
		a.Dual = make(map[string]float64, len(sol.Dual))
		for i, r := range a.Model.Rows {
			a.Dual[r.Name] = sol.Dual[i] + 0
		}
	}
}

// explain shows what the two statements rest on.
func (a *ModelAnswer) explain() {
	e := &ask.Explanation{Model: "linear program"}
	if a.Integers > 0 {
		e.Model = "mixed-integer linear program"
	}
	sense := "min"
	if a.Maximize {
		sense = "max"
	}
	e.Step("program", sense+" c₀ + Σ c_j·x_j, L_i ≤ Σ a_ij·x_j ≤ U_i, l_j ≤ x_j ≤ u_j",
		fmt.Sprintf("%s, %d of them integer, %s, %s", fault.Count(a.Variables, "variable"), a.Integers,
			fault.Count(a.Rows, "row"), fault.Count(a.Coefficients, "coefficient")), "the file")
	if a.Objective != nil {
		e.Step("solution", "z = c₀ + Σ c_j·x_j, every row and bound kept to 1e-6 of 1 + its size",
			"z = "+ask.Digits(*a.Objective), "computed from the model, not taken from the solver")
	}
	if a.Gap != nil {
		e.Step("gap", "|bound − z|/|z|",
			ask.Sprintf("|%v − %v|/|%v| = %v", *a.Bound, *a.Objective, *a.Objective, *a.Gap),
			"no solution is better than the bound")
	}
	if a.Dual != nil {
		e.Step("reduced cost", "d_j = c_j − Σ_i a_ij·y_i", "y_i the dual of row i",
			"z = c₀ + Σ y_i·(side of row i) + Σ d_j·(bound of x_j): strong duality")
	}
	a.Explanation = e
}
