package lp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// External is a solver executable that is handed a model file. The models go
// out as minimization in free MPS with made-up names, and every vector that
// comes back is checked against the model.
type External struct {
	Path string // of the executable
	Kind Kind   // whose command line and solution file it speaks
}

// A Kind is a family of solver executables.
type Kind string

const (
	HiGHS Kind = "highs"
	CBC   Kind = "cbc"
	GLPK  Kind = "glpsol"
)

// Find returns the solver executable of the given name or path: highs, cbc or
// glpsol, looked up on the search path. The error wraps [ErrNoSolver].
func Find(name string) (*External, error) {
	base := strings.TrimSuffix(strings.ToLower(filepath.Base(name)), ".exe")
	for _, kind := range []Kind{HiGHS, CBC, GLPK} {
		if strings.HasPrefix(base, string(kind)) {
			path, err := exec.LookPath(name)
			if err != nil {
				return nil, fmt.Errorf("%w: %s: %v", ErrNoSolver, name, err)
			}
			return &External{path, kind}, nil
		}
	}
	return nil, fmt.Errorf("%w: %q is none of highs, cbc, glpsol", ErrNoSolver, name)
}

// Installed returns the solver executables on the search path.
func Installed() []*External {
	var list []*External
	for _, kind := range []Kind{HiGHS, CBC, GLPK} {
		if e, err := Find(string(kind)); err == nil {
			list = append(list, e)
		}
	}
	return list
}

// Name returns the kind of the executable.
func (e *External) Name() string { return string(e.Kind) }

// Solve implements [Solver]. Settings.Nodes is only known to CBC.
func (e *External) Solve(ctx context.Context, m *Model, s Settings) (*Solution, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	n, sign := m.minimizing()
	n = n.rounded()
	if r := trivial(n); r != nil {
		return r, nil
	}
	dir, err := os.MkdirTemp("", "capplan-lp-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file, rows := n.plain()
	var text strings.Builder
	if err := WriteMPS(&text, file, FreeMPS); err != nil {
		return nil, err
	}
	model, out := filepath.Join(dir, "model.mps"), filepath.Join(dir, "out")
	if err := os.WriteFile(model, []byte(text.String()), 0o600); err != nil {
		return nil, err
	}
	limited := ctx
	if s.TimeLimit > 0 {
		// The solver stops by itself; should it not, it is stopped a little later.
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, s.TimeLimit+s.TimeLimit/2+2*time.Second)
		defer cancel()
	}
	args, err := e.arguments(dir, model, out, s, n.integers())
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(limited, e.Path, args...)
	cmd.Dir = dir
	log, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return without(Interrupted, Unknown, ctx.Err().Error()), nil
	case limited.Err() != nil:
		return without(TimeLimit, Unknown, "stopped after its time limit"), nil
	case err != nil:
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return nil, fmt.Errorf("%w: %s: %v", ErrNoSolver, e.Path, err)
		}
		return without(Numerical, Unknown, fmt.Sprintf("%s: %v: %s", e.Kind, err, tail(string(log)))), nil
	}
	answer, err := os.ReadFile(out)
	if err != nil {
		answer = nil
	}
	a := parsed{x: make([]float64, len(n.Variables)), dual: make([]float64, len(file.Rows))}
	switch e.Kind {
	case GLPK:
		a.glpk(string(answer), string(log))
	case CBC:
		a.cbc(string(answer), string(log))
	case HiGHS:
		a.highs(string(answer), string(log))
	}
	if a.bad != "" {
		return without(OtherReason, Unknown, fmt.Sprintf("%s: cannot read its answer: %s", e.Kind, a.bad)), nil
	}
	sol := without(a.reason, a.status, a.message)
	if a.status == Optimal || a.status == Feasible {
		sol.X = a.x
		if a.hasDual && !n.integers() {
			sol.Dual = make([]float64, len(m.Rows))
			for i, at := range rows {
				sol.Dual[at] = sign * a.dual[i]
			}
		}
	}
	return accept(m, sol), nil
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

// trivial answers what model files cannot say: contradicting bounds, no
// variables.
func trivial(m *Model) *Solution {
	for _, v := range m.Variables {
		if v.Lower > v.Upper {
			return without(Finished, Infeasible, "a lower bound above the upper one")
		}
	}
	for _, r := range m.Rows {
		if r.Lower > r.Upper {
			return without(Finished, Infeasible, "a lower bound above the upper one")
		}
		if len(r.Terms) == 0 && (r.Lower > 0 || r.Upper < 0) {
			return without(Finished, Infeasible, "a row without variables")
		}
	}
	if len(m.Variables) == 0 {
		return accept(m, &Solution{Reason: Finished, Status: Optimal, X: []float64{}, Bound: math.NaN()})
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

// arguments returns the command line.
func (e *External) arguments(dir, model, out string, s Settings, integer bool) ([]string, error) {
	seconds := strconv.FormatFloat(math.Max(1, math.Ceil(s.TimeLimit.Seconds())), 'f', -1, 64)
	gap := strconv.FormatFloat(s.gap(), 'g', -1, 64)
	switch e.Kind {
	case GLPK:
		args := []string{"--freemps", model, "--write", out}
		if s.TimeLimit > 0 {
			args = append(args, "--tmlim", seconds)
		}
		if integer && s.Gap > 0 {
			args = append(args, "--mipgap", gap)
		}
		return args, nil
	case CBC:
		args := []string{model}
		if s.TimeLimit > 0 {
			args = append(args, "-sec", seconds)
		}
		if s.Nodes > 0 {
			args = append(args, "-maxNodes", strconv.Itoa(s.Nodes))
		}
		if integer {
			args = append(args, "-ratioGap", gap)
		}
		return append(args, "-solve", "-printingOptions", "all", "-solution", out), nil
	case HiGHS:
		options := fmt.Sprintf("solution_file = %s\nwrite_solution_to_file = true\nmip_rel_gap = %s\n", out, gap)
		if s.TimeLimit > 0 {
			options += "time_limit = " + seconds + "\n"
		}
		file := filepath.Join(dir, "options")
		return []string{"--options_file", file, model}, os.WriteFile(file, []byte(options), 0o600)
	}
	return nil, fmt.Errorf("%w: kind %q, want highs, cbc or glpsol", ErrNoSolver, e.Kind)
}

// tail returns the last line of a log that says something.
func tail(log string) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
