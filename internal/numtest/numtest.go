// Package numtest is the numeric test kit: relative tolerances and tables of
// reference values with their sources. Only tests import it.
//
// Errors are relative, since figures go from 1e-300 to 1e300, and a NaN never passes. A table
// is CSV whose columns hold the arguments, the reference value, its tolerance and its source:
// a book, a paper or an independent program, never this one's own output.
package numtest

import (
	"encoding/csv"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// RelErr returns |got - want| / |want|, or |got| when want is 0. Equal
// values, infinities included, have error 0; NaN gives +Inf, so that a NaN
// never passes a tolerance.
func RelErr(got, want float64) float64 {
	switch {
	case got == want:
		return 0
	case math.IsNaN(got) || math.IsNaN(want):
		return math.Inf(1)
	case want == 0:
		return math.Abs(got)
	}
	return math.Abs(got-want) / math.Abs(want)
}

// Close reports an error when got differs from want by more than the relative
// tolerance tol. what names the quantity in the message.
func Close(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if e := RelErr(got, want); !(e <= tol) {
		t.Errorf("%s = %.17g, want %.17g (relative error %.2g > %.2g)", what, got, want, e, tol)
	}
}

// A Row is one line of a reference table: its cells by column name, its line
// number in the file and a reader for the numbers.
type Row struct {
	t     testing.TB
	file  string
	Line  int
	cells map[string]string
}

// Text returns the cell of the named column.
func (r Row) Text(column string) string {
	r.t.Helper()
	s, ok := r.cells[column]
	if !ok {
		r.t.Fatalf("%s:%d: no column %q", r.file, r.Line, column)
	}
	return s
}

// Float returns the cell of the named column as a number.
func (r Row) Float(column string) float64 {
	r.t.Helper()
	v, err := strconv.ParseFloat(r.Text(column), 64)
	if err != nil {
		r.t.Fatalf("%s:%d: column %s: %v", r.file, r.Line, column, err)
	}
	return v
}

// Table reads a reference table: CSV with a header row, lines starting with
// '#' are comments. It must have a column "source", filled in on every row,
// because a reference value that nobody can look up is no reference.
func Table(t testing.TB, file string) []Row {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	r.TrimLeadingSpace = true
	header, err := r.Read()
	if err != nil {
		t.Fatalf("%s: header: %v", file, err)
	}
	var rows []Row
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		line, _ := r.FieldPos(0)
		cells := make(map[string]string, len(header))
		for i, name := range header {
			cells[name] = strings.TrimSpace(record[i])
		}
		if cells["source"] == "" {
			t.Fatalf("%s:%d: reference value without a source", file, line)
		}
		rows = append(rows, Row{t, file, line, cells})
	}
	if len(rows) == 0 {
		t.Fatalf("%s: no rows", file)
	}
	return rows
}
