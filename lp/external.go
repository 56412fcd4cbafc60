package lp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/capplan/capplan/internal/children"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
)

// External is a solver executable that is handed a model file. The models go
// out as minimization in free MPS with made-up names, and every vector that
// comes back is checked against the model.
type External struct {
	Path string // of the executable
	Kind Kind   // whose command line and solution file it speaks
	// Limit is the time limit of a run whose Settings have none; 0 means an hour.
	Limit time.Duration

	grace time.Duration // how much later than its limit a run is stopped that goes on; 0 means 2 s
}

// A Kind is a family of solver executables.
type Kind string

const (
	HiGHS Kind = "highs"
	CBC   Kind = "cbc"
	GLPK  Kind = "glpsol"
	SCIP  Kind = "scip"
)

// kinds are in the order of preference for integer programs.
var kinds = []Kind{HiGHS, SCIP, CBC, GLPK}

// Find returns the solver executable of the given name or path: highs, cbc,
// glpsol or scip, looked up on the search path. The error wraps [ErrNoSolver].
func Find(name string) (*External, error) {
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".exe")
	for _, kind := range kinds {
		if strings.HasPrefix(base, string(kind)) {
			path, err := located(name)
			if err != nil {
				return nil, fault.New("lp", "", fmt.Sprintf("%q: %v", name, err), ErrNoSolver)
			}
			return &External{Path: path, Kind: kind}, nil
		}
	}
	return nil, fault.New("lp", "", fmt.Sprintf("unknown solver %q, want highs, cbc, glpsol or scip", name), ErrNoSolver)
}

// Installed returns the solver executables on the search path, the fastest
// kind for integer programs first.
func Installed() []*External {
	var list []*External
	for _, kind := range kinds {
		if e, err := Find(string(kind)); err == nil {
			list = append(list, e)
		}
	}
	return list
}

// Name returns the kind of the executable.
func (e *External) Name() string { return string(e.Kind) }

// scarce reports whether an error is a shortage of files, processes or memory, which is not the
// solver's fault.
func scarce(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM},
		func(want error) bool { return errors.Is(err, want) })
}

// Solve implements [Solver]. GLPK knows neither Settings.Nodes nor
// Settings.Start, and its time limit is at least a second. A run without
// Settings.TimeLimit has that of e: there are models on which a solver goes on for ever.
func (e *External) Solve(ctx context.Context, m *Model, s Settings) (*Solution, error) {
	ctx = given.Context(ctx)
	if err := m.Check(); err != nil {
		return nil, err
	}
	n, sign := m.minimizing()
	n = n.rounded()
	if r := trivial(n); r != nil {
		return r, nil
	}
	// The executable runs in the folder of its files: no path may be relative
	// to ours.
	path, err := located(e.Path)
	if err != nil {
		return nil, fault.New("lp", "", fmt.Sprintf("%q: %v", e.Path, err), ErrNoSolver)
	}
	dir, remove, err := workFolder()
	if err != nil {
		return nil, err
	}
	defer children.Add(remove)() // in a process that leaves this run alone, too
	defer remove()
	file, rows := n.plain()
	place := dir
	if strings.ContainsAny(dir, " \t\"'") {
		place = "" // option files and command languages divide by blanks
	}
	model, out := filepath.Join(place, "model.mps"), filepath.Join(place, "out")
	// A model of a million entries takes a second to write.
	_, err = parallel.Await(ctx, func() (none struct{}, err error) {
		return none, writeModel(filepath.Join(dir, "model.mps"), file)
	})
	switch {
	case ctx.Err() != nil:
		return Checked(m, None(Interrupted, Unknown, "stopped"), s.Start), nil
	case err != nil:
		return nil, err
	}
	if s.TimeLimit <= 0 {
		if s.TimeLimit = e.Limit; s.TimeLimit <= 0 {
			s.TimeLimit = time.Hour
		}
	}
	// The solver stops by itself; should it not, it is stopped a little later.
	grace := cmp.Or(e.grace, 2*time.Second)
	limited, cancel := context.WithTimeout(ctx, s.TimeLimit+s.TimeLimit/4+grace)
	defer cancel()
	start := s.Start
	if !usable(m, start) {
		start = nil
	}
	args, err := e.arguments(dir, place, model, out, s, n, start)
	if err != nil {
		return nil, err
	}
	r := &process{path: path, args: args, dir: dir, answer: filepath.Join(dir, "out")}
	err = r.run(limited)
	var exit *exec.ExitError
	var call syscall.Errno // what the system says, without the steps that led to it
	switch {
	case err == nil || limited.Err() != nil || errors.As(err, &exit):
	case errors.As(err, &call) && scarce(err):
		return nil, fmt.Errorf("%q cannot be started: %w", e.Path, call)
	case call != 0:
		return nil, fault.New("lp", "", fmt.Sprintf("%q: %v", e.Path, call), ErrNoSolver)
	default:
		return nil, fault.New("lp", "", fmt.Sprintf("%q: %v", e.Path, err), ErrNoSolver)
	}
	log := r.log.String()
	answer, readErr := readAnswer(r.answer, answerLimit(n, len(file.Rows)))
	sol := None(OtherReason, Unknown, "")
	if readErr != nil && !errors.Is(readErr, os.ErrNotExist) {
		sol.Message = fmt.Sprintf("%s: cannot read its answer: %v", e.Kind, readErr)
	} else {
		sol = e.read(answer, log, m, n, len(file.Rows), rows, sign)
		if sol.Status == Optimal && n.integers() && s.Gap > 0 && math.IsNaN(sol.Bound) {
			z := m.Objective(sol.X) // optimal to within the gap that was asked for
			sol.Bound = z - sign*s.Gap*math.Abs(z-m.Offset)
		}
	}
	switch {
	case limited.Err() != nil:
		// What it wrote before it was stopped may be cut short.
		sol.Reason = TimeLimit
		if ctx.Err() != nil {
			sol.Reason = Interrupted
		}
		switch {
		case sol.X != nil:
			sol.Status, sol.Dual = Feasible, nil
		default:
			sol = None(sol.Reason, Unknown, "stopped")
		}
	case err != nil && !(e.Kind == HiGHS && exit.ExitCode() == 1): // its warning, of a limit
		sol = None(Numerical, Unknown, fmt.Sprintf("%s: %v%s", e.Kind, err, tail(log)))
	}
	return Checked(m, sol, s.Start), nil
}

// located returns the absolute path of an executable.
func located(path string) (string, error) {
	found, err := exec.LookPath(path)
	var unfit *exec.Error
	var missing *fs.PathError
	switch {
	case errors.As(err, &missing):
		return "", missing.Err
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("no such executable")
	case errors.As(err, &unfit): // its text names the path once more
		return "", unfit.Err
	case err != nil:
		return "", err
	}
	return filepath.Abs(found)
}

// writeModel writes the file that the executable reads.
func writeModel(path string, m *Model) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = WriteMPS(file, m, FreeMPS)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// answerLimit is the most bytes that a solution file of the model can have:
// no kind writes more than a few short numbers and a name of each variable and
// row, in up to four sections.
func answerLimit(m *Model, rows int) int64 {
	return 1<<20 + 1024*int64(len(m.Variables)+rows)
}

// read turns what the executable wrote into a solution; n is the model that it
// was given, m what was asked, sign what turns the one's objective into the
// other's.
func (e *External) read(answer, log string, m, n *Model, fileRows int, rows []int, sign float64) *Solution {
	a := parsed{x: make([]float64, len(n.Variables)), dual: make([]float64, fileRows), bound: math.NaN()}
	switch e.Kind {
	case GLPK:
		a.glpk(answer, log)
	case CBC:
		a.cbc(answer, log)
	case HiGHS:
		a.highs(answer, log)
	case SCIP:
		a.scip(answer, log)
	}
	if a.bad != "" {
		return None(OtherReason, Unknown, fmt.Sprintf("%s: cannot read its answer: %s", e.Kind, a.bad))
	}
	sol := None(a.reason, a.status, a.message)
	if n.integers() && !math.IsInf(a.bound, 0) {
		sol.Bound = sign * (a.bound + n.Offset) // the file has no offset
	}
	if a.status == Optimal || a.status == Feasible {
		sol.X = a.x
		if a.hasDual && !n.integers() {
			sol.Dual = make([]float64, len(m.Rows))
			for i, at := range rows {
				sol.Dual[at] = sign * a.dual[i]
			}
		}
	}
	return sol
}

// rounded returns the model with the bounds of integer variables at whole
// numbers: GLPK refuses others.
func (m *Model) rounded() *Model {
	n := *m
	n.Variables = append([]Variable(nil), m.Variables...)
	for j := range n.Variables {
		if v := &n.Variables[j]; v.Integer {
			v.Lower, v.Upper = math.Ceil(v.Lower-tolerance), math.Floor(v.Upper+tolerance)
		}
	}
	return &n
}

// trivial answers what model files cannot say, contradicting bounds and no variables, and
// what solvers may search for ever: a row to which no whole numbers keep.
func trivial(m *Model) *Solution {
	for _, v := range m.Variables {
		if v.Lower > v.Upper {
			return shown(Infeasible, ByExact, "a lower bound above the upper one")
		}
	}
	for _, r := range m.Rows {
		if r.Lower > r.Upper {
			return shown(Infeasible, ByExact, "a lower bound above the upper one")
		}
		if len(r.Terms) == 0 && (r.Lower > 0 || r.Upper < 0) {
			return shown(Infeasible, ByExact, "a row without variables")
		}
	}
	own := *m
	if none := own.tightened(tolerance); none != "" {
		return shown(Infeasible, ByExact, none)
	}
	if len(m.Variables) == 0 {
		return Checked(m, &Solution{Reason: Finished, Status: Optimal, X: []float64{}, Bound: math.NaN()}, nil)
	}
	return nil
}

// plain returns the model with made-up names, without constant and without
// rows that say nothing, and where its rows come from.
func (m *Model) plain() (*Model, []int) {
	n := &Model{Variables: append([]Variable(nil), m.Variables...)}
	for j := range n.Variables {
		n.Variables[j].Name = fmt.Sprintf("x%d", j)
	}
	var from []int
	for i, r := range m.Rows {
		if len(r.Terms) == 0 || (math.IsInf(r.Lower, -1) && math.IsInf(r.Upper, 1)) {
			continue
		}
		r.Name = fmt.Sprintf("r%d", len(from))
		n.Rows = append(n.Rows, r)
		from = append(from, i)
	}
	return n, from
}

// tail returns the last line of a log that says something, behind a colon;
// nothing of a log that is empty.
func tail(log string) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	if last == "" {
		return ""
	}
	return ": " + last
}
