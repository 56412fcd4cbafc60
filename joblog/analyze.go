package joblog

import (
	"cmp"
	"context"
	"fmt"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// An Analysis is what a log holds: what was read, its load and its laws.
type Analysis struct {
	Log      *SWFLog  `json:"log"`
	Summary  Summary  `json:"summary"`
	Laws     Laws     `json:"laws"`
	Warnings []string `json:"warnings,omitempty"` // of the reading; Summary and Laws hold their own
}

// AnalyzeSWF reads the log at path ("-" is open.Stdin) and returns its load and
// fitted laws. It keeps 24 bytes per usable job, for the fits. A malformed or
// unusable share of lines is warned of; for errors see [source.Open], [ReadSWF] and
// [Summarizer.Summary]. On an error the Analysis holds the log as far as read,
// and is nil only if path could not be opened.
func AnalyzeSWF(ctx context.Context, path string, open source.OpenOptions, o SWFOptions) (*Analysis, error) {
	ctx = given.Context(ctx)
	open.Want = cmp.Or(open.Want, "a job log in the Standard Workload Format, plain, gzip- or xz-compressed")
	src, err := source.Open(ctx, path, open)
	if err != nil {
		return nil, err
	}
	defer src.Close()

	var samples Samples
	var sum Summarizer
	kept := source.Keeper{What: "jobs", Want: "a part of the log, from a time to another"}
	onHeader := o.OnHeader
	o.OnHeader = func(h *Header) {
		sum.Header = h
		if onHeader != nil {
			onHeader(h)
		}
	}
	a := &Analysis{}
	a.Log, err = ReadSWF(ctx, src.Name, src, o, func(j Job) error {
		sum.Add(j)
		samples.Add(j)
		return kept.Keep(src.Name)
	})
	if err != nil {
		return a, err
	}
	a.warn()
	if a.Summary, err = sum.Summary(o); err != nil {
		return a, fmt.Errorf("%s: %w", src.Name, err)
	}
	a.Summary.SkippedJobs = a.Log.Skipped.Total()
	a.Summary.MalformedLines = a.Log.Malformed.Total()
	a.Summary.OutsideWindow = a.Log.Outside
	a.Laws, err = FitLaws(samples)
	return a, err
}

func (a *Analysis) warn() {
	if m := a.Log.Malformed; m.Total() > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf(
			"%d of %d lines are malformed and were left out; the first: %v", m.Total(), a.Log.Lines, m.First[0]))
	}
	if s := a.Log.Skipped; s.Total() > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf(
			"%d jobs carry no load and were left out: %d cancelled, %d without run time, %d without processors; the arrival rate is without them",
			s.Total(), s.Cancelled, s.RunTimeUnknown, s.ProcessorsUnknown))
	}
}
