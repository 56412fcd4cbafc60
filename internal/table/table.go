package table

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
)

// A Table reads CSV with a header, row by row. Lines that are blank or start
// with '#' are passed over; a cell may be quoted but holds no end of line. At is where cells begin,
// for messages.
type Table struct {
	*source.LineReader
	text  *source.Transcript
	Names []string // of the columns
	row   []byte
	Cells [][]byte // of the row, without blanks around
	At    []int    // their columns, from 1
	want  string
	Words document.Fill // texts that come again
}

// New opens a table; the header may have the known columns and must have
// the required. want is the form of the table. Errors: *source.FileError at the column that is
// wrong.
func New(ctx context.Context, name string, r io.Reader, want string, known []string,
	required func(string) bool) (*Table, error) {
	t := &Table{text: source.NewTranscript(ctx, source.Until(ctx, r)), want: want,
		Words: document.Fill{Words: map[string]string{}}}
	var err error
	if t.LineReader, err = source.NewLineReader(ctx, name, t.text, want); err != nil {
		return nil, err
	}
	// The header is a row like any other, before there are names to count cells by.
	if ok, err := t.Next(); err != nil {
		return nil, err
	} else if !ok {
		return nil, t.Fail("holds no header", source.ErrEmpty)
	}
	// An unknown column is an error, not passed over: it may be a misspelt one.
	for i, cell := range t.Cells {
		name := string(cell)
		if !slices.Contains(known, name) {
			return nil, t.Bad(t.At[i], strings.Replace(document.UnknownField(name, known), "field", "column", 1),
				"a header with columns of "+strings.Join(known, ", "))
		}
		if slices.Contains(t.Names, name) {
			return nil, t.Bad(t.At[i], fmt.Sprintf("column %q twice", name), "it once")
		}
		t.Names = append(t.Names, name)
	}
	for _, k := range known {
		if required(k) && t.Column(k) < 0 {
			return nil, t.Bad(0, fmt.Sprintf("no column %q", k), want)
		}
	}
	return t, nil
}

// Column returns the index of a column, -1 where there is none. Tables have few columns: a walk is
// faster than a map.
func (t *Table) Column(name string) int { return slices.Index(t.Names, name) }

// Next reads the next row, false at the end. Errors: *source.FileError.
func (t *Table) Next() (bool, error) {
	for {
		line, tooLong, err := t.LineReader.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || trimmed[0] == '#' {
			continue
		}
		// The bound on a value begins anew with each row.
		t.text.Mark = t.text.Size()
		t.row = line
		if tooLong {
			return false, t.Bad(0, fmt.Sprintf("a line of more than %d bytes", source.MaxLine),
				"shorter ones, or JSON Lines")
		}
		if at := NotText(line); at >= 0 {
			return false, t.Bad(at+1, "a control character or a byte that is not UTF-8", "text in UTF-8")
		}
		if err := t.split(line); err != nil {
			return false, err
		}
		if t.Names != nil && len(t.Cells) != len(t.Names) {
			return false, t.Bad(0, fmt.Sprintf("%d cells", len(t.Cells)),
				fmt.Sprintf("%d, as the header has", len(t.Names)))
		}
		return true, nil
	}
}

// NotText returns the offset of the first byte of a line that no text has, or
// -1. A tab is text; other control characters show that the file is something else.
func NotText(line []byte) int {
	for i, c := range line {
		if c < ' ' && c != '\t' || c == 0x7f {
			return i
		}
	}
	return document.InvalidUTF8(line)
}

// split fills cells.
func (t *Table) split(line []byte) error {
	t.Cells, t.At = t.Cells[:0], t.At[:0]
	if bytes.IndexByte(line, '"') >= 0 {
		return t.quoted(line)
	}
	for at := 0; ; {
		cell := line[at:]
		end := bytes.IndexByte(cell, ',')
		if end >= 0 {
			cell = cell[:end]
		}
		// Columns of cells are counted from behind their blanks, where the value stands.
		start := at + 1
		for len(cell) > 0 && (cell[0] == ' ' || cell[0] == '\t') {
			cell, start = cell[1:], start+1
		}
		for n := len(cell); n > 0 && (cell[n-1] == ' ' || cell[n-1] == '\t'); n = len(cell) {
			cell = cell[:n-1]
		}
		t.Cells, t.At = append(t.Cells, cell), append(t.At, start)
		if end < 0 {
			return nil
		}
		at += end + 1
	}
}

// quoted leaves a line with quotes to encoding/csv. Positions are those in the line, quotation
// marks included.
func (t *Table) quoted(line []byte) error {
	r := csv.NewReader(bytes.NewReader(line))
	r.TrimLeadingSpace = true
	cells, err := r.Read()
	if err != nil {
		column, problem := QuoteFault(err)
		return t.Bad(column, problem, t.want)
	}
	for i, cell := range cells {
		_, column := r.FieldPos(i)
		t.Cells, t.At = append(t.Cells, []byte(strings.TrimSpace(cell))), append(t.At, column)
	}
	return nil
}

// Bad is an error in the row, at a column or, 0, of all of it. A row that is binary is told as
// such, whatever else is wrong with it.
func (t *Table) Bad(column int, problem, want string) *source.FileError {
	if what := source.Sniff(t.row[:min(len(t.row), source.SniffLen)]); what != "" {
		return &source.FileError{
			File:    t.Name,
			Line:    t.Line,
			Column:  0,
			Text:    source.Shown(t.row),
			Problem: "holds " + what,
			Want:    t.want,
			Err:     source.ErrBinary,
		}
	}
	return t.Wrong(column, problem, want)
}

// Wrong is an error in a row that can be read. The row is shown, cut where it is long.
func (t *Table) Wrong(column int, problem, want string) *source.FileError {
	return &source.FileError{
		File:    t.Name,
		Line:    t.Line,
		Column:  column,
		Text:    source.Shown(t.row),
		Problem: problem,
		Want:    want,
		Err:     source.ErrMalformed,
	}
}

// Again goes to the row on a line that was read before. It is false where the line can no longer be
// split.
func (t *Table) Again(line int) bool {
	t.Line = line
	t.row = bytes.TrimRight(t.text.Line(int32(line), source.MaxLine), "\r")
	return t.split(t.row) == nil
}
