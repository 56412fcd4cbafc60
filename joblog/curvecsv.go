package joblog

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

const curveForm = `a header "time_s,rate_per_s" and rows such as "3600,0.25"`

// ReadCurve reads a load curve from CSV: a header naming the columns time_s and
// rate_per_s, in either order and no others, then at least two rows with
// strictly increasing times in seconds and finite rates >= 0 per second. Row i
// holds until the time of row i+1, the last row as long as the one before it.
// Lines that are blank or start with '#' are passed over, and a UTF-8 byte
// order mark too.
//
// Whatever else is in the file gives a *FileError (ErrMalformed, ErrEmpty,
// ErrBinary) with line and column. name is used in messages only.
func ReadCurve(ctx context.Context, name string, r io.Reader) (*Curve, error) {
	ctx = given.Context(ctx)
	lines, err := source.NewLineReader(ctx, name, r, curveForm)
	if err != nil {
		return nil, err
	}
	c := &curveReader{LineReader: lines}
	for {
		line, tooLong, err := c.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		trimmed := bytes.TrimSpace(line)
		switch {
		case len(trimmed) == 0 || trimmed[0] == '#':
			continue
		case tooLong:
			err = c.bad(line, 0, fmt.Sprintf("a line of more than %d bytes", source.MaxLine), curveForm)
		case !c.header:
			err = c.readHeader(line)
		default:
			err = c.readRow(line)
		}
		if err != nil {
			return nil, err
		}
	}
	start := c.curve.Start
	if n := len(start); n < 2 {
		return nil, c.Fail(fmt.Sprintf("%d rows", n), source.ErrMalformed)
	}
	last := start[len(start)-1]
	c.curve.End = last + (last - start[len(start)-2])
	return &c.curve, nil
}

type curveReader struct {
	*source.LineReader
	curve      Curve
	header     bool
	time, rate int // columns
}

func (c *curveReader) bad(line []byte, column int, problem, want string) error {
	if what := source.Sniff(line[:min(len(line), source.SniffLen)]); what != "" {
		return &source.FileError{
			File:    c.Name,
			Line:    c.Line,
			Column:  0,
			Text:    source.Shown(line),
			Problem: "holds " + what,
			Want:    curveForm,
			Err:     source.ErrBinary,
		}
	}
	return &source.FileError{
		File:    c.Name,
		Line:    c.Line,
		Column:  column,
		Text:    source.Shown(line),
		Problem: problem,
		Want:    want,
		Err:     source.ErrMalformed,
	}
}

// cells splits a line and returns the cells, trimmed, and their columns.
func (c *curveReader) cells(line []byte) (cells []string, at []int, err error) {
	r := csv.NewReader(bytes.NewReader(line))
	r.TrimLeadingSpace = true
	cells, err = r.Read()
	if err != nil {
		column, problem := 0, err.Error()
		if e := (*csv.ParseError)(nil); errors.As(err, &e) {
			column, problem = e.Column, e.Err.Error()
		}
		return nil, nil, c.bad(line, column, problem, curveForm)
	}
	for i := range cells {
		_, column := r.FieldPos(i)
		cells[i], at = strings.TrimSpace(cells[i]), append(at, column)
	}
	return cells, at, nil
}

func (c *curveReader) readHeader(line []byte) error {
	cells, at, err := c.cells(line)
	if err != nil {
		return err
	}
	c.header, c.time, c.rate = true, -1, -1
	for i, name := range cells {
		column := map[string]*int{"time_s": &c.time, "rate_per_s": &c.rate}[name]
		switch {
		case column == nil:
			return c.bad(line, at[i], fmt.Sprintf("unknown column %q", name), `a header with the columns "time_s,rate_per_s" only`)
		case *column >= 0:
			return c.bad(line, at[i], fmt.Sprintf("column %q twice", name), "it once")
		}
		*column = i
	}
	switch {
	case c.time < 0:
		return c.bad(line, 0, `no column "time_s"`, `the header "time_s,rate_per_s"`)
	case c.rate < 0:
		return c.bad(line, 0, `no column "rate_per_s"`, `the header "time_s,rate_per_s"`)
	}
	return nil
}

func (c *curveReader) readRow(line []byte) error {
	cells, at, err := c.cells(line)
	if err != nil {
		return err
	}
	if len(cells) != 2 {
		return c.bad(line, 0, fmt.Sprintf("%d cells", len(cells)), "2, as the header has")
	}
	t, ok := source.ParseNumber([]byte(cells[c.time]))
	if !ok || math.Abs(t) > source.MaxField {
		return c.bad(line, at[c.time], fmt.Sprintf("time_s = %q", cells[c.time]), "a number of seconds, such as 3600")
	}
	rate, ok := source.ParseNumber([]byte(cells[c.rate]))
	if !ok || rate < 0 || rate > source.MaxField {
		return c.bad(line, at[c.rate], fmt.Sprintf("rate_per_s = %q", cells[c.rate]), "a finite rate >= 0 per second, such as 0.25")
	}
	if n := len(c.curve.Start); n > 0 && t <= c.curve.Start[n-1] {
		return c.bad(line, at[c.time], fmt.Sprintf("time_s = %v", t), fmt.Sprintf("more than %v of the row before", c.curve.Start[n-1]))
	}
	if len(c.curve.Start) == source.MaxKept {
		return c.bad(line, 0, fmt.Sprintf("more than %d million rows", source.MaxKept/1_000_000), "a curve of fewer")
	}
	c.curve.Start = append(c.curve.Start, t)
	c.curve.Rate = append(c.curve.Rate, rate)
	return nil
}
