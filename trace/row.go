package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
)

// The names of machines are kept while their trace is read.
const (
	maxMachines     = 250_000  // of one file: ranked, a million took 3 GB
	maxMachineNames = 64 << 20 // bytes of their names
)

// row splits a line into n cells; ok is false if it was malformed.
func (t *traceReader) row(line []byte, n int) (cells [][]byte, ok bool, err error) {
	cells, err = t.split.Split(line)
	count := &t.log.Malformed.Columns
	switch {
	case err != nil:
		return nil, false, t.bad(line, count, 0, err.Error())
	case len(cells) != n:
		return nil, false, t.bad(line, count, 0, fmt.Sprintf("%s where the header has %d",
			fault.Count(len(cells), "column"), n))
	}
	return cells, true, nil
}

// header returns the index of each wanted column in a header line, -1 for an
// optional one that it lacks, and the number of columns. Optional names end in
// "?". Other columns are an error unless others is set.
func (t *traceReader) header(line []byte, others bool, wanted ...string) (at []int, n int, err error) {
	cells, err := t.split.Split(line)
	if err != nil {
		return nil, 0, t.fatal(line, 0, err.Error(), source.ErrMalformed)
	}
	at = slices.Repeat([]int{-1}, len(wanted))
	for i, cell := range cells {
		known := slices.IndexFunc(wanted, func(w string) bool { return strings.TrimSuffix(w, "?") == string(cell) })
		switch {
		case known >= 0 && at[known] >= 0:
			return nil, 0, t.fatal(line, table.CellColumn(line, cell), fmt.Sprintf("column %q twice", cell),
				source.ErrMalformed)
		case known >= 0:
			at[known] = i
		case !others:
			return nil, 0, t.fatal(line, table.CellColumn(line, cell),
				fmt.Sprintf("unknown column %q in the header", source.Shown(cell)), source.ErrMalformed)
		}
	}
	for i, w := range wanted {
		if at[i] < 0 && !strings.HasSuffix(w, "?") {
			return nil, 0, t.fatal(line, 0, fmt.Sprintf("no column %q in the header", w), source.ErrMalformed)
		}
	}
	return at, len(cells), nil
}

// fatal is the error of a line without which nothing else can be read.
func (t *traceReader) fatal(line []byte, column int, problem string, err error) error {
	if what := source.Sniff(line[:min(len(line), source.SniffLen)]); what != "" {
		problem, err = "holds "+what, source.ErrBinary
	}
	return t.fault(line, column, problem, err)
}

// fault is the error of a line, with the line and the form that is wanted.
func (t *traceReader) fault(line []byte, column int, problem string, err error) *source.FileError {
	return &source.FileError{
		File:    t.Name,
		Line:    t.Line,
		Column:  column,
		Text:    source.Shown(line),
		Problem: problem,
		Want:    t.Want,
		Err:     err,
	}
}

// number reads a cell within [low, high]; ok is false if it was malformed.
func (t *traceReader) number(line, cell []byte, name string, low, high float64) (v float64, ok bool, err error) {
	v, ok = source.ParseNumber(cell)
	switch {
	case !ok:
		return 0, false, t.bad(line, &t.log.Malformed.Value, table.CellColumn(line, cell),
			fmt.Sprintf("%s = %q is not a number", name, source.Shown(cell)))
	case v < low || v > high:
		return 0, false, t.bad(line, &t.log.Malformed.Range, table.CellColumn(line, cell),
			fmt.Sprintf("%s = %v is outside %g..%g", name, v, low, high))
	}
	return v, true, nil
}

// enrol counts a machine that a file names for the first time.
func (t *traceReader) enrol(name string) error {
	t.machines++
	t.names += len(name)
	if t.machines > maxMachines || t.names > maxMachineNames {
		return t.Fail(fmt.Sprintf("more than %d machines, or %d MiB of their names", maxMachines, maxMachineNames>>20),
			source.ErrMemory).Wanting("a part of the machines at a time")
	}
	return nil
}
