package main

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/hostload"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

func recordCommand() *cmdline.Command {
	s := cmdline.NewFlags(false)
	var every, duration *units.Duration
	cmdline.Value(s, "every", &every, "TIME", "between samples (default 6s)")
	cmdline.Value(s, "duration", &duration, "TIME", "after which it ends (default: when it is stopped)")
	return &cmdline.Command{
		Name: "record", Usage: "samples this machine into a trace", Args: "FILE", MaxArgs: 1, Flags: s,
		Description: `Writes a host trace, time,cpu,free_mb: unix seconds, the share of all CPUs in use
since the sample before, and the memory in MB that a program could get. Each row
is written at once, so that Ctrl-C, a kill or a crash leave whole rows. With a
FILE that it has begun it goes on, at the same interval; the time between is a
gap, in which the machine counts as gone. Any other file is left as it is.

  $ capplan availability record trace.csv --every 200ms --duration 2s
  $ capplan availability label trace.csv`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if len(args) == 0 {
				return nil, &cmdline.UsageError{Reason: "no file given, want a name such as trace.csv to record to"}
			}
			r := &recording{every: 6 * time.Second}
			if every != nil {
				if !(*every >= 0.1 && *every <= 86400) {
					return nil, &ask.InputError{Field: "every", Reason: "want 100ms to 1d"}
				}
				r.every = time.Duration(math.Round(float64(*every)*1e3)) * time.Millisecond
			}
			if duration != nil {
				if !(*duration > 0 && *duration <= 1e9) {
					return nil, &ask.InputError{Field: "duration", Reason: "want a time above 0 such as 8h"}
				}
				r.until = time.Now().Add(time.Duration(float64(*duration) * float64(time.Second)))
			}
			if args[0] == "-" {
				return nil, &cmdline.UsageError{Reason: "want the name of a file, not -"}
			}
			a, warnings, err := r.run(ctx, args[0])
			if err != nil {
				return nil, err
			}
			out := cmdline.Answered(a, recordedSection(a), warnings...)
			out.Stoppable = true
			return out, nil
		},
	}
}

// A recordAnswer says what was recorded.
type recordAnswer struct {
	File      string   `json:"file"`
	Every     float64  `json:"every_s"`
	Samples   int      `json:"samples"` // of this run
	Rows      int      `json:"rows"`    // of the file
	MeanLoad  *float64 `json:"mean_load"`
	LeastFree *float64 `json:"least_free_bytes"`
}

// recordedSection says what was recorded.
func recordedSection(a *recordAnswer) *report.Section {
	s := &report.Section{}
	s.Say("%s written to %s", report.Plural(a.Samples, "sample"), a.File)
	s.Fact("every", units.FormatDuration(a.Every, 5))
	s.Fact("in the file", strconv.Itoa(a.Rows))
	if a.Samples > 0 {
		s.Fact("mean load", units.FormatFraction(*a.MeanLoad, 3))
		s.Fact("least free", units.FormatNumber(*a.LeastFree/1e6, 6)+" MB")
	}
	return s
}

type recording struct {
	every time.Duration
	until time.Time // zero: until it is stopped
}

// run samples at the multiples of the interval until ctx is done, which is no
// error.
func (r *recording) run(ctx context.Context, path string) (*recordAnswer, []string, error) {
	unix := func(t time.Time) float64 { return float64(t.UnixMilli()) / 1e3 }
	f, err := trace.OpenHostTrace(ctx, path, r.every.Seconds(), unix(time.Now()))
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	var warnings []string
	if f.Dropped != "" {
		warnings = append(warnings, path+": the last line was cut short and is dropped: "+spell.Quote(f.Dropped))
	}
	a := &recordAnswer{File: path, Every: r.every.Seconds(), Rows: f.Rows}
	var meter hostload.Meter
	if _, _, _, err := meter.Read(ctx); err != nil {
		return nil, nil, err
	}
	total := 0.0
	before := time.Now()
	for {
		step := r.every.Milliseconds()
		next := time.UnixMilli((time.Now().UnixMilli()/step + 1) * step) // on the grid of unix time
		if next.Sub(before) < r.every/2 {
			next = next.Add(r.every) // too short to measure
		}
		if !r.until.IsZero() && next.After(r.until) {
			// A whole interval does not fit any more.
			wait(ctx, time.Until(r.until))
			break
		}
		if !wait(ctx, time.Until(next)) {
			break
		}
		now := time.Now()
		load, free, ok, err := meter.Read(context.WithoutCancel(ctx))
		if err != nil {
			return nil, nil, err
		}
		// After a sleep of the machine, or so late, the load is that of no
		// single interval: the gap stays a gap. Rows have the time at which they
		// are due, so that all lie on one grid.
		late := now.Sub(before) > 2*r.every || now.Sub(next) > r.every/2
		before = now
		if !ok || late || unix(next) <= f.Last {
			continue
		}
		if err := f.Add(unix(next), load, free); err != nil {
			return nil, nil, err
		}
		a.Samples++
		total += load
		if a.LeastFree == nil || free < *a.LeastFree {
			a.LeastFree = &free
		}
	}
	a.Rows += a.Samples
	if a.Samples > 0 {
		mean := total / float64(a.Samples)
		a.MeanLoad = &mean
	}
	if a.Samples == 0 {
		warnings = append(warnings, "no sample: it ended before the first interval was over")
	}
	return a, warnings, f.Close()
}

// wait sleeps, and says whether ctx lasted.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
