package page

import (
	"context"
	"fmt"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/say"
)

// A Section is one question with its answer, as people read it: the answer in
// one line, what stands below it in order, figures, and how it is computed. All
// writers start from it, so that a command, a page and a folder of files say the
// same.
type Section struct {
	ID    string // of the section within a page, and of its first figure
	Title string // the question, where several stand on a page
	Lead  string // the answer in one line
	Parts []Part
	Notes []string // to be read beside the answer, such as its warnings
	Data  []Data   // for programs; the first is the CSV of a command
	Drawn []Figure // by [Section.Draw]
	// Draws makes the figures; nil: there are none. It may take long, and ends with the context.
	Draws    func(context.Context) ([]Figure, error)
	Formulas *ask.Explanation // nil unless the question asked for it
}

// A Part is what stands below the lead: exactly one of its fields is set. Parts are shown in their
// order, so that a text may stand between two tables.
type Part struct {
	Text  string
	Facts []Fact
	Table *Table
}

// A Fact is a figure with its label.
type Fact struct{ Label, Value, Remark string }

// A Table is rows of cells, flush right but for the first Words columns. A row may have fewer cells
// than the head.
type Table struct {
	ID, Caption string
	// Head are the names of the columns, Rows the cells as they are shown.
	Head   []string // may be nil
	Rows   [][]string
	Words  int    // columns of words; 0: 1
	Long   bool   // left out where several sections are read as text
	More   int    // rows left out
	MoreIn string // the format that holds them all, such as csv

	made int // rows before Rows: see Made
	make func(i int) []any

	Across bool // a row, and not a column, is of one unit
	cells  map[say.Place]say.Quantity
}

// Len is the number of rows.
func (t *Table) Len() int { return t.made + len(t.Rows) }

// Filled returns all rows.
func (t *Table) Filled() [][]string { return t.rowsAt([][2]int{{0, t.Len()}}) }

// rowsAt returns the rows of some ranges, in the same units. Rows that are not shown have no say in
// the unit.
func (t *Table) rowsAt(ranges [][2]int) [][]string {
	var rows [][]string
	cells := map[say.Place]say.Quantity{}
	for _, r := range ranges {
		// Rows that are made come before those that were added, as in Len.
		for i := r[0]; i < r[1]; i++ {
			if i < t.made {
				rows = append(rows, texts(t.make(i), len(rows), cells))
				continue
			}
			row := slices.Clone(t.Rows[i-t.made])
			for column := range row {
				if q, ok := t.cells[say.Place{Row: i - t.made, Column: column}]; ok {
					cells[say.Place{Row: len(rows), Column: column}] = q
				}
			}
			rows = append(rows, row)
		}
	}
	say.InOneUnit(rows, cells, t.Across)
	return rows
}

// texts are the cells of a row as they are written; its quantities are kept. at is the row's place
// among those written.
func texts(row []any, at int, kept map[say.Place]say.Quantity) []string {
	out := make([]string, len(row))
	for i, c := range row {
		// A quantity keeps its value beside its text, since its unit is chosen with the whole
		// column.
		if q, ok := c.(say.Quantity); ok && q.Defined() {
			kept[say.Place{Row: at, Column: i}] = q
		}
		if out[i] = say.Written(c); out[i] == "" {
			out[i] = "-"
		}
	}
	return out
}

// allWords makes every column of a table one of words. No table has as many columns.
const allWords = 1 << 10

// The functions that add facts and tables are not put into their callers by the compiler: the
// copies took three hundred KB of the program.

// New begins the section of an answer with its warnings, formulas and data. Its figures and facts
// are added by the section's maker.
//
//go:noinline
func New(id, title string, warnings []string, formulas *ask.Explanation, data ...Data) *Section {
	return &Section{ID: id, Title: title, Notes: warnings, Formulas: formulas, Data: data}
}

// Say adds a sentence; the first is the lead.
func (s *Section) Say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if s.Lead == "" && len(s.Parts) == 0 {
		s.Lead = text
		return
	}
	s.Parts = append(s.Parts, Part{Text: text})
}

// Fact adds a figure with its label and an optional remark; one without a value
// is left out. Facts that follow one another stand together.
//
//go:noinline
func (s *Section) Fact(label, value string, remark ...string) {
	if value == "" {
		return
	}
	f := Fact{Label: label, Value: value}
	if len(remark) > 0 {
		f.Remark = remark[0]
	}
	last := len(s.Parts) - 1
	if last < 0 || s.Parts[last].Facts == nil {
		// A fact behind a sentence or a table begins a block of its own.
		s.Parts, last = append(s.Parts, Part{}), last+1
	}
	s.Parts[last].Facts = append(s.Parts[last].Facts, f)
}

// Table begins a table, whose rows are added to what is returned. A table that
// gets no row is not shown. The maker of a section needs no condition around a table that may stay
// empty.
//
//go:noinline
func (s *Section) Table(head ...string) *Table {
	t := &Table{Head: head}
	s.Parts = append(s.Parts, Part{Table: t})
	return t
}

// List is a table all of whose columns are words.
func (s *Section) List(head ...string) *Table {
	t := s.Table(head...)
	t.Words = allWords
	return t
}

// Row adds cells to a table; an empty cell, of a figure that is missing, is a dash. Cells are
// strings, or quantities whose unit the column chooses.
func (t *Table) Row(cells ...any) {
	if t.cells == nil {
		t.cells = map[say.Place]say.Quantity{}
	}
	t.Rows = append(t.Rows, texts(cells, len(t.Rows), t.cells))
}

// Made gives a table n rows before the others, whose cells are made when they are
// shown: of a year in five minutes hardly one is. row has to return the same cells for the same
// number each time.
func (t *Table) Made(n int, row func(i int) []any) { t.made, t.make = n, row }

// Line is Row for cells that are words already.
func (t *Table) Line(cells ...string) {
	row := make([]any, len(cells))
	for i, c := range cells {
		row[i] = c
	}
	t.Row(row...)
}

// Fits reports whether a long list still has room for a row, and counts the rows that it has no
// room for.
func (t *Table) Fits(most int) bool {
	if len(t.Rows) < most {
		return true
	}
	t.More++
	return false
}

// Add puts another section below, with its lead as a sentence. Notes, data and figures of the other
// section are not taken over.
func (s *Section) Add(below *Section) {
	if below.Lead != "" {
		s.Say("%s", below.Lead)
	}
	s.Parts = append(s.Parts, below.Parts...)
}

// Draw draws the figures, if there are any. Figures are drawn once and kept in Drawn. Errors: those
// of Draws, and ask.NotDrawn where there is none.
func (s *Section) Draw(ctx context.Context) ([]Figure, error) {
	if s.Drawn == nil && s.Draws != nil {
		var err error
		if s.Drawn, err = s.Draws(ctx); err != nil {
			return nil, err
		}
	}
	if len(s.Drawn) == 0 {
		return nil, ask.NotDrawn("this answer has no curve to draw")
	}
	return s.Drawn, nil
}
