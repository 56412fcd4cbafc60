package lp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/capplan/capplan/internal/given"
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
	Optimal Status = "optimal" // X is an optimum
	// X is feasible; Bound says how good the optimum can be at most
	Feasible              Status = "feasible"
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
	// ReducedCost is by variable, its cost less the sum of coefficient × dual
	// over its rows: d objective / d bound. Nil without Dual.
	ReducedCost []float64
	Message     string // in the words of the backend
	// Proof is what shows the status where that is Optimal, Infeasible or Unbounded;
	// empty otherwise. Backends leave it empty, [Checked] sets it.
	Proof Proof
}

// Gap returns how far X can be from the optimum: |Bound − Objective| over
// |Objective|, in which an objective of 0 counts as 1; NaN when one of the two
// is not known.
func (s *Solution) Gap() float64 {
	d := math.Abs(s.Bound - s.Objective)
	if s.Objective == 0 || d == 0 {
		return d
	}
	return d / math.Abs(s.Objective)
}

// Settings limit a solver. The zero value means no limits and the defaults.
type Settings struct {
	TimeLimit time.Duration // 0 means that of the backend, an hour
	Nodes     int           // of branch and bound; 0 means the backend's default
	Gap       float64       // relative gap at which an integer solution is called optimal; 0 means 1e-9
	// Start is a vector to begin from, nil for none. Backends that cannot use it
	// ignore it; when it is feasible no backend returns a worse one.
	Start []float64
}

// RelativeGap returns Gap, or its default.
func (s Settings) RelativeGap() float64 {
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
	return fmt.Sprintf("lp: %s: %d rows × %d columns, want a product of at most %d",
		e.Solver, e.Rows, e.Columns, e.Most)
}

// tolerance is the greatest [Model.Violation] of a vector that is called
// feasible.
const tolerance = 1e-6

// None returns a solution that has no vector. It is for backends.
func None(r Reason, s Status, message string) *Solution {
	return &Solution{Reason: r, Status: s, Objective: math.NaN(), Bound: math.NaN(), Message: message}
}

// Checked returns what a backend found, as all backends return it: integer
// variables whole, the vector feasible for the model by its own arithmetic or
// gone, objective and reduced costs of the model's own numbers, and start in
// place of a vector that is worse. A backend that says what start disproves is
// not believed, nor is an optimum of a linear program against which its own dual
// values and exact arithmetic speak; and of a model that means nothing ([Model.Check]) nothing is.
// It is for backends, whose last step it is; it may change s.
func Checked(m *Model, s *Solution, start []float64) *Solution {
	if err := m.Check(); err != nil {
		return None(OtherReason, Unknown, err.Error())
	}
	s = shaped(m, s)
	if s.X != nil {
		for j, v := range m.Variables {
			if v.Integer && math.Abs(s.X[j]-math.Round(s.X[j])) <= tolerance {
				s.X[j] = math.Round(s.X[j])
			}
		}
		if e := m.Violation(s.X); e > tolerance {
			said := ""
			if s.Message != "" {
				said = " (" + s.Message + ")"
			}
			by := "by " + strconv.FormatFloat(e, 'g', 3, 64)
			if math.IsInf(e, 1) {
				by = "with a number that is not finite"
			}
			s = None(Numerical, Unknown, fmt.Sprintf("its solution violates the model %s and is rejected%s", by, said))
		} else if s.Objective = m.Objective(s.X); s.Status == Optimal && math.IsNaN(s.Bound) {
			s.Bound = s.Objective
		}
	}
	s = begun(m, undisputed(m, s), start)
	if s.X == nil {
		s.Dual = nil
	}
	if s.Status != Optimal && s.Status != Infeasible && s.Status != Unbounded {
		s.Proof = ""
	}
	s.ReducedCost = nil
	if s.Dual != nil {
		s.ReducedCost = m.reducedCost(s.Dual)
	}
	return s
}

// shaped returns the answer with what cannot belong to the model taken out: a
// vector of another length, dual values of another number, a status that is
// none or that has no vector though it speaks of one.
func shaped(m *Model, s *Solution) *Solution {
	if s == nil {
		return None(OtherReason, Unknown, "no answer")
	}
	s.Message = oneLine(s.Message)
	if s.X != nil && len(s.X) != len(m.Variables) {
		return None(Numerical, Unknown, fmt.Sprintf("%d values for %d variables", len(s.X), len(m.Variables)))
	}
	if len(s.Dual) != len(m.Rows) {
		s.Dual = nil
	}
	switch s.Status {
	case Optimal, Feasible:
		if s.X == nil && len(m.Variables) == 0 {
			s.X = []float64{}
		}
		if s.X == nil {
			return None(Numerical, Unknown, fmt.Sprintf("called %s, without a vector", s.Status))
		}
	case Infeasible, Unbounded, InfeasibleOrUnbounded, Unknown:
		s.X, s.Objective = nil, math.NaN()
	default:
		return None(OtherReason, Unknown, oneLine(fmt.Sprintf("status %q", s.Status)))
	}
	return s
}

// Run solves a model by a backend that is not trusted: what it returns has the
// shape of the model and has passed [Checked], whatever the backend did. What is
// no answer to the model is an *AnswerError that says why. A model that means
// nothing is a *ModelError before the backend sees it, a nil backend
// [ErrNoSolver]. It is for callers that take solvers of others.
func Run(ctx context.Context, solver Solver, m *Model, s Settings) (*Solution, error) {
	ctx = given.Context(ctx)
	if solver == nil {
		return nil, ErrNoSolver
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	sol, err := solver.Solve(ctx, m, s)
	if err != nil {
		return nil, err
	}
	if reason := wrong(m, sol); reason != "" {
		return nil, &AnswerError{solver.Name(), reason}
	}
	return Checked(m, sol, s.Start), nil
}

// begun takes the vector that the search began from where it is better than
// what came out.
func begun(m *Model, s *Solution, start []float64) *Solution {
	if !usable(m, start) || s.Status == Unbounded || s.Status == InfeasibleOrUnbounded {
		return s
	}
	z, sign := m.Objective(start), 1.0
	if m.Maximize {
		sign = -1
	}
	slack := tolerance * (1 + math.Abs(z))
	if s.X != nil && sign*s.Objective <= sign*z {
		return s
	}
	r := &Solution{
		Reason:    s.Reason,
		Status:    Feasible,
		X:         append([]float64(nil), start...),
		Objective: z,
		Bound:     s.Bound,
		Message:   s.Message,
	}
	switch {
	case s.Status == Infeasible:
		r.Reason, r.Bound, r.Message = Numerical, math.NaN(), "called infeasible, though the start is feasible"
	case sign*s.Bound > sign*z+slack:
		r.Reason, r.Bound, r.Message = Numerical, math.NaN(), fmt.Sprintf("gives the bound %v, though the start has %v",
			s.Bound, z)
	case s.Status == Optimal:
		r.Status, r.Proof = Optimal, s.Proof // within the gap or the tolerance
		if sign*r.Bound > sign*z {
			r.Bound = z
		}
	}
	return r
}

// usable reports whether a start is a feasible vector of the model.
func usable(m *Model, start []float64) bool {
	if len(start) == 0 || len(start) != len(m.Variables) {
		return false
	}
	for j, v := range m.Variables {
		if v.Integer && start[j] != math.Round(start[j]) {
			return false
		}
	}
	return m.Violation(start) <= tolerance
}
