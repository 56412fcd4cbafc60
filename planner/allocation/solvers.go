package allocation

import (
	"context"
	"errors"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/highs"
	"github.com/capplan/capplan/planner/ask"
)

// A NamedSolver is a backend with the name that answers show.
type NamedSolver struct {
	lp.Solver
	Label string // "go", "highs 1.10.0 (linked)" or the path of an executable
}

// Name returns the name of the backend, "" without one.
func (s *NamedSolver) Name() string {
	if s == nil || s.Solver == nil {
		return ""
	}
	return s.Solver.Name()
}

// Solve has the backend solve a model; without one that is an *ask.InputError.
func (s *NamedSolver) Solve(ctx context.Context, m *lp.Model, settings lp.Settings) (*lp.Solution, error) {
	if s == nil || s.Solver == nil {
		return nil, ask.Missing("solver", "one such as FindSolver returns")
	}
	return s.Solver.Solve(given.Context(ctx), m, settings)
}

// FindSolver returns a backend by name: "go"; "highs", linked into this
// program or else an executable; or an executable by name or path. The empty
// name is HiGHS where it is linked and else "go". Errors: *ask.InputError.
func FindSolver(name string) (*NamedSolver, error) {
	switch {
	case name == "go", name == "" && !highs.Linked:
		return &NamedSolver{lp.Go{}, "go"}, nil
	case (name == "highs" || name == "") && highs.Linked:
		return &NamedSolver{highs.Solver{}, "highs " + highs.Version() + " (linked)"}, nil
	}
	e, err := lp.Find(name)
	switch {
	case err == nil:
		return &NamedSolver{e, e.Path}, nil
	case name == "highs":
		return nil, &ask.InputError{Field: "solver",
			Reason: "highs is not linked into this program (eval \"$(lp/highs/install.sh)\" installs it, go build " +
				"-tags highs links it), and there is no executable highs on the path; " + found()}
	}
	return nil, ask.Inputf("solver",
		"%q cannot be used: %s; want go, highs, or highs, cbc, glpsol or scip as an executable; %s", name,
		fault.Problem(err), found())
}

// IntegerSolver is FindSolver for integer programs, on which general solvers do
// better than "go": the empty name is HiGHS where it is linked, else the first
// executable of highs, scip, cbc, glpsol on the path, else "go", which takes
// small ones.
func IntegerSolver(name string) (*NamedSolver, error) {
	if list := lp.Installed(); name == "" && !highs.Linked && len(list) > 0 {
		return &NamedSolver{list[0], list[0].Path}, nil
	}
	return FindSolver(name)
}

// found lists the executables on the path, and says how to come by one where
// there is none.
func found() string {
	var names []string
	for _, e := range lp.Installed() {
		names = append(names, e.Name())
	}
	if len(names) == 0 {
		return "found on the path: none; install one (Debian: coinor-cbc or glpk-utils), " +
			"or HiGHS with lp/highs/install.sh and go build -tags highs"
	}
	return "found on the path: " + strings.Join(names, ", ")
}

// solverError turns an error of a backend into one of this package.
func solverError(err error) error {
	var size *lp.SizeError
	var model *lp.ModelError
	switch {
	case errors.As(err, &size):
		return tooLarge(size)
	case errors.Is(err, lp.ErrNoSolver):
		return &ask.InputError{Field: "solver", Reason: "cannot be run: " + fault.Problem(err)}
	case errors.As(err, &model):
		return &ask.InputError{Field: "", Reason: "the model: " + model.Place + ": " + model.Want}
	}
	return err
}

// tooLarge is the error for a model that the solver go does not take.
func tooLarge(e *lp.SizeError) error {
	return ask.Inputf("solver",
		"go takes small models only, and %d rows × %d columns exceed its %d entries: name another solver, such as "+
			"cbc; %s",
		e.Rows, e.Columns, e.Most, found())
}

// advice says what may help where nothing was found out. It is empty where
// something is known of the model.
func (a *ModelAnswer) advice(s *NamedSolver) string {
	if a.Status != lp.Unknown && a.Status != lp.InfeasibleOrUnbounded {
		return ""
	}
	_, small := s.Solver.(lp.Go)
	another := "try another solver, such as cbc; " + found()
	switch a.Reason {
	case lp.TimeLimit:
		return "give it more time, or " + another
	case lp.Interrupted:
		return "it was stopped before it found a solution"
	case lp.NodeLimit:
		return "branch and bound stopped at its limit: " + another
	case lp.Numerical:
		if small {
			return "the method of solver go is for small, well-scaled models (coefficients within 1e-4 and 1e4 of " +
				"each other): " + another
		}
		return "scale the rows so that coefficients lie within 1e-4 and 1e4 of each other, or " + another
	}
	if _, external := s.Solver.(*lp.External); external {
		return "run the solver by hand on a model written to a file, to see its full output, or " + another
	}
	return another
}
