package trace

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
)

// A Duration is how long something lasted, in seconds.
type Duration struct {
	Seconds  float64 // finite, >= 0
	Censored bool    // it lasted at least that long
	Line     int     // in the file, from 1
}

// DurationOptions says how to read durations.
type DurationOptions struct {
	// Unit is the unit of a file that names none: one of ms, s, min, h, d. A
	// file that names another one is an error.
	Unit string
	// Strict makes the first malformed line an error.
	Strict bool
}

const (
	durationForm   = `a header with "duration_s" (or _ms, _min, _h, _d) and optionally "censored" (0/1, true/false), or one number per line, "+" after a right-censored one`
	durationColumn = "duration"
)

// durationUnits are the seconds of each unit.
var durationUnits = map[string]float64{"ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400}

// ReadDurations reads durations from CSV and hands them to each in file order:
// a header with the column duration_UNIT and optionally censored, in either
// order and no others, or no header and one column of numbers. UNIT is ms, s,
// min, h or d; without a header, or with "duration" alone, it is o.Unit, which
// is needed then. A duration is right-censored if censored is 1 or true, or if
// a "+" follows the number.
//
// A duration below 0 or above 1e10 s, a cell that is no number, and any other
// censored cell are malformed, and left out; an empty duration is Skipped. In
// the log, First and Last are the least and the greatest duration in seconds.
// Errors are those of [ReadFTA], a header other than the above, and no unit.
// Time is linear in the bytes, memory constant.
func ReadDurations(ctx context.Context, name string, r io.Reader, o DurationOptions,
	each func(Duration) error) (*TraceLog, error) {
	ctx = given.Context(ctx)
	if _, known := durationUnits[o.Unit]; o.Unit != "" && !known {
		return &TraceLog{File: name}, source.Outside("ReadDurations", "Unit", fmt.Sprintf("%q", o.Unit),
			"ms, s, min, h or d")
	}
	t, log, err := openTrace(ctx, name, r, durationForm, o.Strict)
	if err != nil {
		return log, err
	}
	d := &durationReader{traceReader: t, unit: o.Unit, each: given.Each(each)}
	if err := t.rows(d.duration); err != nil {
		return log, err
	}
	return log, log.end(t.Want)
}

// A durationReader is what ReadDurations keeps between lines.
type durationReader struct {
	*traceReader
	each    func(Duration) error
	unit    string
	scale   float64 // s; 0 before the first line
	columns []int   // of duration and censored
	width   int
}

// duration reads a line. The first one determines the columns and the unit.
func (d *durationReader) duration(line []byte) error {
	if d.scale == 0 {
		if isHeader, err := d.start(line); isHeader || err != nil {
			return err
		}
	}
	cells, ok, err := d.row(line, d.width)
	if !ok {
		return err
	}
	cell := cells[d.columns[0]]
	if len(cell) == 0 {
		d.log.Skipped++
		return nil
	}
	v := Duration{Line: d.Line}
	// The mark of a censored duration is that of survival tables.
	if digits, plus := bytes.CutSuffix(cell, []byte{'+'}); plus {
		cell, v.Censored = digits, true
	}
	number, ok, err := d.number(line, cell, "duration", -math.MaxFloat64, math.MaxFloat64)
	if !ok {
		return err
	}
	v.Seconds = number * d.scale
	if !(v.Seconds >= 0 && v.Seconds <= source.MaxSeconds) {
		return d.bad(line, &d.log.Malformed.Range, table.CellColumn(line, cell),
			fmt.Sprintf("duration = %v is outside 0..%g s", number, source.MaxSeconds))
	}
	if i := d.columns[1]; i >= 0 {
		switch mark := string(bytes.ToLower(cells[i])); mark {
		case "1", "true":
			v.Censored = true
		case "0", "false":
		default:
			return d.bad(line, &d.log.Malformed.Value, table.CellColumn(line, cells[i]),
				fmt.Sprintf("censored = %q", source.Shown(cells[i])))
		}
	}
	// Durations have no dates: the log has the least and the greatest.
	d.log.span(v.Seconds, v.Seconds)
	d.log.Rows++
	return d.each(v)
}

// start takes the first line, which is a header unless it begins with a number.
func (d *durationReader) start(line []byte) (isHeader bool, err error) {
	cells, err := d.split.Split(line)
	if err != nil {
		return false, d.fatal(line, 0, err.Error(), source.ErrMalformed)
	}
	if _, number := source.ParseNumber(bytes.TrimSuffix(cells[0], []byte{'+'})); number {
		d.columns, d.width = []int{0, -1}, 1
		return false, d.setUnit(line, "", 0)
	}
	for _, cell := range cells {
		name := string(cell)
		if name != durationColumn && !strings.HasPrefix(name, durationColumn+"_") {
			continue
		}
		column := table.CellColumn(line, cell)
		if d.columns, d.width, err = d.header(line, false, name, "censored?"); err != nil {
			return false, err
		}
		unit := strings.TrimPrefix(strings.TrimPrefix(name, durationColumn), "_")
		return true, d.setUnit(line, unit, column)
	}
	return false, d.fatal(line, 0, `no column "duration_s" (or _ms, _min, _h, _d) in the header`, source.ErrMalformed)
}

// setUnit joins the unit that the file names, if any, with the option.
func (d *durationReader) setUnit(line []byte, named string, column int) error {
	switch _, known := durationUnits[named]; {
	case named == "" && d.unit == "":
		return d.fatal(line, column, "no unit: the file names none and none was given", source.ErrMalformed)
	case named != "" && !known:
		return d.fatal(line, column, fmt.Sprintf("unknown unit %q", named), source.ErrMalformed)
	case named != "" && d.unit != "" && named != d.unit:
		return d.fatal(line, column, fmt.Sprintf("the file is in %s, not in %s", named, d.unit), source.ErrMalformed)
	case named != "":
		d.unit = named
	}
	d.scale = durationUnits[d.unit]
	return nil
}
