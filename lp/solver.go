package lp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// A Reason says why a solver stopped.
type Reason string

const (
	Finished    Reason = "finished"     // it came to its end
	TimeLimit   Reason = "time limit"   //
	NodeLimit   Reason = "node limit"   // of branch and bound
	Interrupted Reason = "interrupted"  // the context ended
	Numerical   Reason = "numerical"    // the method broke down
	OtherReason Reason = "other reason" // the backend does not say
)

// A Status says what is known of the model, and what Solution.X means.
type Status string

const (
	Optimal               Status = "optimal"                 // X is an optimum
	Feasible              Status = "feasible"                // X is feasible; Bound says how good the optimum can be at most
	Infeasible            Status = "infeasible"              // there is no X
	Unbounded             Status = "unbounded"               // the objective has no limit; no X
	InfeasibleOrUnbounded Status = "infeasible or unbounded" // one of the two; no X
	Unknown               Status = "unknown"                 // nothing is known; no X
)

// A Solution is the answer of a solver.
type Solution struct {
	Reason    Reason
	Status    Status
	Objective float64   // at X; NaN without X
	Bound     float64   // no solution is better than this; NaN when not known
	X         []float64 // nil unless Status is Optimal or Feasible
	Dual      []float64 // by row, d objective / d right side; nil when the backend has none
	Message   string    // in the words of the backend
}

// Settings limit a solver. The zero value means no limits and the defaults.
type Settings struct {
	TimeLimit time.Duration // 0 means none
	Nodes     int           // of branch and bound; 0 means the backend's default
	Gap       float64       // relative gap at which an integer solution is called optimal; 0 means 1e-9
}

func (s Settings) gap() float64 {
	if s.Gap == 0 {
		return 1e-9
	}
	return s.Gap
}

// A Solver solves models. The error is for a model that means nothing
// (*ModelError) or is too large (*SizeError) and for a backend that cannot be
// run; infeasibility, limits and numerical trouble are answers.
type Solver interface {
	Name() string
	Solve(ctx context.Context, m *Model, s Settings) (*Solution, error)
}

// ErrNoSolver says that a backend is not installed.
var ErrNoSolver = errors.New("lp: no such solver")

// A SizeError says that a model is too large for a backend.
type SizeError struct {
	Solver        string
	Rows, Columns int // in the backend's form
	Most          int // rows × columns
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("lp: %s: %d rows × %d columns, want a product of at most %d", e.Solver, e.Rows, e.Columns, e.Most)
}

// tolerance is the greatest [Model.Violation] of a vector that is called
// feasible.
const tolerance = 1e-6

// without returns a solution that has no vector.
func without(r Reason, s Status, message string) *Solution {
	return &Solution{Reason: r, Status: s, Objective: math.NaN(), Bound: math.NaN(), Message: message}
}

// accept returns the solution when its vector is feasible for the model, and
// else one that says the backend's answer cannot be used.
func accept(m *Model, s *Solution) *Solution {
	if s.X == nil {
		return s
	}
	for j, v := range m.Variables {
		if v.Integer && math.Abs(s.X[j]-math.Round(s.X[j])) <= tolerance {
			s.X[j] = math.Round(s.X[j])
		}
	}
	if e := m.Violation(s.X); e > tolerance {
		return without(Numerical, Unknown, fmt.Sprintf("the vector breaks the model by %.3g (%s)", e, s.Message))
	}
	s.Objective = m.Objective(s.X)
	if s.Status == Optimal && math.IsNaN(s.Bound) {
		s.Bound = s.Objective
	}
	return s
}
