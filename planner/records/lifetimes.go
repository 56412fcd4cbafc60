package records

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// LifetimesForm is what a file of lifetimes holds, for messages.
const LifetimesForm = "durations in CSV, events of the Failure Trace Archive, a 0/1 trace of spot instances in JSON, " +
	"spot prices or the Los Alamos failure records in CSV, or samples of the load of machines; plain, .gz or .xz"

// Lifetimes reads a file of lifetimes, or a folder or an archive of traces: up and
// down intervals into Tally, or durations. Which fields a kind of file needs is refused by kind: a bid without
// prices, a unit without durations.
type Lifetimes struct {
	Kind      trace.TraceKind // empty: told by the content
	Unit      string          // of durations that name none: ms, s, min, h or d
	Threshold *int64          // instances from which on a spot trace is up; nil: 1
	Bid       *float64        // of spot prices, US dollars an hour
	Strict    bool            // a malformed row is an error, not a warning
	Open      trace.OpenOptions
	Tally     *tally.UpDown

	// Durations are not nil where the file held durations, Censored those that
	// were still going on.
	Durations []float64
	Censored  []bool
	Warnings  []string

	undated int // spot traces of a folder, each of which begins at 0
}

// Read reads the file; "-" is the standard input of Open. The beginning of a pipe is kept while its
// kind is determined, since it cannot be opened again. Errors: *source.FileError, *ask.InputError.
func (l *Lifetimes) Read(ctx context.Context, path string) error {
	ctx = given.Context(ctx)
	if path != "-" {
		again, stop := Rereadable(ctx, l.Open.Files, path)
		defer stop()
		if again != nil {
			defer func(before fs.FS) { l.Open.Files = before }(l.Open.Files)
			l.Open.Files = again
		}
	}
	if l.Kind == "" {
		// Samples of load, folders and archives are recognized first: their reader tells the kinds of
		// their files apart.
		var samples bool
		var err error
		if path == "-" {
			samples, err = peeksSamples(ctx, &l.Open)
		} else {
			samples, err = HoldSamples(ctx, path, l.Open)
		}
		switch {
		case err == nil && samples:
			return l.sampled(ctx, path)
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
	open := l.Open
	open.Want = LifetimesForm
	src, err := source.Open(ctx, path, open)
	if err != nil {
		return err
	}
	defer src.Close()
	r := bufio.NewReaderSize(src, 64<<10)
	kind := l.Kind
	if kind == "" {
		// All other kinds are recognized by the first 64 KiB.
		head, _ := r.Peek(64 << 10) // an error comes back at the first Read
		kind = trace.SniffTrace(head)
	}
	log, err := l.readKind(ctx, kind, src.Name, r)
	if err != nil {
		return err
	}
	l.Warnings = append(l.Warnings, log.Warnings...)
	l.Warnings = append(l.Warnings, malformed(&log.Malformed, src.Name)...)
	return nil
}

// malformed says which rows were left out: the first of them, and how many
// there are.
func malformed(bad *trace.BadRows, file string) (warnings []string) {
	for _, row := range bad.First {
		warnings = append(warnings, row.Error())
	}
	if n := bad.Total(); n > len(bad.First) {
		ask.Warn(&warnings, "%s: %d malformed rows in all are left out", file, n)
	}
	return warnings
}

// sampled reads samples of load, whose machines are up in S1 and S2, and all files of a folder or of
// an archive. Options of other kinds are refused by name.
func (l *Lifetimes) sampled(ctx context.Context, path string) error {
	const reason = "samples of load have none: %s"
	if l.Unit != "" {
		return ask.Inputf("unit", reason, path)
	}
	// Whether a folder holds spot traces or prices is known when it was read.
	whole := *l
	whole.Bid = nil
	if err := whole.belong(trace.SpotKind, false); err != nil {
		return err
	}
	in := &Samples{Tally: machines.NewSampledTally(machines.Labelling{}, l.Tally), Open: l.Open,
		Threshold: int(ask.Value(l.Threshold)), Bid: l.Bid, Strict: l.Strict}
	if err := in.Read(ctx, path); err != nil {
		return err
	}
	if l.Threshold != nil && in.spot == 0 {
		return ask.Inputf("threshold", reason, path)
	}
	if l.Bid != nil && in.prices == 0 {
		return ask.Inputf("bid", reason, path)
	}
	f, err := in.Tally.Fleet()
	if err != nil {
		return &ask.InputError{Reason: path + ": " + err.Error()}
	}
	l.undated = in.spot
	l.Warnings = append(append(l.Warnings, in.Warnings...), f.Warnings...)
	if in.Tally.Sampled() == 0 {
		return nil
	}
	up := ""
	if f.Availability != nil {
		up = units.FormatFraction(*f.Availability, 3)
	}
	h := f.Thresholds
	if path == "-" {
		path = "standard input"
	}
	ask.Warn(&l.Warnings,
		"%s: samples of load: a machine is up while it is free for a guest (S1 and S2: its load is above %s for no "+
			"more than %s), %s of the time",
		path, units.FormatFraction(h.Heavy, 3), units.FormatDuration(h.Grace, 3), up)
	return nil
}

// belong refuses an option that a file of a kind has no use for.
func (l *Lifetimes) belong(kind trace.TraceKind, durations bool) error {
	switch {
	case l.Threshold != nil && kind != trace.SpotKind:
		return ask.Inputf("threshold", "only used with a trace of spot instances")
	case l.Threshold != nil && (*l.Threshold < 1 || *l.Threshold > 1e9):
		return ask.Inputf("threshold", "want at least 1 instance")
	case l.Unit != "" && !durations:
		return ask.Inputf("unit", "only used with a file of durations")
	case l.Bid != nil && kind != trace.PriceKind:
		return ask.Inputf("bid", "only used with spot prices")
	case l.Bid == nil && kind == trace.PriceKind:
		return ask.Inputf("bid",
			"not given: a machine at a spot price is up while the price is at most the bid, want US dollars an hour "+
				"such as 0.05")
	}
	return nil
}

// readKind reads a file of a known kind; durations are what is no other. The
// tally takes intervals, and a file of durations fills Durations instead, since
// durations have no places in time.
func (l *Lifetimes) readKind(ctx context.Context, kind trace.TraceKind, name string,
	r io.Reader) (*trace.TraceLog, error) {
	durations := false
	switch kind {
	case trace.SpotKind, trace.FTAKind, trace.LANLKind, trace.PriceKind:
	default:
		durations = true
	}
	if err := l.belong(kind, durations); err != nil {
		return nil, err
	}
	// The tally does not know the file, whose name belongs in its errors.
	add := func(i trace.Interval) error {
		err := l.Tally.Add(i)
		if e := (*source.FileError)(nil); errors.As(err, &e) && e.File == "" {
			e.File = name
		}
		return err
	}
	switch kind {
	case trace.SpotKind:
		o := trace.SpotOptions{Strict: l.Strict, Threshold: int(ask.Value(l.Threshold))}
		return trace.ReadSpot(ctx, name, r, o, add)
	case trace.FTAKind:
		return trace.ReadFTA(ctx, name, r, trace.FTAOptions{Strict: l.Strict}, add)
	case trace.PriceKind:
		return trace.ReadSpotPrices(ctx, name, r, trace.SpotPriceOptions{Bid: *l.Bid, Strict: l.Strict}, add)
	case trace.LANLKind:
		log, err := trace.ReadLANL(ctx, name, r, trace.LANLOptions{Strict: l.Strict}, add)
		if err != nil {
			return nil, err
		}
		if n := log.Skipped; n > 0 {
			ask.Warn(&l.Warnings, "%s left out",
				fault.Count(n, "failure names no node and is", "failures name no node and are"))
		}
		l.Warnings = append(l.Warnings,
			"the records do not say when a node was watched before its first failure and after its last: up times "+
				"lie between two failures, and are too short on average")
		return &log.TraceLog, nil
	}
	// An empty list says that the file held durations, of which there may be
	// none.
	l.Durations = []float64{}
	kept := source.Keeper{What: "durations", Want: "a sample of them"}
	o := trace.DurationOptions{Unit: l.Unit, Strict: l.Strict}
	return trace.ReadDurations(ctx, name, r, o, func(d trace.Duration) error {
		l.Durations, l.Censored = append(l.Durations, d.Seconds), append(l.Censored, d.Censored)
		return kept.Keep(name)
	})
}
