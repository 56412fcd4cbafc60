package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
	"github.com/capplan/capplan/workload"
)

func allocateCommand() *command {
	q := &planner.AllocateQuestion{}
	s := newFlags(true)
	var seed *units.Count
	var primary, fail string
	oneOf(s, "method", &q.Method, "`METHOD`: lp-round (rounded relaxation, improved), lp-round-paper (QoS-GRAF as it stands), max-big, max-best, unit-big or unit-best (its comparison methods) (default lp-round)", nil,
		string(alloc.LPRound), string(alloc.LPRoundPaper), string(alloc.MaxBig), string(alloc.MaxBest), string(alloc.UnitBig), string(alloc.UnitBest))
	oneOf(s, "backup", &q.Backup, "`MODE`: plan backups, soft (a job may stay unprotected and then loses its revenue) or strict (all must be protected)", nil, string(alloc.Soft), string(alloc.Strict))
	text(s, "primary", &primary, "FILE", "with an earlier answer (--format json) whose primaries are kept; plans backups, soft if not told otherwise")
	text(s, "fail", &fail, "R1,R2", "resources or risk groups that fail one after another, backups planned anew after each")
	value(s, "time-limit", &q.TimeLimit, "TIME", "of the search, such as 30s: then the best so far")
	toggle(s, "bound-only", &q.BoundOnly, "bounds and prices of capacity, no assignment")
	value(s, "seed", &seed, "N", "of the search (default 1)")
	return &command{
		name: "allocate", usage: "which job at which level on which resource, and where is its backup?", args: "FILE", maxArgs: 1, flags: s,
		children: []func() *command{allocateGenerateCommand, allocateVerifyCommand},
		description: `Each job of FILE takes one level of each dependency it needs, on one resource;
capacities hold, and the revenue is to be greatest. The answer comes with bounds
that no assignment can exceed, and the price of capacity.

  $ capplan allocate testdata/alloc/i02.json

FILE is YAML or JSON: see testdata/batch.yaml and capplan schema batch. Demands
and capacities are whole numbers in the unit of the dependency; demands rise from
level to level, revenues don't fall. Backups, on capacity shared by jobs that do
not fail together, and what two failures in turn cost:

  $ capplan allocate testdata/batch.yaml --backup soft --fail R1,R3

Bounds alone:

  $ capplan allocate testdata/alloc/i13.json --bound-only

A file may not be called generate or verify: write ./verify.`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			q.Explain, q.Seed = s.output.explain, 1
			if seed != nil {
				q.Seed = uint64(*seed)
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
			if q.Batch, err = readBatch(ctx, args[0], st); err != nil {
				return nil, err
			}
			if primary != "" {
				if q.Primary, err = readBatchAnswer(ctx, primary, st); err != nil {
					return nil, err
				}
			}
			a, err := planner.Allocate(ctx, q)
			if err != nil {
				return nil, err
			}
			return &result{
				value: a, warnings: a.Warnings, exit: ctx.Err(),
				text: func(p *page) { showAllocate(p, a) },
				rows: func() [][]string { return allocateRows(a) },
				draw: func(context.Context) (*drawing, error) { return drawAllocate(q, a) },
			}, nil
		},
	}
}

func readBatch(ctx context.Context, path string, s *streams) (f *workload.BatchFile, err error) {
	err = readText(path, s, "a batch of jobs and resources, YAML or JSON", func(name string, r io.Reader) error {
		f, err = workload.ReadBatch(ctx, name, r)
		return err
	})
	return f, err
}

func readBatchAnswer(ctx context.Context, path string, s *streams) (a *workload.BatchAnswer, err error) {
	err = readText(path, s, "the JSON of capplan allocate", func(name string, r io.Reader) error {
		a, err = workload.ReadBatchAnswer(ctx, name, r)
		return err
	})
	return a, err
}

// readText opens a file, or stdin for "-", and reads it.
func readText(path string, s *streams, want string, read func(name string, r io.Reader) error) error {
	src, err := workload.Open(path, workload.OpenOptions{Stdin: s.in, Want: want, Wrap: s.progress(path)})
	if err != nil {
		return err
	}
	defer src.Close()
	return read(src.Name, src)
}

func allocateVerifyCommand() *command {
	s := newFlags(false)
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
			b, err := readBatch(ctx, args[0], st)
			if err != nil {
				return nil, err
			}
			given, err := readBatchAnswer(ctx, args[1], st)
			if err != nil {
				return nil, err
			}
			a, err := planner.VerifyAllocation(b, given)
			if err != nil {
				return nil, err
			}
			r := &result{value: a, warnings: a.Warnings, text: func(p *page) { showVerify(p, a) }}
			if !a.Feasible {
				r.exit = errNotMet
			}
			return r, nil
		},
	}
}

func allocateGenerateCommand() *command {
	q := &planner.GenerateQuestion{}
	s := &flagSet{output: &output{format: "text"}}
	oneOf(s, "format", &s.output.format, "`FORMAT` of the file: text (YAML) or json", []string{"o"}, "text", "json")
	var jobs, resources, seed *units.Count
	var pf, bf *units.Number
	var mix string
	value(s, "jobs", &jobs, "N", "jobs of the batch")
	value(s, "resources", &resources, "N", "resources of each of the three dependencies")
	value(s, "primary-factor", &pf, "X", "primary capacity over the summed mean demand, such as 0.6")
	value(s, "backup-factor", &bf, "X", "backup capacity over primary capacity (default 0.4)")
	text(s, "mix", &mix, "SMALL,MEDIUM,LARGE", "weights of the three classes of jobs (default 20,70,10)")
	oneOf(s, "capacity-law", &q.CapacityLaw, "`LAW` of the capacities, a normal one of 0.75 read in two ways: literal (its variance in units squared, all but equal) or relative (sd over mean) (default relative)", nil, string(alloc.Literal), string(alloc.Relative))
	value(s, "seed", &seed, "N", "of the draws (default 1)")
	return &command{
		name: "generate", usage: "a synthetic batch (QoS-GRAF 5.2)", flags: s,
		description: `Writes a batch in the form that allocate reads, YAML or JSON. The command that
makes it again, seed included, stands in its comment.

  $ capplan allocate generate --jobs 20 --resources 5 --primary-factor 0.6 --seed 7`,
		ask: func(_ context.Context, _ *streams, _ []string) (*result, error) {
			switch {
			case jobs == nil:
				return nil, &planner.InputError{Field: "jobs", Reason: "not given, want a number such as --jobs 20"}
			case resources == nil:
				return nil, &planner.InputError{Field: "resources", Reason: "not given, want a number such as --resources 5"}
			case pf == nil:
				return nil, &planner.InputError{Field: "primary-factor", Reason: "not given, want a factor such as --primary-factor 0.6"}
			}
			q.Jobs, q.Resources, q.PrimaryFactor, q.BackupFactor, q.Seed = int(*jobs), int(*resources), float64(*pf), 0.4, 1
			if bf != nil {
				q.BackupFactor = float64(*bf)
			}
			if seed != nil {
				q.Seed = uint64(*seed)
			}
			var err error
			if q.Mix, err = parseMix(mix); err != nil {
				return nil, err
			}
			b, err := planner.GenerateBatch(q)
			if err != nil {
				return nil, err
			}
			r := &result{value: b}
			if s.output.format == "text" {
				r.raw = batchYAML(b)
			}
			return r, nil
		},
	}
}

// parseMix reads three weights.
func parseMix(text string) (mix [3]float64, err error) {
	if text == "" {
		text = "20,70,10"
	}
	bad := func(reason string) error {
		return &planner.InputError{Field: "mix", Reason: quote(text) + ": " + reason + ", want weights of small, medium and large jobs such as 20,70,10"}
	}
	parts := strings.Split(text, ",")
	if len(parts) != len(mix) {
		return mix, bad(fmt.Sprintf("%d weights", len(parts)))
	}
	total := 0.0
	for i, p := range parts {
		v, err := units.Parse[units.Number](strings.TrimSuffix(strings.TrimSpace(p), "%"))
		if err != nil {
			return mix, bad(strip(err))
		}
		mix[i] = float64(v)
		total += mix[i]
	}
	if total == 0 {
		return mix, bad("they are all 0")
	}
	return mix, nil
}

// batchYAML writes a batch; its names are plain words.
func batchYAML(b *planner.GeneratedBatch) string {
	var w strings.Builder
	fmt.Fprintf(&w, "comment: %s\ndependencies: [%s]\nresources:\n", b.Comment, strings.Join(b.Dependencies, ", "))
	for _, r := range b.Resources {
		fmt.Fprintf(&w, "  - {id: %s, dependency: %s, primary_capacity: %d, backup_capacity: %d}\n", r.ID, r.Dependency, r.PrimaryCapacity, r.BackupCapacity)
	}
	w.WriteString("jobs:\n")
	for i := range b.Jobs {
		j := &b.Jobs[i]
		fmt.Fprintf(&w, "  - id: %s\n    class: %s\n    levels:\n", j.ID, j.Class)
		for _, d := range b.Dependencies {
			var levels []string
			for _, l := range j.Levels[d] {
				levels = append(levels, fmt.Sprintf("{demand: %d, revenue: %d}", l.Demand, l.Revenue))
			}
			fmt.Fprintf(&w, "      %s: [%s]\n", d, strings.Join(levels, ", "))
		}
	}
	return w.String()
}
