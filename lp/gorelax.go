package lp

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// mostPatience is what a model that the simplex method may not end on is waited for, in
// seconds: whoever would wait longer is better served by another solver, as the advice says.
// With the exact arithmetic behind it, of two seconds, no answer takes ten.
const mostPatience = 6

// patience is how long the simplex method may take for a linear program, for
// gonum's can cycle: some hundred times what it should take, which is m + n
// pivots of m³ each, between one second and mostPatience.
func patience(rows, columns int) time.Duration {
	m := float64(rows)
	seconds := 100 * (m + float64(columns)) * m * m * m / 1e9
	return time.Duration(math.Max(1, math.Min(mostPatience, seconds)) * float64(time.Second))
}

// smallSize is the size of a tableau, in entries, to which exact arithmetic is
// asked first: it takes a millisecond there, as gonum's method does.
const smallSize = 2000

// relax solves the linear relaxation of a minimizing model. A small one is solved
// exactly: of rows that nearly repeat each other the last digits matter, which
// floating point does not see at all. Of others, what the simplex method says is
// believed where a basis proves it; else exact arithmetic decides, and where that
// is too much work the answer is Unknown.
func relax(ctx context.Context, m *Model, most int) (*Solution, error) {
	rows, columns := standardSize(m)
	if rows*(columns+rows) > float64(most) {
		return nil, &SizeError{"go", int(rows), int(columns), most}
	}
	exact, asked := exactAnswer{status: Unknown}, (rows+2)*(columns+1) <= smallSize && ctx.Err() == nil
	if asked {
		if exact = exactly(ctx, m); exact.status == Optimal || exact.status == Unbounded {
			return settled(m, nil, exact), nil
		}
	}
	s, ray, err := newStandard(m)
	if err != nil {
		return shown(Infeasible, ByWeights, "bounds or a single row contradict each other"), nil
	}
	solve := s.solve
	if !s.reduce(ctx) {
		solve = func() ([]float64, Status, string) { return s.contradicted("equations contradict each other") }
	}
	said, level := s.answer(ctx, solve, ray)
	if said.Status == Infeasible {
		s.doubt = 0 // the rows that are left contradict each other by themselves
	}
	if level == proven && s.doubt == 0 && !asked {
		return said, nil
	}
	if ctx.Err() != nil {
		return None(Interrupted, Unknown, ""), nil
	}
	if !asked {
		exact = exactly(ctx, m)
	}
	if ctx.Err() != nil {
		return None(Interrupted, Unknown, ""), nil
	}
	if exact.status == Unknown && level >= likely && s.doubt <= 1e-13 {
		return said, nil
	}
	return settled(m, said, exact), nil
}

// settled returns what holds of an answer in floating point that nothing proves,
// which is not looked at where exact arithmetic has an optimum or a ray, and one
// of exact arithmetic.
func settled(m *Model, said *Solution, exact exactAnswer) *Solution {
	switch exact.status {
	case Optimal:
		return &Solution{Reason: Finished, Status: Optimal, X: exact.x, Bound: math.NaN()}
	case Unbounded:
		return shown(Unbounded, ByExact, "")
	case Infeasible:
		// Numbers that were rounded contradict each other by their last digits.
		const rounded = 1e-9
		if said.Status == Optimal && m.Violation(said.X) <= rounded {
			return said
		}
		if said.Status == Optimal && m.Violation(said.X) <= tolerance {
			return None(Numerical, Unknown,
				"rows contradict each other, but by so little that rounding may hide it")
		}
		return shown(Infeasible, ByExact, said.Message)
	}
	switch said.Status {
	case Infeasible:
		return None(Numerical, Unknown, "the simplex method found no feasible vector, but nothing proves that there is none")
	case Unbounded:
		return None(Numerical, Unknown, "the simplex method found the objective unbounded, but nothing proves it")
	case Optimal:
		return None(Numerical, Unknown, fmt.Sprintf("the simplex method found %.6g, but no dual values prove it optimal:"+
			" rows or columns nearly depend on each other, or coefficients are too far apart", m.Objective(said.X)))
	}
	return said
}

// answer runs the simplex method by solve and says how far its answer is proven.
func (s *standard) answer(ctx context.Context, solve func() ([]float64, Status, string), ray bool) (
	said *Solution, level int) {
	type result struct {
		y       []float64
		status  Status
		message string
	}
	// gonum cannot be interrupted: when the context ends first, its goroutine
	// goes on alone until it is done.
	task := parallel.Start(func() result {
		y, status, message := solve()
		return result{y, status, message}
	})
	limit := patience(len(s.rows), s.n)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-timer.C:
		return None(Numerical, Unknown, fmt.Sprintf("the simplex method did not end within %v",
			limit.Round(time.Second))), unproven
	case <-ctx.Done():
		return None(Interrupted, Unknown, ""), proven
	case <-task.Done():
	}
	r := task.Value()
	switch {
	case r.status == Unknown:
		return None(Numerical, Unknown, r.message), unproven
	case r.status == Infeasible:
		return shown(r.status, ByWeights, r.message), s.contradiction(ctx, r.y)
	case r.y == nil:
		return None(Finished, r.status, r.message), unproven
	case ray:
		return shown(Unbounded, ByRay, "a variable without rows"), proven
	}
	said = &Solution{Reason: Finished, Status: Optimal, X: s.point(r.y), Bound: math.NaN()}
	if len(s.rows) == 0 {
		return said, proven
	}
	return said, s.proof(ctx, r.y)
}
