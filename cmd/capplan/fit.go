package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/report"
)

// fitCommand fits the laws of a workload model to a job log. The figures that it prints are those
// which size takes from a log.
func fitCommand() *cmdline.Command {
	// The plot shows gaps and run times beside the laws fitted to them.
	s := cmdline.NewFlags(true)
	var w window
	w.flags(s)
	return &cmdline.Command{
		Name: "fit", Usage: "what load does this job log hold?", Args: "FILE.swf", MaxArgs: 1, Flags: s,
		NoArgs: "no log given, want a file such as log.swf or log.swf.gz, or - for stdin",
		Description: `Reads a log in the Standard Workload Format (plain, .gz or .xz) and reports its load, its
variability, and the laws of the DAS-2 workload model fitted to it by maximum likelihood:
Weibull gaps, lognormal run times, two-stage log-uniform sizes.

  $ capplan fit testdata/das2-small.swf.gz`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			a, err := fitLog(ctx, args[0], st, w.options(), s.Output.Explain)
			if err != nil {
				return nil, err
			}
			return cmdline.Answered(a, report.Log(a)), nil
		},
	}
}

// fitLog reads a log and fits laws to its jobs. The summary needs one pass and no memory; the
// samples are kept for the fits. Errors: *source.FileError for a log that is none, and where it
// holds more jobs than are kept.
func fitLog(ctx context.Context, path string, s *cmdline.Streams, o joblog.SWFOptions,
	explain bool) (*records.LogAnswer, error) {
	var samples joblog.Samples
	// The fits by maximum likelihood go over all jobs several times, so that these are held in memory,
	// up to a bound.
	kept := source.Keeper{What: "jobs", Want: "a part of the log: --from and --to"}
	summary, log, err := scanLog(ctx, path, s, o, func(j joblog.Job) error {
		samples.Add(j)
		return kept.Keep(path)
	})
	if err != nil {
		return nil, err
	}
	return parallel.Await(ctx, func() (*records.LogAnswer, error) { // 5 million jobs take 1.5 s
		return records.FitLog(summary, log, &samples, explain)
	})
}
