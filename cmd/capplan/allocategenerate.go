package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// generateFlags are a question and what is read apart.
type generateFlags struct {
	q          allocation.GenerateQuestion
	set        *cmdline.FlagSet
	mix        string
	table, out string // files of the resources and of the jobs
}

// allocateGenerateCommand makes up a batch by the laws of the QoS-GRAF experiments. The batch
// itself is the answer, so that the command has no explanation and its --format names forms of
// files.
func allocateGenerateCommand() *cmdline.Command {
	// The usual formats of an answer do not apply, and the set starts without them.
	s := cmdline.PlainFlags()
	f := &generateFlags{set: s}
	f.flags(s)
	return &cmdline.Command{
		Name: "generate", Usage: "a synthetic batch (QoS-GRAF 5.2)", Flags: s,
		Description: `Writes a batch in a form that allocate reads: YAML, JSON, JSON Lines, or CSV with the
resources in a second file. A comment in the batch, except in CSV, holds the command and
the seed that make it again.

  $ capplan allocate generate --jobs 20 --resources 5 --primary-factor 0.6 --seed 7`,
		// The three numbers have no default, since no batch of the paper is the usual one; a default
		// would be taken for a reference.
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			if err := f.check(s.Output.Format); err != nil {
				return nil, err
			}
			var err error
			if f.q.Mix, err = parseMix(f.mix); err != nil {
				return nil, err
			}
			return f.write(ctx, st, s.Output.Format)
		},
	}
}

// flags binds the flags.
func (f *generateFlags) flags(s *cmdline.FlagSet) {
	cmdline.OneOf(s, "format", &s.Output.Format,
		"`FORMAT` of the file: text (YAML), json, jsonl (JSON Lines) or csv (the jobs; the resources go to "+
			"--resources-file)",
		[]string{"o"}, "text", "json", "jsonl", "csv")
	q := &f.q
	q.BackupFactor = 0.4
	cmdline.Into[units.Count](s, "jobs", &q.Jobs, "N", "number of jobs in the batch")
	cmdline.Into[units.Count](s, "resources", &q.Resources, "N", "number of resources of each of the three "+
		"dependencies")
	cmdline.Into[units.Number](s, "primary-factor", &q.PrimaryFactor, "X",
		"primary capacity divided by the summed mean demand, such as 0.6")
	cmdline.Into[units.Number](s, "backup-factor", &q.BackupFactor, "X",
		"backup capacity divided by primary capacity (default 0.4)")
	cmdline.Into[units.Number](s, "price-factor", &q.PriceFactor, "X",
		"mean price of a unit of capacity divided by the mean revenue of a unit of demand, such as 0.3")
	cmdline.Into[units.Fraction](s, "optional", &q.Optional, "SHARE", "share of the jobs that may be left out, such "+
		"as 80%")
	cmdline.Into[units.Number](s, "fee-factor", &q.FeeFactor, "X",
		"mean base fee divided by the mean revenue of a job's levels")
	cmdline.Into[units.Number](s, "budget-factor", &q.BudgetFactor, "X",
		"budget divided by the price of all primary capacity; needs --price-factor")
	s.Needs("budget-factor", "price-factor")
	s.Text("mix", &f.mix, "SMALL,MEDIUM,LARGE", "weights of the three classes of jobs (default 20,70,10)")
	// QoS-GRAF section 5.2 prints "variance sigma = 0.75". As a variance in units squared it makes
	// all capacities alike; as a standard deviation over the mean it spreads them, and draws below
	// a fifth of the mean are cut.
	cmdline.OneOf(s, "capacity-law", &f.q.CapacityLaw,
		"`LAW` of the capacities, whose printed 0.75 can be read in two ways: literal (the variance of a normal "+
			"law, in units squared: all capacities nearly equal) or relative (standard deviation divided by mean) "+
			"(default literal, as printed)",
		nil, string(alloc.Literal), string(alloc.Relative))
	cmdline.Seed(s, &q.Seed, "seed of the draws")
	s.Text("out", &f.out, "FILE", "file to write the batch to; it appears whole or not at all (default: standard "+
		"output)")
	s.Text("resources-file", &f.table, "FILE", "file to write the table of resources to, with -o csv")
}

// check refuses what cannot be made, or written where it shall be. Files that cannot be written are
// refused before the batch is drawn, which may take long.
func (f *generateFlags) check(format string) error {
	switch {
	case !f.set.Gave("jobs"):
		return &ask.InputError{Field: "jobs", Reason: "not given, want a number such as --jobs 20"}
	case !f.set.Gave("resources"):
		return ask.Inputf("resources", "not given, want a number such as --resources 5")
	case !f.set.Gave("primary-factor"):
		return ask.Inputf("primary-factor", "not given, want a factor such as --primary-factor 0.6")
	// Two tables cannot share one stream of output, so that the resources always need a
	// file of their own.
	case (f.table != "") != (format == "csv"):
		return &ask.InputError{Field: "resources-file",
			Reason: "needs -o csv, and -o csv needs it: the jobs go to stdout or --out, the resources to this file"}
	}
	for _, file := range []struct{ flag, path string }{{"resources-file", f.table}, {"out", f.out}} {
		if file.path != "" {
			if err := cmdline.CheckOut(file.flag, file.path); err != nil {
				return err
			}
		}
	}
	// Both files are renamed into their place at the end: the second would replace the first
	// in silence.
	if f.out != "" && filepath.Clean(f.out) == filepath.Clean(f.table) {
		return ask.Inputf("out", "%s is also the file of --resources-file", spell.Quote(f.out))
	}
	// The check stands before the draw: jobs that were written could not be taken back from
	// stdout.
	if f.set.Gave("budget-factor") && format == "csv" {
		return &ask.InputError{Field: "budget-factor",
			Reason: "tables of jobs and resources have no place for a budget: want another format than csv"}
	}
	return nil
}

// write makes the jobs while they are written, so that a batch of any length takes the memory of one
// job.
func (f *generateFlags) write(ctx context.Context, st *cmdline.Streams, format string) (*cmdline.Result, error) {
	q := &f.q
	b, err := allocation.StreamBatch(ctx, q)
	if err != nil {
		return nil, err
	}
	b.Comment = generateLine(q)
	g := &generated{b, ctx, st, q.Jobs}
	if format == "csv" {
		return &cmdline.Result{Write: func(w io.Writer) error { return g.writeTables(w, f.out, f.table) }}, nil
	}
	write := func(w io.Writer) error {
		if format == "text" {
			return allocation.WriteBatchYAML(w, b.BatchFile, g.jobs())
		}
		return allocation.WriteBatch(w, b.BatchFile, g.jobs(), format == "jsonl")
	}
	return &cmdline.Result{Write: func(w io.Writer) error { return cmdline.WriteOut(ctx, w, f.out, write) }}, nil
}

// generateLine is the command that makes a batch again.
func generateLine(q *allocation.GenerateQuestion) string {
	law := cmp.Or(q.CapacityLaw, alloc.DefaultLaw)
	line := fmt.Sprintf("capplan allocate generate --jobs %d --resources %d --primary-factor %v --backup-factor %v "+
		"--mix %v,%v,%v --capacity-law %s",
		q.Jobs, q.Resources, q.PrimaryFactor, q.BackupFactor, q.Mix[0], q.Mix[1], q.Mix[2], law)
	for _, o := range []struct {
		flag string
		v    float64
	}{{"price-factor", q.PriceFactor}, {"optional", q.Optional}, {"fee-factor", q.FeeFactor},
		{"budget-factor", q.BudgetFactor}} {
		if o.v != 0 {
			line += fmt.Sprintf(" --%s %v", o.flag, o.v)
		}
	}
	return fmt.Sprintf("%s --seed %d", line, q.Seed)
}

// parseMix reads three weights. The weights are those of small, medium and large jobs, 0 or more,
// in any unit: only their ratios count. The default is that of QoS-GRAF section 5.2. Errors:
// *ask.InputError of the field mix.
func parseMix(text string) (mix [3]float64, err error) {
	text = cmp.Or(text, "20,70,10")
	bad := func(reason string) error {
		return &ask.InputError{Field: "mix", Reason: spell.Quote(text) + ": " + reason +
			", want weights of small, medium and large jobs such as 20,70,10"}
	}
	parts := strings.Split(text, ",")
	if len(parts) != len(mix) {
		return mix, bad(fmt.Sprintf("%d weights", len(parts)))
	}
	total := 0.0
	for i, p := range parts {
		// A weight may be written as a percentage; weights are divided by their sum, so that the sign
		// may go.
		v, err := units.Parse[units.Number](strings.TrimSuffix(strings.TrimSpace(p), "%"))
		if err != nil {
			return mix, bad(cmdline.Plainly(err))
		}
		mix[i] = float64(v)
		total += mix[i]
	}
	// Their ratios would be 0/0.
	if total == 0 {
		return mix, bad("they are all 0")
	}
	return mix, nil
}

// A generated batch is written as it is made.
type generated struct {
	*allocation.GeneratedBatch
	ctx   context.Context
	s     *cmdline.Streams
	count int // of jobs
}

// jobs are those of the batch, with a bar on a terminal.
func (g *generated) jobs() iter.Seq2[*allocation.BatchJob, error] {
	return func(yield func(*allocation.BatchJob, error) bool) {
		// The number of jobs is known beforehand, so that the bar has an end.
		add, finish := g.s.Steps(g.count, "jobs")
		defer finish()
		// The bar moves every 4096 jobs: a step for each would cost more than making the job.
		n := 0
		for j, err := range g.Jobs(g.ctx) {
			if n++; n%4096 == 0 {
				add(4096)
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

// writeTables writes the jobs to w or to the file out, and the resources to a file of their own.
// Both are whole on the disk before the first of them gets its name.
func (g *generated) writeTables(w io.Writer, out, table string) error {
	file, err := outfile.Create(table)
	if err != nil {
		return cmdline.OutError("resources-file", table, err)
	}
	defer file.Discard()
	err = cmdline.WriteOut(g.ctx, w, out, func(w io.Writer) error {
		err := allocation.WriteBatchTables(w, file, g.BatchFile, g.jobs())
		if file.Err() == nil && err == nil {
			_ = file.Settle() // which keeps its error
		}
		if file.Err() != nil {
			return cmdline.OutError("resources-file", table, file.Err())
		}
		// The jobs have to be on their way before the resources get their name; a reader that waits for
		// that file then finds the jobs too.
		if jobs, ok := w.(*bufio.Writer); ok && err == nil {
			err = jobs.Flush()
		}
		return err
	})
	if err == nil {
		err = cmdline.OutError("resources-file", table, file.Commit())
	}
	return err
}
