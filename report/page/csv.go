package page

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/scalars"
)

// Data is a table for programs: base units as in the JSON, all rows.
type Data struct {
	Name string // of its file, without .csv
	// Each hands out the rows one by one, the names of the columns first.
	Each func(row func([]string) error) error
	// CSV writes the bytes of a csv.Writer given the rows of Each, where there is a
	// faster way; nil: there is none.
	CSV func(io.Writer) error
}

// RowsOf is a row for each struct of a slice. The columns are the scalar fields of the struct, by
// their JSON names. Rows are written from the structs as they are handed out: of hundreds of thousands
// of machines, whose answer is mostly not asked for as CSV, none is kept.
func RowsOf(name string, all any) Data {
	return Data{Name: name, Each: func(row func([]string) error) error { return scalars.Each(all, row) }}
}

// Scalars is one row of the scalar fields of an answer.
func Scalars(a any) Data {
	names, row := scalars.Of(a)
	return Rows("", [][]string{names, row})
}

// WithParts is one row of the scalar fields of an answer and of its parts. A field of a part has
// the name of the part before its own.
func WithParts(name string, a any) Data {
	names, row := scalars.WithParts(a)
	return Rows(name, [][]string{names, row})
}

// Rows are rows that are there, the names of the columns first. The rows are kept as they are
// given.
func Rows(name string, rows [][]string) Data {
	return Data{Name: name, Each: func(row func([]string) error) error {
		for _, r := range rows {
			if err := row(r); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Write writes the table as CSV. Safe puts ' before a cell that a spreadsheet
// would take for a formula: names of machines and jobs come from files of
// others, and a formula may open a page or run a program.
func (t *Data) Write(w io.Writer, safe bool) error {
	// The faster way knows no formulas, and is left aside where they matter.
	if t.CSV != nil && !safe {
		return t.CSV(given.Writer(w))
	}
	c := csv.NewWriter(given.Writer(w))
	err := t.Each(func(row []string) error {
		if safe && slices.ContainsFunc(row, formula) {
			// The row may belong to the answer, which stays as it is.
			row = slices.Clone(row)
			for i, cell := range row {
				if formula(cell) {
					row[i] = "'" + cell
				}
			}
		}
		return c.Write(row)
	})
	if err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}

// formula reports whether a spreadsheet takes a cell for a formula: what begins
// with = + - @ and is no number. A negative number begins with a minus and is none.
func formula(cell string) bool {
	// Some spreadsheets drop a tab or a carriage return in front, and read what follows as a formula.
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return false
	}
	_, err := strconv.ParseFloat(cell, 64)
	return err != nil
}
