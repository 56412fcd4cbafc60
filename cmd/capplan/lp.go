package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// lpCommand solves a model of whatever origin, which also shows whether a solver works on this
// machine.
func lpCommand() *cmdline.Command {
	q := &allocation.ModelQuestion{}
	// A solution has no curve, so that there is no --plot.
	s := cmdline.NewFlags(false)
	var solver, write string
	s.Text("solver", &solver, "SOLVER",
		"solver: go, highs, or an executable (highs, cbc, glpsol or scip) by its name or path (default: highs if it "+
			"is linked, else go)")
	s.Known("solver", solverNames)
	cmdline.Value(s, "time-limit", &q.TimeLimit, "TIME", "time limit of the solver, such as 30s; the answer is then "+
		"the best solution found (default 1h; 8s of go with integer variables)")
	cmdline.Value(s, "gap", &q.Gap, "P", "relative gap at which an integer solution counts as optimal (default 1e-9)")
	s.Text("write", &write, "FILE", "file to write the model to, .mps or .lp, instead of solving it")
	return &cmdline.Command{
		Name: "lp", Usage: "solve a model file (checks a backend)", Args: "FILE", MaxArgs: 1, Flags: s,
		NoArgs: "no model given, want a file such as model.mps or model.lp, or - for stdin",
		Description: `FILE is a linear or mixed-integer program in MPS (free or fixed) or in the LP format, told
apart by content, plain or compressed. The answer says why the solver stopped, and what is
known of the model:

  $ capplan lp testdata/diet.lp --solver go
  $ capplan lp testdata/diet.lp --format json

An optimum comes with dual values and reduced costs if the solver has them (go has none).
Every answer is checked against the model, in exact arithmetic if the model is small;
"shown by" says what the status rests on. For an infeasible model the rows that must
give way are named. To convert between formats:

  $ capplan lp testdata/diet.lp --write diet.mps

Exit codes: 0 solved, stopped with a solution, or unbounded; 1 nothing found out;
3 infeasible. The solver go is meant for small models. go build -tags highs links HiGHS,
see lp/highs/install.sh.`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			q.Explain = s.Output.Explain
			var err error
			// A flag about solving would do nothing here, and whoever gave it expects something.
			if write != "" && (solver != "" || q.TimeLimit != nil || q.Gap != nil) {
				return nil, &cmdline.UsageError{Reason: "--write replaces solving: leave out --solver, --time-limit " +
					"and --gap"}
			}
			// A missing solver, or a name without a format, is reported before a large model is
			// read.
			if write == "" {
				if q.Solver, err = allocation.FindSolver(solver); err != nil {
					return nil, err
				}
			} else if _, err = modelWriter(write); err != nil {
				return nil, err
			}
			if q.Model, err = cmdline.Read(ctx, st, args[0], "a model in MPS or LP format", parseModel); err != nil {
				return nil, err
			}
			if write != "" {
				// The model is written as it was parsed, without presolve, so that another program
				// sees the same rows and names.
				return writeModel(ctx, write, q.Model)
			}
			a, err := allocation.Solve(ctx, q)
			if err != nil {
				return nil, err
			}
			r := cmdline.Answered(a, report.Model(a))
			// An unbounded model is answered with code 0: that it is unbounded is proven. A model
			// about which nothing was found out is a failure, reported with what to try.
			switch {
			case ctx.Err() != nil:
				r.Exit = ctx.Err()
			case a.Status == lp.Infeasible:
				r.Exit = cmdline.ErrNotMet
			case a.Status == lp.Unknown, a.Status == lp.InfeasibleOrUnbounded:
				why := string(a.Reason)
				if a.Message != "" {
					why += ": " + a.Message
				}
				r.Exit = fmt.Errorf("%s (%s); %s", a.Status, why, a.Advice)
			}
			return r, nil
		},
	}
}

// maxModelText is the most that a model file may hold, decompressed: text and
// model are in memory at once.
const maxModelText = 128 << 20

// parseModel reads a model. Errors of package lp know lines and no file; here they become those of a
// file, told like all others.
func parseModel(ctx context.Context, name string, r io.Reader) (*lp.Model, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxModelText+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxModelText {
		return nil, &source.FileError{File: name, Problem: "holds more than 128 MiB of text", Want: "a smaller model"}
	}
	m, err := lp.Parse(ctx, data)
	var syntax *lp.SyntaxError
	var model *lp.ModelError
	switch {
	case errors.As(err, &syntax):
		err = &source.FileError{
			File:    name,
			Line:    syntax.Line,
			Column:  syntax.Column,
			Text:    source.Shown([]byte(syntax.Text)), // a line of a model can be megabytes long
			Problem: syntax.Want,
			Err:     source.ErrMalformed,
		}
	case errors.As(err, &model):
		err = &source.FileError{File: name, Problem: model.Place + ": " + model.Want, Err: source.ErrMalformed}
	}
	return m, err
}

// modelWriter returns how to write a file of this name. The ending decides, in any case of letters.
// Errors: *ask.InputError of the field write.
func modelWriter(path string) (func(io.Writer, *lp.Model) error, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".mps":
		return func(w io.Writer, m *lp.Model) error { return lp.WriteMPS(w, m, lp.FreeMPS) }, nil
	case ".lp":
		return lp.WriteLP, nil
	}
	return nil, ask.Inputf("write", "%s names no format, want a name ending in .mps or .lp", spell.Quote(path))
}

// writtenModel is the answer of lp --write, in place of a solution, so that a script can check what
// went into the file.
type writtenModel struct {
	Written   string `json:"written"`
	Variables int    `json:"variables"`
	Rows      int    `json:"rows"`
}

// writeModel writes the model in memory first: a name or number that a format cannot hold leaves no
// half file.
func writeModel(ctx context.Context, path string, m *lp.Model) (*cmdline.Result, error) {
	write, err := modelWriter(path)
	if err != nil {
		return nil, err
	}
	text, err := parallel.Await(ctx, func() (*bytes.Buffer, error) { // a million variables take a second
		b := new(bytes.Buffer)
		return b, write(b, m)
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		// What the format cannot hold is a wrong choice of file by the user, not a failure of the
		// disk.
		return nil, &ask.InputError{Field: "write", Reason: fault.Problem(err)}
	}
	if err := outfile.Write(path, text.Bytes()); err != nil {
		return nil, cmdline.OutError("write", path, err)
	}
	a := &writtenModel{path, len(m.Variables), len(m.Rows)}
	written := &page.Section{}
	written.Say("%s: %s, %s", path, say.Plural(a.Variables, "variable"), say.Plural(a.Rows, "row"))
	return cmdline.Answered(a, written), nil
}

// solverNames are the words of --solver. They are offered by the completion of allocate too.
func solverNames() []string { return []string{"go", "highs", "cbc", "glpsol", "scip"} }
