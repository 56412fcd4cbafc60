package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

func allocateGenerateCommand() *command {
	q := &allocation.GenerateQuestion{}
	s := &flagSet{output: &output{format: "text"}}
	oneOf(s, "format", &s.output.format, "`FORMAT` of the file: text (YAML), json, jsonl (JSON Lines) or csv (jobs, and resources in the file of --resources-file)", []string{"o"}, "text", "json", "jsonl", "csv")
	var jobs, resources, seed *units.Count
	var pf, bf, prices, fees, budget *units.Number
	var optional *units.Fraction
	var mix, table, out string
	value(s, "jobs", &jobs, "N", "jobs of the batch")
	value(s, "resources", &resources, "N", "resources of each of the three dependencies")
	value(s, "primary-factor", &pf, "X", "primary capacity over the summed mean demand, such as 0.6")
	value(s, "backup-factor", &bf, "X", "backup capacity over primary capacity (default 0.4)")
	value(s, "price-factor", &prices, "X", "mean price of a unit of capacity over the mean revenue of a unit of demand, such as 0.3")
	value(s, "optional", &optional, "SHARE", "of jobs that may be left out, such as 80%")
	value(s, "fee-factor", &fees, "X", "mean base fee over the mean revenue of a job's levels")
	value(s, "budget-factor", &budget, "X", "budget over the price of all primary capacity, with --price-factor")
	s.needs("budget-factor", "price-factor")
	text(s, "mix", &mix, "SMALL,MEDIUM,LARGE", "weights of the three classes of jobs (default 20,70,10)")
	oneOf(s, "capacity-law", &q.CapacityLaw, "`LAW` of the capacities, a normal one of 0.75 read in two ways: literal (its variance in units squared, all but equal) or relative (sd over mean) (default literal, as printed)", nil, string(alloc.Literal), string(alloc.Relative))
	value(s, "seed", &seed, "N", "of the draws (default 1)")
	text(s, "out", &out, "FILE", "to write the batch to, whole or not at all (default: to standard output)")
	text(s, "resources-file", &table, "FILE", "to write the table of resources to, with -o csv")
	return &command{
		name: "generate", usage: "a synthetic batch (QoS-GRAF 5.2)", flags: s,
		description: `Writes a batch in a form that allocate reads: YAML, JSON, JSON Lines, or CSV with
the resources in a second file. The command that makes it again, seed included,
stands in its comment, which CSV has none of.

  $ capplan allocate generate --jobs 20 --resources 5 --primary-factor 0.6 --seed 7`,
		ask: func(ctx context.Context, st *streams, _ []string) (*result, error) {
			switch {
			case jobs == nil:
				return nil, &ask.InputError{Field: "jobs", Reason: "not given, want a number such as --jobs 20"}
			case resources == nil:
				return nil, &ask.InputError{Field: "resources", Reason: "not given, want a number such as --resources 5"}
			case pf == nil:
				return nil, &ask.InputError{Field: "primary-factor", Reason: "not given, want a factor such as --primary-factor 0.6"}
			case (table != "") != (s.output.format == "csv"):
				return nil, &ask.InputError{Field: "resources-file", Reason: "it belongs to -o csv, and that to it: jobs go to stdout or --out, resources to the file"}
			}
			for _, f := range []struct{ flag, path string }{{"resources-file", table}, {"out", out}} {
				if f.path != "" {
					if err := checkOut(f.flag, f.path); err != nil {
						return nil, err
					}
				}
			}
			if out != "" && filepath.Clean(out) == filepath.Clean(table) {
				return nil, &ask.InputError{Field: "out", Reason: quote(out) + " is the file of --resources-file too"}
			}
			q.Jobs, q.Resources, q.PrimaryFactor, q.BackupFactor, q.Seed = int(*jobs), int(*resources), float64(*pf), 0.4, 1
			if bf != nil {
				q.BackupFactor = float64(*bf)
			}
			for _, o := range []struct {
				given *units.Number
				to    *float64
			}{{prices, &q.PriceFactor}, {fees, &q.FeeFactor}, {budget, &q.BudgetFactor}} {
				if o.given != nil {
					*o.to = float64(*o.given)
				}
			}
			if optional != nil {
				q.Optional = float64(*optional)
			}
			if budget != nil && s.output.format == "csv" {
				return nil, &ask.InputError{Field: "budget-factor", Reason: "tables of jobs and resources have no place for a budget: want another format than csv"}
			}
			if seed != nil {
				q.Seed = uint64(*seed)
			}
			var err error
			if q.Mix, err = parseMix(mix); err != nil {
				return nil, err
			}
			b, err := allocation.StreamBatch(ctx, q)
			if err != nil {
				return nil, err
			}
			g := &generated{b, ctx, st, q.Jobs}
			write := func(w io.Writer) error {
				switch s.output.format {
				case "text":
					return g.writeYAML(w)
				case "csv":
					return g.writeTables(w, table)
				}
				return allocation.WriteBatchJobs(w, b.BatchFile, g.jobs(), s.output.format == "jsonl")
			}
			return &result{write: func(w io.Writer) error { return writeOut(ctx, w, out, write) }}, nil
		},
	}
}

// parseMix reads three weights.
func parseMix(text string) (mix [3]float64, err error) {
	if text == "" {
		text = "20,70,10"
	}
	bad := func(reason string) error {
		return &ask.InputError{Field: "mix", Reason: quote(text) + ": " + reason + ", want weights of small, medium and large jobs such as 20,70,10"}
	}
	parts := strings.Split(text, ",")
	if len(parts) != len(mix) {
		return mix, bad(fmt.Sprintf("%d weights", len(parts)))
	}
	total := 0.0
	for i, p := range parts {
		v, err := units.Parse[units.Number](strings.TrimSuffix(strings.TrimSpace(p), "%"))
		if err != nil {
			return mix, bad(plainly(err))
		}
		mix[i] = float64(v)
		total += mix[i]
	}
	if total == 0 {
		return mix, bad("they are all 0")
	}
	return mix, nil
}
