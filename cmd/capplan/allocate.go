package main

import (
	"context"
	"io"
	"math"
	"strings"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

func allocateCommand() *command {
	q := &allocation.Question{}
	s := newFlags(true)
	var seed, pairs *units.Count
	var primary, fail, resources, solver string
	oneOf(s, "method", &q.Method, "`METHOD`: lp-round (rounded relaxation, improved), lp-round-paper (QoS-GRAF as it stands), max-big, max-best, unit-big or unit-best (its comparison methods), or exact (lp-round, then a general solver where it proves nothing) (default lp-round)", nil,
		string(alloc.LPRound), string(alloc.LPRoundPaper), string(alloc.MaxBig), string(alloc.MaxBest), string(alloc.UnitBig), string(alloc.UnitBest), string(alloc.Exact))
	oneOf(s, "fallback", &q.Fallback, "`METHOD` that answers, named, where a published one does not place all jobs: lp-round (default none: then the published method has no answer)", nil, string(alloc.LPRound))
	oneOf(s, "backup", &q.Backup, "`MODE`: plan backups, soft (a job may stay unprotected and then loses its revenue) or strict (all must be protected)", nil, string(alloc.Soft), string(alloc.Strict))
	text(s, "resources", &resources, "FILE", "in CSV, beside jobs in CSV")
	text(s, "primary", &primary, "FILE", "with an earlier answer (--format json) whose primaries are kept; plans backups, soft if not told otherwise")
	text(s, "fail", &fail, "R1,R2", "resources or risk groups that fail one after another, backups planned anew after each")
	toggle(s, "losses", &q.Losses, "what each single failure costs, with backups in place: mean, median, 95 % and worst")
	value(s, "pairs", &pairs, "N", "with --losses: failures of two at once, all where they are at most N, else N drawn")
	text(s, "solver", &solver, "SOLVER", "of --method exact: highs, or an executable by name or path, highs, cbc, glpsol or scip, or go (default: highs where it is linked, else the first executable there is)")
	value(s, "time-limit", &q.TimeLimit, "TIME", "of the search, such as 30s: then the best so far (a first assignment is always made)")
	value(s, "budget", &q.Budget, "AMOUNT", "that primaries may cost together, instead of that of FILE")
	toggle(s, "bound-only", &q.BoundOnly, "bounds and prices of capacity, no assignment")
	value(s, "seed", &seed, "N", "of the search (default 1)")
	return &command{
		name: "allocate", usage: "which job at which level on which resource, and where is its backup?", args: "FILE", maxArgs: 1, flags: s,
		children: []func() *command{allocateGenerateCommand, allocateVerifyCommand, allocateStudyCommand},
		description: `Each job of FILE takes one level of each dependency it needs, on one resource;
capacities hold, and the revenue is to be greatest. The answer comes with bounds
that no assignment can exceed, and the price of capacity.

  $ capplan allocate testdata/alloc/i02.json

FILE is YAML, JSON or JSON Lines (plain, gzip, xz or - for stdin): see
testdata/batch.yaml and capplan schema batch. In JSON Lines a line is an object
with a "resource", a "job" or other fields of the batch; as CSV the jobs have a
row for each level, and the resources are a second table. Large batches are read
as a stream in all but YAML. The same batch three times:

  $ capplan allocate testdata/batch.jsonl
  $ capplan allocate testdata/batch-jobs.csv --resources testdata/batch-resources.csv

Demands and capacities are whole numbers in the unit of the dependency; demands
rise from level to level, revenues don't fall. Backups, on capacity shared by
jobs that do not fail together, and what two failures in turn cost:

  $ capplan allocate testdata/batch.yaml --backup soft --fail R1,R3

Resources may have a price by unit of capacity used; jobs may earn a base_fee and,
with admission: optional, be left out (a job that is served gets all dependencies
it needs); a budget limits what is spent. The net revenue is then to be greatest:

  $ capplan allocate testdata/batch-budget.yaml
  $ capplan allocate testdata/batch-budget.yaml --budget 50

What any one failure costs, and any two at once:

  $ capplan allocate testdata/alloc/i02.json --backup soft --losses --pairs 1000

Bounds alone:

  $ capplan allocate testdata/alloc/i13.json --bound-only

The method exact hands what the search leaves unproven to a general solver, which
begins from its answer; stopped by --time-limit or Ctrl-C, the better of the two
stands with the bound so far:

  $ capplan allocate testdata/batch.yaml --method exact --solver go

A file may not be called generate, verify or study: write ./verify.`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			q.Explain, q.Seed = s.output.explain, 1
			if seed != nil {
				q.Seed = uint64(*seed)
			}
			if pairs != nil {
				q.Pairs = int(min(*pairs, math.MaxInt32))
			}
			if fail != "" {
				for _, name := range strings.Split(fail, ",") {
					q.Fail = append(q.Fail, strings.TrimSpace(name))
				}
			}
			if len(args) == 0 {
				return nil, &usageError{"allocate", "no batch given, want a file such as batch.yaml, or - for stdin"}
			}
			var err error
			if q.Method == alloc.Exact || solver != "" {
				if q.Solver, err = allocation.IntegerSolver(solver); err != nil {
					return nil, err
				}
			}
			if q.Batch, err = readBatch(ctx, args[0], resources, st); err != nil {
				return nil, err
			}
			if primary != "" {
				if q.Primary, err = readBatchAnswer(ctx, primary, st); err != nil {
					return nil, err
				}
			}
			a, err := allocation.Allocate(ctx, q)
			if err != nil {
				return nil, err
			}
			r := answered(a, report.Allocation(a))
			r.exit = ctx.Err()
			return r, nil
		},
	}
}

// readBatch reads a batch, from two tables where resources is a file.
func readBatch(ctx context.Context, path, resources string, s *streams) (f *allocation.BatchFile, err error) {
	if resources == "" {
		err = readText(ctx, path, s, "a batch of jobs and resources, YAML, JSON or JSON Lines", func(name string, r io.Reader) error {
			f, err = allocation.ReadBatch(ctx, name, r)
			return err
		})
		return f, err
	}
	if path == "-" && resources == "-" {
		return nil, &usageError{reason: "--resources: only one of the two tables can be stdin"}
	}
	err = readText(ctx, path, s, "a table of jobs (CSV)", func(name string, r io.Reader) error {
		return readText(ctx, resources, s, "a table of resources (CSV)", func(resourcesName string, table io.Reader) error {
			f, err = allocation.ReadBatchTables(ctx, name, r, resourcesName, table)
			return err
		})
	})
	return f, err
}

func readBatchAnswer(ctx context.Context, path string, s *streams) (a *allocation.BatchAnswer, err error) {
	err = readText(ctx, path, s, "the JSON of capplan allocate", func(name string, r io.Reader) error {
		a, err = allocation.ReadBatchAnswer(ctx, name, r)
		return err
	})
	return a, err
}

// readText opens a file, or stdin for "-", and reads it.
func readText(ctx context.Context, path string, s *streams, want string, read func(name string, r io.Reader) error) error {
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: s.in, Want: want, Wrap: s.progress(path)})
	if err != nil {
		return err
	}
	defer src.Close()
	return read(src.Name, src)
}

func allocateVerifyCommand() *command {
	s := newFlags(false)
	var resources string
	text(s, "resources", &resources, "FILE", "in CSV, beside jobs in CSV")
	return &command{
		name: "verify", usage: "is this answer feasible, and what is it worth?", args: "INPUT ANSWER", maxArgs: 2, flags: s,
		description: `Checks the assignments of ANSWER, the JSON of capplan allocate or a file of its
form, against the batch INPUT, by code that is not used to build answers: one
level and one resource each, capacities, backups apart from their primaries and
not above them. Exit code 0 feasible, 3 not.

  $ capplan allocate verify testdata/batch.yaml testdata/batch-answer.json`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) < 2 {
				return nil, &usageError{"allocate verify", "want two files: the batch and the answer, such as batch.yaml answer.json"}
			}
			if args[0] == "-" && args[1] == "-" {
				return nil, &usageError{"allocate verify", "only one of the two files can be stdin"}
			}
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
			r := answered(a, report.Verify(a))
			if !a.Feasible {
				r.exit = errNotMet
			}
			return r, nil
		},
	}
}
