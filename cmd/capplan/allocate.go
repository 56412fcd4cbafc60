package main

import (
	"context"
	"io"
	"math"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// allocateFlags are a question and those of its flags whose words need converting; nil
// distinguishes a flag that is not given from a 0.
type allocateFlags struct {
	q                                allocation.Question
	pairs                            *units.Count
	primary, fail, resources, solver string
}

// allocateCommand assigns jobs to resources at one of their levels each, plans backups and prices
// failures; its children make a batch, check an answer and compare methods.
func allocateCommand() *cmdline.Command {
	f := &allocateFlags{}
	s := cmdline.NewFlags(true)
	f.flags(s)
	return &cmdline.Command{
		Name: "allocate", Usage: "which job at which level on which resource, and where is its backup?", Args: "FILE",
		MaxArgs: 1, Flags: s,
		Children: []func() *cmdline.Command{allocateGenerateCommand, allocateVerifyCommand, allocateStudyCommand},
		NoArgs:   "no batch given, want a file such as batch.yaml, or - for stdin",
		Description: `Each job of FILE is given one level of each dependency that it needs, on one resource,
so that capacities hold and the revenue is greatest. The answer comes with bounds that
no assignment can exceed, and with the price of capacity.

  $ capplan allocate testdata/alloc/i02.json

FILE is YAML, JSON or JSON Lines (plain, gzip, xz or - for stdin), such as:

    dependencies: [cpu]
    resources:
      - {id: R1, dependency: cpu, primary_capacity: 250}
    jobs:
      - id: nightly
        levels: {cpu: [{demand: 50, revenue: 250}, {demand: 100, revenue: 400}]}

capplan schema batch lists all fields, and capplan allocate generate makes a batch. In
JSON Lines each line is an object with a "resource", a "job" or other fields of the
batch; in CSV the jobs have a row for each level, and the resources are a second table.
All forms but YAML are read as a stream. The same batch in three forms:

  $ capplan allocate testdata/batch.jsonl
  $ capplan allocate testdata/batch-jobs.csv --resources testdata/batch-resources.csv

Demands and capacities are whole numbers in the unit of the dependency. From level to
level demands rise and revenues do not fall. With backups, on capacity shared by jobs
that do not fail together, and the cost of two failures in turn:

  $ capplan allocate testdata/batch.yaml --backup soft --fail R1,R3

Resources may have a price per unit of capacity used. Jobs may earn a base_fee and, with
admission: optional, may be left out; a job that is served gets all dependencies that it
needs. A budget limits what is spent. The net revenue is then made greatest:

  $ capplan allocate testdata/batch-budget.yaml
  $ capplan allocate testdata/batch-budget.yaml --budget 50

Prices and budget may carry a currency, as in 0.2 EUR or $0.2, and currency: in the batch
sets it for all amounts. Text shows the currency; JSON keeps plain numbers.

The cost of each single failure, and of each two at once:

  $ capplan allocate testdata/alloc/i02.json --backup soft --losses --pairs 1000

Only the bounds:

  $ capplan allocate testdata/alloc/i13.json --bound-only

The method exact starts a general solver from the answer of the search if that is not
proven to be the best. Stopped by Ctrl-C or --time-limit (1h for an executable, if not
given), it answers with the better of the two and the bound found so far:

  $ capplan allocate testdata/batch.yaml --method exact --solver go

Write ./verify for a file that is called verify, generate or study.`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			return f.ask(ctx, st, args[0], s.Output.Explain)
		},
	}
}

// flags binds the flags, most of them straight to fields of the question.
func (f *allocateFlags) flags(s *cmdline.FlagSet) {
	cmdline.OneOf(s, "method", &f.q.Method,
		"`METHOD`: lp-round (rounds the relaxation, then improves it), lp-round-paper (LP rounding as QoS-GRAF "+
			"prints it), max-big, max-best, unit-big or unit-best (the paper's comparison methods), or exact "+
			"(lp-round, then a general solver if lp-round cannot prove its answer optimal) (default lp-round)",
		nil,
		string(alloc.LPRound), string(alloc.LPRoundPaper), string(alloc.MaxBig), string(alloc.MaxBest),
		string(alloc.UnitBig), string(alloc.UnitBest), string(alloc.Exact))
	cmdline.OneOf(s, "fallback", &f.q.Fallback,
		"`METHOD` to use, and to name in the answer, if a published method does not place all jobs: lp-round "+
			"(default none: the published method then has no answer)",
		nil, string(alloc.LPRound))
	cmdline.OneOf(s, "backup", &f.q.Backup,
		"`MODE`: also plan backups, soft (a job may stay unprotected and then loses its revenue) or strict (every "+
			"job must be protected)",
		nil, string(alloc.Soft), string(alloc.Strict))
	s.Text("resources", &f.resources, "FILE", "CSV table of the resources, if the jobs are in CSV")
	s.Text("primary", &f.primary, "FILE",
		"earlier answer (--format json) whose primaries are kept; plans backups, soft unless --backup says strict")
	s.Text("fail",
		&f.fail, "R1,R2", "resources or risk groups that fail one after another; after each failure the backups "+
			"that it strikes are planned anew")
	s.Toggle("losses", &f.q.Losses, "show what each single failure costs with the backups in place: mean, median, "+
		"95% and worst")
	cmdline.Value(s, "pairs",
		&f.pairs, "N", "with --losses: pairs of failures to examine, all of them if there are at most N, else N "+
			"drawn at random")
	s.Text("solver", &f.solver, "SOLVER",
		"solver for --method exact: highs, go, or an executable (highs, cbc, glpsol or scip) by its name or path "+
			"(default: highs if it is linked, else the first executable found, else go)")
	// A path of an executable is allowed too, so that the words are offered to shells and nothing
	// more is refused here.
	s.Known("solver", solverNames)
	cmdline.Value(s, "time-limit",
		&f.q.TimeLimit, "TIME", "time limit of the search, such as 30s; the answer is then the best assignment "+
			"found (a first one is always made)")
	cmdline.Value(s, "effort", &f.q.Effort, "X", "how long to search, against the default 1, such as 10 for ten times "+
		"as long; more than a million levels and resources, and backups for many failures, are searched for some "+
		"seconds only")
	cmdline.Value(s, "budget", &f.q.Budget, "AMOUNT", "budget for all primaries together, such as 50 or 50EUR; "+
		"replaces the budget in FILE")
	// No assignment is searched for then, so that flags of methods, backups and failures are
	// refused beside it.
	s.Toggle("bound-only", &f.q.BoundOnly, "show bounds and prices of capacity only, without an assignment")
	cmdline.Seed(s, &f.q.Seed, "seed of the search")
}

// ask completes the question by its files and answers it.
func (f *allocateFlags) ask(ctx context.Context, st *cmdline.Streams, path string,
	explain bool) (*cmdline.Result, error) {
	// A question of its own lets go of the batch that it read.
	own := f.q
	q := &own
	q.Explain = explain
	if f.pairs != nil {
		// The question counts in int, which has 32 bits on some machines.
		q.Pairs = int(min(*f.pairs, math.MaxInt32))
	}
	q.Fail = cmdline.Listed(f.fail)
	// A solver that is named is looked for before a batch, possibly large, is read, and whatever the
	// method is: a name that is misspelt would otherwise be passed over in silence.
	var err error
	if q.Method == alloc.Exact || f.solver != "" {
		if q.Solver, err = allocation.IntegerSolver(f.solver); err != nil {
			return nil, err
		}
	}
	if q.Batch, err = readBatch(ctx, path, f.resources, st); err != nil {
		return nil, err
	}
	// The earlier answer is read after the batch, against whose names Allocate holds it.
	if f.primary != "" {
		if q.Primary, err = readBatchAnswer(ctx, f.primary, st); err != nil {
			return nil, err
		}
	}
	// An infeasible batch is an answer with exit code 3, told by the error's type.
	a, err := allocation.Allocate(ctx, q)
	if err != nil {
		return nil, err
	}
	// Stopped by --time-limit within the question, the answer is whole and the exit code 0;
	// stopped by a signal, the best assignment so far is shown and the exit code says so.
	r := cmdline.Answered(a, report.Allocation(a))
	r.Exit = ctx.Err()
	return r, nil
}

// readBatch reads a batch, from two tables where resources is a file.
func readBatch(ctx context.Context, path, resources string, s *cmdline.Streams) (*allocation.BatchFile, error) {
	if resources == "" {
		// JSON, JSON Lines and YAML are recognized by their content, so that no flag names the
		// format.
		return cmdline.Read(ctx, s, path, "a batch of jobs and resources, YAML, JSON or JSON Lines",
			allocation.ReadBatch)
	}
	// Standard input can be read once only: the second table would be empty.
	if path == "-" && resources == "-" {
		return nil, &cmdline.UsageError{Reason: "--resources: only one of the two tables can be stdin"}
	}
	type tables = cmdline.Reader[*allocation.BatchFile]
	var jobs tables = func(ctx context.Context, name string, r io.Reader) (*allocation.BatchFile, error) {
		var both tables = func(ctx context.Context, second string, table io.Reader) (*allocation.BatchFile, error) {
			return allocation.ReadBatchTables(ctx, name, r, second, table)
		}
		return cmdline.Read(ctx, s, resources, "a table of resources (CSV)", both)
	}
	return cmdline.Read(ctx, s, path, "a table of jobs (CSV)", jobs)
}

// readBatchAnswer reads an earlier answer, whose primaries are kept or which is to be verified. Any
// program may have written it: only names, resources and levels are needed.
func readBatchAnswer(ctx context.Context, path string, s *cmdline.Streams) (*allocation.BatchAnswer, error) {
	return cmdline.Read(ctx, s, path, "the JSON of capplan allocate", allocation.ReadBatchAnswer)
}

// allocateVerifyCommand checks an answer, of whatever program, against its batch.
func allocateVerifyCommand() *cmdline.Command {
	// Nothing of a verdict can be drawn, so that the command has no --plot.
	s := cmdline.NewFlags(false)
	var resources string
	s.Text("resources", &resources, "FILE", "CSV table of the resources, if the jobs are in CSV")
	return &cmdline.Command{
		Name: "verify", Usage: "is this answer feasible, and what is it worth?", Args: "INPUT ANSWER", MaxArgs: 2,
		Flags: s,
		Description: `Checks the assignments of ANSWER (the JSON of capplan allocate, or a file of that form)
against the batch INPUT: one level and one resource for each job, capacities, and backups
apart from their primaries and at no higher level. The code of the check is not used to
build answers. Exit code 0 if ANSWER is feasible, 3 if it is not.

  $ capplan allocate verify testdata/batch.yaml testdata/batch-answer.json`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if len(args) < 2 {
				return nil, &cmdline.UsageError{Reason: "want two files: the batch and the answer, " +
					"such as batch.yaml answer.json"}
			}
			if args[0] == "-" && args[1] == "-" {
				return nil, &cmdline.UsageError{Reason: "only one of the two files can be stdin"}
			}
			// The batch comes first: names in the answer mean something only against it.
			b, err := readBatch(ctx, args[0], resources, st)
			if err != nil {
				return nil, err
			}
			given, err := readBatchAnswer(ctx, args[1], st)
			if err != nil {
				return nil, err
			}
			a, err := allocation.Verify(b, given)
			if err != nil {
				return nil, err
			}
			r := cmdline.Answered(a, report.Verify(a))
			// An assignment that breaks a rule is an answer to the question asked: it is shown, and
			// only the exit code informs a script.
			if !a.Feasible {
				r.Exit = cmdline.ErrNotMet
			}
			return r, nil
		},
	}
}
