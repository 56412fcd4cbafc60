package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
)

// What can be wrong with a trace; test with errors.Is.
var (
	// ErrNoRows: no usable row.
	ErrNoRows = errors.New("no usable row")
	// ErrPercent: more values above 1 than fractions; the file is in percent.
	ErrPercent = errors.New("values in percent")
	// ErrMemoryTotal: shares of a memory, and the options do not say how much there is.
	ErrMemoryTotal = fmt.Errorf("%w: shares of a memory that is not said", source.ErrMalformed)
)

// A TraceLog says what was read from a trace. Times are unix seconds unless
// the reader says otherwise.
type TraceLog struct {
	File      string   `json:"file"`
	Lines     int      `json:"lines"`   // all lines; of an archive, all files
	Rows      int      `json:"rows"`    // well-formed, with a value
	Skipped   int      `json:"skipped"` // well-formed, without a value: each reader says which
	Nodes     int      `json:"nodes"`   // different nodes or hosts
	Joined    int      `json:"joined"`  // intervals made part of the one before
	First     float64  `json:"first_s"` // least time of Rows
	Last      float64  `json:"last_s"`  // greatest time of Rows
	Malformed BadRows  `json:"malformed"`
	Warnings  []string `json:"warnings,omitempty"`
}

// BadRows counts rows that are not what the format says, by reason. They are
// left out. An element of a JSON array or a file of an archive is a row too.
type BadRows struct {
	Columns  int `json:"columns"`  // wrong number of columns, or a broken quote
	Value    int `json:"value"`    // a field is not what it must be: no number, no time, an unknown event
	Range    int `json:"range"`    // a number outside its domain, such as a CPU share above 1
	Backward int `json:"backward"` // an end before its start, or a time before an earlier row's of the node
	Overlap  int `json:"overlap"`  // a start before the end of the node's interval before it, or the same time twice
	TooLong  int `json:"too_long"` // more than 64 KiB
	// First holds the first five, with line, text and expected form.
	First []*source.FileError `json:"-"`
}

// Total returns the number of malformed rows.
func (b BadRows) Total() int {
	return b.Columns + b.Value + b.Range + b.Backward + b.Overlap + b.TooLong
}

// An OrderError says that an interval runs backward or overlaps an earlier one
// of its node, or that a sample is not later than the one before. It is the
// cause (errors.As) of a *FileError, and matches ErrMalformed.
type OrderError struct {
	Node       string
	Line       int     // from 1
	Start, End float64 // s; of a sample both are its time
	Before     float64 // s, end of the interval before or time of the sample before
	BeforeLine int     // 0: the row runs backward in itself
	// Zone is that of the file's clock where the file writes dates, in which the
	// message names times; nil: it writes seconds.
	Zone *time.Location
}

// at writes a time as the file does.
func (e *OrderError) at(s float64) string {
	if e.Zone == nil || !(math.Abs(s) < 1e11) {
		return fmt.Sprintf("%.15g s", s)
	}
	whole := math.Floor(s)
	t := time.Unix(int64(whole), int64((s-whole)*1e9)).In(e.Zone)
	zone, _ := t.Zone()
	return t.Format("2006-01-02 15:04:05.999 ") + zone
}

// Error has one sentence for each way to be out of order.
func (e *OrderError) Error() string {
	switch {
	case e.End < e.Start:
		return fmt.Sprintf("node %q: the interval runs backward, from %s to %s", e.Node, e.at(e.Start), e.at(e.End))
	case e.Start == e.End && e.Start == e.Before:
		return fmt.Sprintf("node %q: time %s again, after line %d", e.Node, e.at(e.Start), e.BeforeLine)
	case e.Start == e.End:
		return fmt.Sprintf("node %q: time %s is before %s of line %d",
			e.Node, e.at(e.Start), e.at(e.Before), e.BeforeLine)
	}
	return fmt.Sprintf("node %q: the interval from %s overlaps the one of line %d, which ends at %s",
		e.Node, e.at(e.Start), e.BeforeLine, e.at(e.Before))
}

func (e *OrderError) Unwrap() error { return source.ErrMalformed }

// traceReader is the part that readers of traces share.
type traceReader struct {
	*source.LineReader
	log    *TraceLog
	strict bool
	// comment, if set, takes lines that start with '#'.
	comment func(line []byte) error
	split   table.Splitter
	// machines are those enrolled, names the bytes of their names.
	machines, names int
}

// rows hands each line that is neither blank nor a comment to row.
func (t *traceReader) rows(row func(line []byte) error) error {
	for {
		line, tooLong, err := t.Next()
		t.log.Lines = t.Line
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		i := 0
		for i < len(line) && source.IsBlank(line[i]) {
			i++
		}
		switch {
		case i == len(line):
		case tooLong:
			err = t.bad(line, &t.log.Malformed.TooLong, 0, fmt.Sprintf("a line of more than %d bytes", source.MaxLine))
		case line[i] == '#':
			if t.comment != nil {
				err = t.comment(line[i:])
			}
		default:
			err = row(line)
		}
		if err != nil {
			return err
		}
	}
}

// bad counts a malformed row; it is an error with strict, if the row is binary,
// or if nothing but malformed rows has come so far.
func (t *traceReader) bad(line []byte, count *int, column int, problem string) error {
	if t.counted(line, count) {
		return nil
	}
	return t.badRow(count, t.fault(line, column, problem, source.ErrMalformed))
}

// badOrder is bad for an OrderError.
func (t *traceReader) badOrder(line []byte, e *OrderError) error {
	count := &t.log.Malformed.Overlap
	if e.End < e.Start || e.End == e.Start && e.Start < e.Before {
		count = &t.log.Malformed.Backward
	}
	if t.counted(line, count) {
		return nil
	}
	if e.Zone == nil && !bytes.Contains(line, fmt.Appendf(nil, "%.0f", math.Floor(e.Start))) {
		e.Zone = time.UTC
	}
	return t.badRow(count, t.fault(line, 0, e.Error(), e))
}

// counted counts a malformed row of which nothing else is kept, since enough have
// been named: a file may have millions.
func (t *traceReader) counted(line []byte, count *int) bool {
	if t.strict || t.log.Rows == 0 || len(t.log.Malformed.First) < source.MaxNamed || source.Sniff(line) != "" {
		return false
	}
	*count++
	return true
}

// badRow says so where the row is binary, which ends the reading.
func (t *traceReader) badRow(count *int, e *source.FileError) error {
	if what := source.Sniff([]byte(e.Text)); what != "" {
		e.Problem, e.Err = "holds "+what, source.ErrBinary
	}
	return t.log.bad(count, e, t.strict)
}

// bad counts and keeps e, and returns it where it ends the reading.
func (l *TraceLog) bad(count *int, e *source.FileError, strict bool) error {
	*count++
	m := &l.Malformed
	if len(m.First) < source.MaxNamed {
		m.First = append(m.First, e)
	}
	if strict || errors.Is(e, source.ErrBinary) {
		return e
	}
	if total := m.Total(); l.Rows == 0 && total >= source.MaxMalformed {
		first := *m.First[0]
		first.Problem = fmt.Sprintf("none of the first %d rows is usable; %s", total, first.Problem)
		return &first
	}
	return nil
}

// end is ErrNoRows if nothing usable came.
func (l *TraceLog) end(want string) error {
	if l.Rows > 0 {
		return nil
	}
	err := ErrNoRows
	if first := l.Malformed.First; len(first) > 0 {
		err = fmt.Errorf("%w: %w", ErrNoRows, first[0])
	}
	return source.Whole(l.File,
		fmt.Sprintf("no usable row in %d (%d malformed, %d without a value)", l.Lines, l.Malformed.Total(), l.Skipped),
		want, err)
}

// span widens First and Last; it comes before Rows is counted.
func (l *TraceLog) span(start, end float64) {
	if l.Rows == 0 {
		l.First, l.Last = start, end
	}
	l.First, l.Last = min(l.First, start), max(l.Last, end)
}

// openTrace starts reading; the log is returned with an error too.
func openTrace(ctx context.Context, name string, r io.Reader, form string,
	strict bool) (*traceReader, *TraceLog, error) {
	log := &TraceLog{File: name}
	lines, err := source.NewLineReader(ctx, name, r, form)
	if err != nil {
		return nil, log, err
	}
	return &traceReader{LineReader: lines, log: log, strict: strict}, log, nil
}
