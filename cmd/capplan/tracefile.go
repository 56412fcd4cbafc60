package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/units"
	"github.com/capplan/capplan/workload"
)

// The kinds of file that hold lifetimes. The empty one is told by the content.
const (
	durationsFile = "durations"
	ftaFile       = "fta"
	spotFile      = "spot"
)

const traceForm = "durations in CSV, events of the Failure Trace Archive, or a 0/1 trace of spot instances in JSON; plain, .gz or .xz"

// traceInput reads a file of lifetimes: up and down intervals into tally, or
// durations.
type traceInput struct {
	kind      string
	unit      string // of durations that name none
	threshold *units.Count
	strict    bool
	tally     *planner.FleetTally

	durations []float64 // not nil: the file held durations
	censored  []bool
	warnings  []string
}

// read reads the file; "-" is stdin.
func (t *traceInput) read(ctx context.Context, path string, s *streams) error {
	src, err := workload.Open(path, workload.OpenOptions{Stdin: s.in, Want: traceForm, Wrap: s.progress(path)})
	if err != nil {
		return err
	}
	defer src.Close()
	r := bufio.NewReaderSize(src, 64<<10)
	kind := t.kind
	if kind == "" {
		head, _ := r.Peek(64 << 10) // an error comes back at the first Read
		kind = traceKind(head)
	}
	var log *workload.TraceLog
	switch kind {
	case spotFile:
		o := workload.SpotOptions{Strict: t.strict}
		if t.threshold != nil {
			if *t.threshold < 1 || *t.threshold > 1e9 {
				return &planner.InputError{Field: "threshold", Reason: "want at least 1 instance"}
			}
			o.Threshold = int(*t.threshold)
		}
		log, err = workload.ReadSpot(ctx, src.Name, r, o, t.tally.Add)
	case ftaFile:
		log, err = workload.ReadFTA(ctx, src.Name, r, workload.FTAOptions{Strict: t.strict}, t.tally.Add)
	default:
		t.durations = []float64{}
		log, err = workload.ReadDurations(ctx, src.Name, r, workload.DurationOptions{Unit: t.unit, Strict: t.strict}, func(d workload.Duration) error {
			t.durations, t.censored = append(t.durations, d.Seconds), append(t.censored, d.Censored)
			return nil
		})
	}
	if err != nil {
		return err
	}
	if kind != spotFile && t.threshold != nil {
		return &planner.InputError{Field: "threshold", Reason: "belongs to a trace of spot instances"}
	}
	if kind != durationsFile && t.unit != "" {
		return &planner.InputError{Field: "unit", Reason: "belongs to a file of durations"}
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

// traceKind tells the kind of a file by its first lines.
func traceKind(head []byte) string {
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte{'\n'})
		head = rest
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] == '#':
			if names := bytes.Fields(bytes.TrimLeft(line, "# \t")); len(names) > 0 && string(names[0]) == "event_id" {
				return ftaFile
			}
		case line[0] == '{':
			return spotFile
		case bytes.Count(line, []byte{'\t'}) >= 6:
			return ftaFile
		default:
			return durationsFile
		}
	}
	return durationsFile
}
