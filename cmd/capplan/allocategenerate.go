package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
	"github.com/capplan/capplan/workload"
)

func allocateGenerateCommand() *command {
	q := &planner.GenerateQuestion{}
	s := &flagSet{output: &output{format: "text"}}
	oneOf(s, "format", &s.output.format, "`FORMAT` of the file: text (YAML), json, jsonl (JSON Lines) or csv (jobs, and resources in the file of --resources-file)", []string{"o"}, "text", "json", "jsonl", "csv")
	var jobs, resources, seed *units.Count
	var pf, bf, prices, fees, budget *units.Number
	var optional *units.Fraction
	var mix, table string
	value(s, "jobs", &jobs, "N", "jobs of the batch")
	value(s, "resources", &resources, "N", "resources of each of the three dependencies")
	value(s, "primary-factor", &pf, "X", "primary capacity over the summed mean demand, such as 0.6")
	value(s, "backup-factor", &bf, "X", "backup capacity over primary capacity (default 0.4)")
	value(s, "price-factor", &prices, "X", "mean price of a unit of capacity over the mean revenue of a unit of demand, such as 0.3")
	value(s, "optional", &optional, "SHARE", "of jobs that may be left out, such as 80%")
	value(s, "fee-factor", &fees, "X", "mean base fee over the mean revenue of a job's levels")
	value(s, "budget-factor", &budget, "X", "budget over the price of all primary capacity, with --price-factor")
	text(s, "mix", &mix, "SMALL,MEDIUM,LARGE", "weights of the three classes of jobs (default 20,70,10)")
	oneOf(s, "capacity-law", &q.CapacityLaw, "`LAW` of the capacities, a normal one of 0.75 read in two ways: literal (its variance in units squared, all but equal) or relative (sd over mean) (default relative)", nil, string(alloc.Literal), string(alloc.Relative))
	value(s, "seed", &seed, "N", "of the draws (default 1)")
	text(s, "resources-file", &table, "FILE", "to write the table of resources to, with -o csv")
	return &command{
		name: "generate", usage: "a synthetic batch (QoS-GRAF 5.2)", flags: s,
		description: `Writes a batch in a form that allocate reads: YAML, JSON, JSON Lines, or CSV with
the resources in a second file. The command that makes it again, seed included,
stands in its comment, which CSV has none of.

  $ capplan allocate generate --jobs 20 --resources 5 --primary-factor 0.6 --seed 7`,
		ask: func(ctx context.Context, _ *streams, _ []string) (*result, error) {
			switch {
			case jobs == nil:
				return nil, &planner.InputError{Field: "jobs", Reason: "not given, want a number such as --jobs 20"}
			case resources == nil:
				return nil, &planner.InputError{Field: "resources", Reason: "not given, want a number such as --resources 5"}
			case pf == nil:
				return nil, &planner.InputError{Field: "primary-factor", Reason: "not given, want a factor such as --primary-factor 0.6"}
			case (table != "") != (s.output.format == "csv"):
				return nil, &planner.InputError{Field: "resources-file", Reason: "it belongs to -o csv, and that to it: jobs go to stdout, resources to the file"}
			}
			if table != "" {
				if err := checkOut("resources-file", table); err != nil {
					return nil, err
				}
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
			if budget != nil && prices == nil {
				return nil, &planner.InputError{Field: "budget-factor", Reason: "nothing has a price: want --price-factor too"}
			}
			if budget != nil && s.output.format == "csv" {
				return nil, &planner.InputError{Field: "budget-factor", Reason: "tables of jobs and resources have no place for a budget: want another format than csv"}
			}
			if seed != nil {
				q.Seed = uint64(*seed)
			}
			var err error
			if q.Mix, err = parseMix(mix); err != nil {
				return nil, err
			}
			b, err := planner.GenerateBatch(ctx, q)
			if err != nil {
				return nil, err
			}
			return &result{write: func(w io.Writer) error {
				switch s.output.format {
				case "text":
					return writeBatchYAML(w, b)
				case "csv":
					return writeTables(w, table, b)
				}
				return workload.WriteBatch(w, b, s.output.format == "jsonl")
			}}, nil
		},
	}
}

// writeTables writes jobs to w and resources to a file, which gets its name
// when both are whole.
func writeTables(w io.Writer, path string, b *workload.BatchFile) error {
	file, err := outfile.Create(path)
	if err != nil {
		return outError("resources-file", path, err)
	}
	defer file.Discard()
	err = workload.WriteBatchTables(w, file, b)
	if file.Err() != nil {
		err = outError("resources-file", path, file.Err())
	}
	if err != nil {
		return err
	}
	if jobs, ok := w.(*bufio.Writer); ok {
		if err := jobs.Flush(); err != nil {
			return err
		}
	}
	if err := file.Commit(); err != nil {
		return outError("resources-file", path, err)
	}
	return nil
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

// writeBatchYAML writes a generated batch; its names are plain words.
func writeBatchYAML(out io.Writer, b *workload.BatchFile) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "comment: %s\ndependencies: [%s]\n", b.Comment, strings.Join(b.Dependencies, ", "))
	if b.Budget != nil {
		fmt.Fprintf(w, "budget: %v\n", float64(*b.Budget))
	}
	fmt.Fprint(w, "resources:\n")
	for _, r := range b.Resources {
		fmt.Fprintf(w, "  - {id: %s, dependency: %s, primary_capacity: %d, backup_capacity: %d", r.ID, r.Dependency, r.PrimaryCapacity, *r.BackupCapacity)
		if r.Price != nil {
			fmt.Fprintf(w, ", price: %v", float64(*r.Price))
		}
		fmt.Fprint(w, "}\n")
	}
	fmt.Fprint(w, "jobs:\n")
	for i := range b.Jobs {
		if _, err := w.Write(nil); err != nil {
			return err
		}
		j := &b.Jobs[i]
		fmt.Fprintf(w, "  - id: %s\n    class: %s\n", j.ID, j.Class)
		if j.Admission != "" {
			fmt.Fprintf(w, "    admission: %s\n", j.Admission)
		}
		if j.BaseFee != nil {
			fmt.Fprintf(w, "    base_fee: %d\n", *j.BaseFee)
		}
		fmt.Fprint(w, "    levels:\n")
		for _, need := range j.Levels {
			fmt.Fprintf(w, "      %s: [", need.Dependency)
			for n, l := range need.Value {
				if n > 0 {
					fmt.Fprint(w, ", ")
				}
				fmt.Fprintf(w, "{demand: %d, revenue: %d}", l.Demand, l.Revenue)
			}
			fmt.Fprint(w, "]\n")
		}
	}
	return w.Flush() // the first error of all
}
