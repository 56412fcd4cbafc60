package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

const traceForm = "durations in CSV, events of the Failure Trace Archive, a 0/1 trace of spot instances in JSON, spot prices or the Los Alamos failure records in CSV, or samples of the load of machines; plain, .gz or .xz"

// traceInput reads a file of lifetimes: up and down intervals into tally, or
// durations.
type traceInput struct {
	kind      string // empty: told by the content
	unit      string // of durations that name none
	threshold *units.Count
	bid       *units.Number // US dollars an hour
	strict    bool
	tally     *tally.UpDown

	durations []float64 // not nil: the file held durations
	censored  []bool
	warnings  []string
}

// sampled reads samples of load, whose machines are up in S1 and S2.
func (t *traceInput) sampled(ctx context.Context, path string, s *streams) error {
	switch reason := "samples of load have none: " + path; {
	case t.threshold != nil:
		return &ask.InputError{Field: "threshold", Reason: reason}
	case t.bid != nil:
		return &ask.InputError{Field: "bid", Reason: reason}
	case t.unit != "":
		return &ask.InputError{Field: "unit", Reason: reason}
	}
	in := &sampleInput{tally: machines.NewSampledTally(machines.Labelling{}, t.tally)}
	if err := in.read(ctx, path, s); err != nil {
		return err
	}
	f, err := in.tally.Fleet()
	if err != nil {
		return &ask.InputError{Reason: path + ": " + err.Error()}
	}
	t.warnings = append(append(t.warnings, in.warnings...), f.Warnings...)
	h := f.Thresholds
	t.warnings = append(t.warnings, fmt.Sprintf("%s: samples of load: a machine is up while it is free for a guest (S1 and S2: its load above %s for no more than %s), %s of the time",
		path, units.FormatFraction(h.Heavy, 3), units.FormatDuration(h.Grace, 3), optionalFraction(f.Availability)))
	return nil
}

// read reads the file; "-" is stdin.
func (t *traceInput) read(ctx context.Context, path string, s *streams) error {
	if path != "-" && t.kind == "" {
		switch samples, err := holdsSamples(ctx, path); {
		case err == nil && samples:
			return t.sampled(ctx, path, s)
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: s.in, Want: traceForm, Wrap: s.progress(path)})
	if err != nil {
		return err
	}
	defer src.Close()
	r := bufio.NewReaderSize(src, 64<<10)
	kind := trace.TraceKind(t.kind)
	if kind == "" {
		head, _ := r.Peek(64 << 10) // an error comes back at the first Read
		kind = trace.SniffTrace(head)
	}
	log, err := t.readKind(ctx, kind, src.Name, r)
	if err != nil {
		return err
	}
	t.warnings = append(t.warnings, log.Warnings...)
	for _, bad := range log.Malformed.First {
		t.warnings = append(t.warnings, strip(bad))
	}
	if n := log.Malformed.Total(); n > len(log.Malformed.First) {
		t.warnings = append(t.warnings, fmt.Sprintf("%s: %d malformed rows in all are left out", src.Name, n))
	}
	return nil
}

// readKind reads a file of a known kind; durations are what is no other.
func (t *traceInput) readKind(ctx context.Context, kind trace.TraceKind, name string, r io.Reader) (*trace.TraceLog, error) {
	durations := false
	switch kind {
	case trace.SpotKind, trace.FTAKind, trace.LANLKind, trace.PriceKind:
	case trace.HostKind, trace.CloudWatchKind:
		return nil, &ask.InputError{Reason: name + ": holds samples of load, which are read from a file only: give its name"}
	default:
		durations = true
	}
	switch {
	case t.threshold != nil && kind != trace.SpotKind:
		return nil, &ask.InputError{Field: "threshold", Reason: "belongs to a trace of spot instances"}
	case t.threshold != nil && (*t.threshold < 1 || *t.threshold > 1e9):
		return nil, &ask.InputError{Field: "threshold", Reason: "want at least 1 instance"}
	case t.unit != "" && !durations:
		return nil, &ask.InputError{Field: "unit", Reason: "belongs to a file of durations"}
	case t.bid != nil && kind != trace.PriceKind:
		return nil, &ask.InputError{Field: "bid", Reason: "belongs to spot prices"}
	case t.bid == nil && kind == trace.PriceKind:
		return nil, &ask.InputError{Field: "bid", Reason: "not given: spot prices are up while at most the bid, want US dollars an hour such as 0.05"}
	}
	switch kind {
	case trace.SpotKind:
		o := trace.SpotOptions{Strict: t.strict}
		if t.threshold != nil {
			o.Threshold = int(*t.threshold)
		}
		return trace.ReadSpot(ctx, name, r, o, t.tally.Add)
	case trace.FTAKind:
		return trace.ReadFTA(ctx, name, r, trace.FTAOptions{Strict: t.strict}, t.tally.Add)
	case trace.PriceKind:
		return trace.ReadSpotPrices(ctx, name, r, trace.SpotPriceOptions{Bid: float64(*t.bid), Strict: t.strict}, t.tally.Add)
	case trace.LANLKind:
		log, err := trace.ReadLANL(ctx, name, r, trace.LANLOptions{Strict: t.strict}, t.tally.Add)
		if err != nil {
			return nil, err
		}
		if n := log.Skipped; n > 0 {
			t.warnings = append(t.warnings, fmt.Sprintf("%d failures name no node and are left out", n))
		}
		t.warnings = append(t.warnings, "the records do not say when a node was watched before its first failure and after its last: up times are those between two failures, and short on the whole")
		return &log.TraceLog, nil
	}
	t.durations = []float64{}
	kept := source.Keeper{What: "durations", Want: "a sample of them"}
	return trace.ReadDurations(ctx, name, r, trace.DurationOptions{Unit: t.unit, Strict: t.strict}, func(d trace.Duration) error {
		t.durations, t.censored = append(t.durations, d.Seconds), append(t.censored, d.Censored)
		return kept.Keep(name)
	})
}
