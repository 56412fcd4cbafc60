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

// allocateGenerateCommand makes up a batch by the laws of the QoS-GRAF experiments. The batch
// itself is the answer, so that the command has no explanation and its --format names forms of
// files.
func allocateGenerateCommand() *cmdline.Command {
	q := &allocation.GenerateQuestion{}
	// The usual formats of an answer do not apply, and the set starts without them.
	s := cmdline.PlainFlags()
	cmdline.OneOf(s, "format", &s.Output.Format,
		"`FORMAT` of the file: text (YAML), json, jsonl (JSON Lines) or csv (jobs, and resources in the file of --resources-file)",
		[]string{"o"}, "text", "json", "jsonl", "csv")
	var jobs, resources, seed *units.Count
	var pf, bf, prices, fees, budget *units.Number
	var optional *units.Fraction
	var mix, table, out string
	cmdline.Value(s, "jobs", &jobs, "N", "jobs of the batch")
	cmdline.Value(s, "resources", &resources, "N", "resources of each of the three dependencies")
	cmdline.Value(s, "primary-factor", &pf, "X", "primary capacity over the summed mean demand, such as 0.6")
	cmdline.Value(s, "backup-factor", &bf, "X", "backup capacity over primary capacity (default 0.4)")
	cmdline.Value(s, "price-factor",
		&prices, "X", "mean price of a unit of capacity over the mean revenue of a unit of demand, such as 0.3")
	cmdline.Value(s, "optional", &optional, "SHARE", "of jobs that may be left out, such as 80%")
	cmdline.Value(s, "fee-factor", &fees, "X", "mean base fee over the mean revenue of a job's levels")
	cmdline.Value(s, "budget-factor",
		&budget, "X", "budget over the price of all primary capacity, with --price-factor")
	s.Needs("budget-factor", "price-factor")
	s.Text("mix", &mix, "SMALL,MEDIUM,LARGE", "weights of the three classes of jobs (default 20,70,10)")
	// QoS-GRAF section 5.2 prints "variance sigma = 0.75". As a variance in units squared it makes
	// all capacities alike; as a standard deviation over the mean it spreads them, and draws below
	// a fifth of the mean are cut.
	cmdline.OneOf(s, "capacity-law", &q.CapacityLaw,
		"`LAW` of the capacities, a normal one of 0.75 read in two ways: literal (its variance in units squared, all but equal) or relative (sd over mean) (default literal, as printed)",
		nil, string(alloc.Literal), string(alloc.Relative))
	cmdline.Value(s, "seed", &seed, "N", "of the draws (default 1)")
	s.Text("out", &out, "FILE", "to write the batch to, whole or not at all (default: to standard output)")
	s.Text("resources-file", &table, "FILE", "to write the table of resources to, with -o csv")
	return &cmdline.Command{
		Name: "generate", Usage: "a synthetic batch (QoS-GRAF 5.2)", Flags: s,
		Description: `Writes a batch in a form that allocate reads: YAML, JSON, JSON Lines, or CSV with
the resources in a second file. The command that makes it again, seed included,
stands in its comment, which CSV has none of.

  $ capplan allocate generate --jobs 20 --resources 5 --primary-factor 0.6 --seed 7`,
		// The three numbers have no default, since no batch of the paper is the usual one; a default
		// would be taken for a reference.
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			switch {
			case jobs == nil:
				return nil, &ask.InputError{Field: "jobs", Reason: "not given, want a number such as --jobs 20"}
			case resources == nil:
				return nil, ask.Inputf("resources", "not given, want a number such as --resources 5")
			case pf == nil:
				return nil, ask.Inputf("primary-factor", "not given, want a factor such as --primary-factor 0.6")
			// Two tables cannot share one stream of output, so that the resources always need a
			// file of their own.
			case (table != "") != (s.Output.Format == "csv"):
				return nil, &ask.InputError{Field: "resources-file",
					Reason: "it belongs to -o csv, and that to it: jobs go to stdout or --out, resources to the file"}
			}
			// Files that cannot be written are refused before the batch is drawn, which may take long.
			for _, f := range []struct{ flag, path string }{{"resources-file", table}, {"out", out}} {
				if f.path != "" {
					if err := cmdline.CheckOut(f.flag, f.path); err != nil {
						return nil, err
					}
				}
			}
			// Both files are renamed into their place at the end: the second would replace the first
			// in silence.
			if out != "" && filepath.Clean(out) == filepath.Clean(table) {
				return nil, ask.Inputf("out", "%s is the file of --resources-file too", spell.Quote(out))
			}
			// 0.4 is the default that the help names.
			q.Jobs, q.Resources, q.PrimaryFactor, q.BackupFactor =
				int(*jobs), int(*resources), float64(*pf), ask.Or(bf, 0.4)
			// These factors are 0 where they are not given, which is a batch without prices, fees and
			// budget.
			q.PriceFactor, q.FeeFactor = float64(ask.Value(prices)), float64(ask.Value(fees))
			q.BudgetFactor, q.Optional = float64(ask.Value(budget)), float64(ask.Value(optional))
			// The check stands before the draw: jobs that were written could not be taken back from
			// stdout.
			if budget != nil && s.Output.Format == "csv" {
				return nil, &ask.InputError{Field: "budget-factor",
					Reason: "tables of jobs and resources have no place for a budget: want another format than csv"}
			}
			q.Seed = cmdline.Seed(seed)
			var err error
			if q.Mix, err = parseMix(mix); err != nil {
				return nil, err
			}
			b, err := allocation.StreamBatch(ctx, q)
			if err != nil {
				return nil, err
			}
			b.Comment = generateLine(q)
			// Jobs are drawn while they are written, so that a batch of any length takes the memory
			// of one job.
			g := &generated{b, ctx, st, q.Jobs}
			write := func(w io.Writer) error {
				switch s.Output.Format {
				case "text":
					return allocation.WriteBatchYAML(w, b.BatchFile, g.jobs())
				case "csv":
					return g.writeTables(w, table)
				}
				return allocation.WriteBatch(w, b.BatchFile, g.jobs(), s.Output.Format == "jsonl")
			}
			return &cmdline.Result{Write: func(w io.Writer) error { return cmdline.WriteOut(ctx, w, out, write) }}, nil
		},
	}
}

// generateLine is the command that makes a batch again.
func generateLine(q *allocation.GenerateQuestion) string {
	law := cmp.Or(q.CapacityLaw, alloc.DefaultLaw)
	line := fmt.Sprintf("capplan allocate generate --jobs %d --resources %d --primary-factor %v --backup-factor %v --mix %v,%v,%v --capacity-law %s",
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

// writeTables writes jobs to w and resources to a file, which gets its name
// when both are whole.
func (g *generated) writeTables(w io.Writer, path string) error {
	file, err := outfile.Create(path)
	if err != nil {
		return cmdline.OutError("resources-file", path, err)
	}
	defer file.Discard()
	err = allocation.WriteBatchTables(w, file, g.BatchFile, g.jobs())
	if file.Err() != nil {
		err = cmdline.OutError("resources-file", path, file.Err())
	}
	if err != nil {
		return err
	}
	// The jobs have to be on their way before the resources get their name; a reader that waits for
	// that file then finds the jobs too.
	if jobs, ok := w.(*bufio.Writer); ok {
		if err := jobs.Flush(); err != nil {
			return err
		}
	}
	if err := file.Commit(); err != nil {
		return cmdline.OutError("resources-file", path, err)
	}
	return nil
}
