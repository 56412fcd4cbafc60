package trace

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
)

// A Sample is what a host was seen to do at one time.
type Sample struct {
	Host int    // number from 0, in order of first appearance
	Name string // of the host
	Line int    // in the file, from 1
	Time float64
	CPU  float64 // share in use, 0..1
	// FreeMB is the free memory in megabytes, >= 0, if HasFree.
	FreeMB  float64
	HasFree bool
	// Down says that the machine was down, from an alive column; CPU is 0.
	Down bool
	// Unwatched says that nothing is known of the machine from Time to its next
	// sample: its monitor was down. The sample itself holds nothing.
	Unwatched bool
}

// SampleLog is a TraceLog of samples.
type SampleLog struct {
	TraceLog
	// MinStep and MaxStep are the least and the greatest time between two
	// samples of a host that follow each other; 0 if there are none.
	MinStep float64 `json:"min_step_s"`
	MaxStep float64 `json:"max_step_s"`
	steps   int
	above   int // rows whose CPU share is above 1, which count as 1
	first   int // line of the first of them
	over    int // rows whose free memory is below 0, which count as 0
	empty   int // rows without a CPU share
	percent bool
	maxCPU  float64
}

// openSamples starts reading; the log is returned with an error too.
func openSamples(ctx context.Context, name string, r io.Reader, form string, strict,
	percent bool) (*traceReader, *SampleLog, error) {
	l := &SampleLog{TraceLog: TraceLog{File: name}, percent: percent}
	lines, err := source.NewLineReader(ctx, name, r, form)
	if err != nil {
		return nil, l, err
	}
	return &traceReader{LineReader: lines, log: &l.TraceLog, strict: strict}, l, nil
}

// A sampleClock is the order of a host's samples.
type sampleClock struct {
	name    string
	last    float64
	step    float64 // from the sample before the last one
	line    int
	started bool
}

// inOrder takes a row's time if it is after the one before; ok is false if it
// was malformed.
func (t *traceReader) inOrder(line []byte, c *sampleClock, now float64) (ok bool, err error) {
	if c.started && now <= c.last {
		return false, t.badOrder(line,
			&OrderError{Node: c.name, Line: t.Line, Start: now, End: now, Before: c.last, BeforeLine: c.line})
	}
	if c.started {
		c.step = now - c.last
	}
	c.last, c.line, c.started = now, t.Line, true
	return true, nil
}

// time reads a cell's time; ok is false if it was malformed.
func (t *traceReader) time(line, cell []byte, zone *time.Location) (v float64, ok bool, err error) {
	v, ok = source.ParseTime(cell, zone)
	switch {
	case !ok:
		return 0, false, t.bad(line, &t.log.Malformed.Value, table.CellColumn(line, cell),
			fmt.Sprintf("time = %q", source.Shown(cell)))
	case v < -source.MaxSeconds || v > source.MaxSeconds:
		return 0, false, t.bad(line, &t.log.Malformed.Range, table.CellColumn(line, cell),
			fmt.Sprintf("time = %q is beyond %g s (milliseconds?)", source.Shown(cell), source.MaxSeconds))
	}
	return v, true, nil
}

// mostCores bounds a CPU share above 1, that of a machine of many cores each of
// which counts: beyond it the cell holds something else.
const mostCores = 100

// cpu reads a cell's CPU share; ok is false if it was malformed. One above 1 is
// an overloaded machine, which must not look better than a busy one for want of
// samples: it counts as 1.
func (t *traceReader) cpu(l *SampleLog, line, cell []byte, name string) (v float64, ok bool, err error) {
	v, ok = source.ParseNumber(cell)
	high := 1.0
	if l.percent {
		high = 100
	}
	switch {
	case !ok:
		return 0, false, t.bad(line, &t.log.Malformed.Value, table.CellColumn(line, cell),
			fmt.Sprintf("%s = %q is not a number", name, source.Shown(cell)))
	case v > high && v <= mostCores*high && !t.strict:
		if l.above++; l.above == 1 {
			l.first = t.Line
		}
		return 1, true, nil
	case v < 0 || v > high:
		return 0, false, t.bad(line, &t.log.Malformed.Range, table.CellColumn(line, cell),
			fmt.Sprintf("%s = %v is outside 0..%v", name, v, high))
	}
	l.maxCPU = max(l.maxCPU, v)
	return v / high, true, nil
}

// sampled counts a good row of a host, whose row before was at last.
func (l *SampleLog) sampled(started bool, last, now float64) {
	l.span(now, now)
	l.Rows++
	if !started {
		return
	}
	step := now - last
	if l.steps == 0 {
		l.MinStep, l.MaxStep = step, step
	}
	l.steps++
	l.MinStep, l.MaxStep = min(l.MinStep, step), max(l.MaxStep, step)
}

// finish warns of a likely mix-up of fractions and percent, or refuses it.
func (l *SampleLog) finish(want string) error {
	whole := l.Rows - l.above
	switch {
	case !l.percent && l.above > whole:
		return source.Whole(l.File,
			fmt.Sprintf("%s above 1 and %s: the file is in percent", fault.Count(l.above, "value is", "values are"),
				fault.Count(whole, "is not", "are not")), want,
			ErrPercent)
	case !l.percent && l.above > 0:
		l.warn("%s as 1, the first in line %d; if the file is in percent, say so",
			fault.Count(l.above, "row with a CPU share above 1 counts", "rows with a CPU share above 1 count"), l.first)
	case l.above > 0:
		l.warn("%s as 100%%, the first in line %d",
			fault.Count(l.above, "row with a CPU share above 100% counts", "rows with a CPU share "+
				"above 100% count"), l.first)
	case l.percent && l.Rows > 0 && l.maxCPU <= 1:
		l.warn("no value above 1%% in %s; if the file has fractions, do not read it as percent",
			fault.Count(l.Rows, "row"))
	}
	if l.over > 0 {
		l.warn("%s as 0", fault.Count(l.over, "row with a free memory below 0 counts", "rows with a free memory "+
			"below 0 count"))
	}
	if l.empty > 0 {
		l.warn("%s", fault.Count(l.empty, "row has no CPU share: it is a missing sample",
			"rows have no CPU share: they are missing samples"))
	}
	return l.end(want)
}

// warn adds a warning.
func (l *SampleLog) warn(format string, args ...any) {
	l.Warnings = append(l.Warnings, fmt.Sprintf(format, args...))
}
