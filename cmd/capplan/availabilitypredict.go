package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
)

func predictCommand() *command {
	s := newFlags(true)
	in, day := &hostInput{}, &dayInput{}
	var state string
	var elapsed *units.Duration
	estimator := "censored"
	var level *units.Fraction
	var resamples, seed *units.Count
	day.flags(s)
	oneOf(s, "state", &state, "`STATE` at the window's beginning: S1 or S2 (default: the one in which more days begin)", nil, "S1", "S2")
	value(s, "elapsed", &elapsed, "TIME", "already spent in it; ages then count from the entry of a state, else from the window's beginning")
	estimatorFlag(s, &estimator)
	value(s, "level", &level, "P", "of the confidence band (default 90%)")
	value(s, "resamples", &resamples, "N", "bootstrap draws of days (default 400)")
	value(s, "seed", &seed, "N", "of the draws (default 1)")
	in.flags(s)
	return &command{
		name: "predict", usage: "how likely is this machine free through a window?", args: "TRACE", maxArgs: 1, flags: s,
		description: `TRACE is ` + hostForm + `. The kernel is
estimated from the window's clock time on the most recent days of the kind, sojourns
that the window cuts being right-censored.

  $ capplan availability predict testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10

The machine has been under heavy load for 10 minutes:

  $ capplan availability predict testdata/host-small.csv --day weekday --start 10:00 --window 1h --days 10 --state S2 --elapsed 10min`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, errNoTrace()
			}
			q := &planner.PredictQuestion{State: state, Elapsed: float(elapsed), Counts: estimator == "counts", Seed: 1, Explain: s.output.explain}
			var err error
			if q.DayWindow, err = day.question(); err != nil {
				return nil, err
			}
			if q.Labelling, err = in.labelling(); err != nil {
				return nil, err
			}
			if level != nil {
				if q.Level = float64(*level); q.Level == 0 {
					return nil, &planner.InputError{Field: "level", Reason: "is 0, want a confidence level between 0 and 1 such as 90%"}
				}
			}
			if resamples != nil {
				if *resamples < 20 || *resamples > planner.MaxSamples {
					return nil, &planner.InputError{Field: "resamples", Reason: "want 20 to 10000000 draws"}
				}
				q.Resamples = int(*resamples)
			}
			if seed != nil {
				q.Seed = uint64(*seed)
			}
			if err := in.read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Host = &in.hosts[0]
			a, err := planner.Predict(ctx, q)
			if err != nil {
				return nil, err
			}
			return &result{
				value: a, warnings: slices.Concat(in.warnings, a.Warnings),
				text: func(p *page) { showPredict(p, a) },
				rows: func() [][]string { return withFailures(a, &a.AvailabilityFigures, a.Down) },
				draw: func(context.Context) (*drawing, error) {
					return drawReliability(&a.AvailabilityFigures, a.Down, a.Band(), a.Level)
				},
			}, nil
		},
	}
}

func estimatorFlag(s *flagSet, into *string) {
	oneOf(s, "estimator", into, "`NAME`: censored (default) or counts, which drops sojourns that the window cuts", nil, "censored", "counts")
}

func showPredict(p *page, a *planner.PredictAnswer) {
	p.headline("%s is free from %s for %s with probability %s (%s, %s)", a.Host, a.Start, units.FormatDuration(a.Window, 5), probability(a.TemporalReliability), a.Day, plural(int64(a.Days), "day", "days"))
	if a.Low != nil {
		p.row("band", probability(*a.Low)+" to "+probability(*a.High), units.FormatFraction(a.Level, 4)+", seed "+count(int64(a.Seed)))
	}
	if a.Observed != nil {
		p.row("observed", probability(*a.Observed), "of "+plural(int64(a.ObservedDays), "day", "days")+" that begin in "+a.InitialState)
	}
	showReliability(p, &a.AvailabilityFigures, a.Down)
	p.row("MTTF, parametric", optionalLong(a.MTTFParametric), "by sojourn laws of least AIC")
	p.table(sampleRows(a.Samples))
	p.explain(a.Explanation)
}

func estimateCommand() *command {
	s := newFlags(false)
	in, day := &hostInput{}, &dayInput{}
	var state, out string
	var ages bool
	estimator := "censored"
	day.flags(s)
	oneOf(s, "state", &state, "`STATE` that the file names as the initial one: S1 or S2 (default: in which more days begin)", nil, "S1", "S2")
	toggle(s, "ages", &ages, "count ages from the entry of a state, not from the window's beginning")
	estimatorFlag(s, &estimator)
	text(s, "out", &out, "FILE.json", "to write the kernel to, for solve")
	in.flags(s)
	return &command{
		name: "fit", usage: "the kernel of a window of a day", args: "TRACE", maxArgs: 1, flags: s,
		description: `Estimates the kernel that predict uses. The JSON is a kernel file that solve
reads; --out writes it beside a summary.

  $ capplan availability fit testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10 --out kernel.json
  $ capplan availability solve kernel.json --window 2h`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, errNoTrace()
			}
			q := &planner.KernelQuestion{State: state, Ages: ages, Counts: estimator == "counts"}
			var err error
			if q.DayWindow, err = day.question(); err != nil {
				return nil, err
			}
			if q.Labelling, err = in.labelling(); err != nil {
				return nil, err
			}
			if err := in.read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Host = &in.hosts[0]
			a, err := planner.EstimateKernel(q)
			if err != nil {
				return nil, err
			}
			if out != "" {
				if err := writeKernel(out, &a.Kernel); err != nil {
					return nil, err
				}
			}
			return &result{
				value: &a.Kernel, warnings: slices.Concat(in.warnings, a.Warnings),
				text: func(p *page) { showKernel(p, a, out) },
				rows: func() [][]string { return kernelRows(&a.Kernel) },
			}, nil
		},
	}
}

func writeKernel(path string, k *planner.Kernel) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	if err := enc.Encode(k); err != nil {
		return err
	}
	err := os.WriteFile(path, buf.Bytes(), 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		return &usageError{reason: "--out: " + quote(path) + ": there is no such folder"}
	}
	return err
}

func showKernel(p *page, a *planner.KernelAnswer, out string) {
	p.headline("kernel of %s steps of %s from %s, initial state %s", count(int64(a.Horizon)), units.FormatDuration(a.Step, 5), plural(int64(a.Days), "day", "days"), a.Initial)
	rows := [][]string{{"from", "to", "probability", "atoms", "mean sojourn"}}
	for _, from := range a.States {
		for _, to := range a.States {
			total, mean, atoms := 0.0, 0.0, 0
			for l, v := range a.Kernel.Kernel[from][to] {
				total += v
				mean += v * float64(l+1) * a.Step
				if v > 0 {
					atoms++
				}
			}
			if atoms > 0 {
				rows = append(rows, []string{from, to, probability(total), count(int64(atoms)), units.FormatDuration(mean/total, 5)})
			}
		}
		if t := a.Tail[from]; t > 0 {
			rows = append(rows, []string{from, "-", probability(t), "-", "not seen to end"})
		}
	}
	p.table(rows)
	p.table(sampleRows(a.Samples))
	if out != "" {
		p.headline("written to %s", out)
	}
}

// kernelRows are the atoms.
func kernelRows(k *planner.Kernel) [][]string {
	rows := [][]string{{"from", "to", "steps", "time_s", "probability"}}
	for _, from := range k.States {
		for _, to := range k.States {
			for l, v := range k.Kernel[from][to] {
				if v > 0 {
					rows = append(rows, []string{from, to, fmt.Sprint(l + 1), exactly(float64(l+1) * k.Step), exactly(v)})
				}
			}
		}
	}
	return rows
}
