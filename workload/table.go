package workload

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A table reads CSV with a header, row by row. Lines that are blank or start
// with '#' are passed over; a cell may be quoted but holds no end of line.
type table struct {
	*lineReader
	text  *transcript
	names []string // of the columns
	row   []byte
	cells [][]byte // of the row, without blanks around
	at    []int    // their columns, from 1
	want  string
	words jsonFill // texts that come again
}

// newTable opens a table; the header may have the known columns and must have
// the required.
func newTable(ctx context.Context, name string, r io.Reader, want string, known []string, required func(string) bool) (*table, error) {
	t := &table{text: newTranscript(ctx, &contextReader{ctx, r}), want: want, words: jsonFill{words: map[string]string{}}}
	var err error
	if t.lineReader, err = newLineReader(ctx, name, t.text, want); err != nil {
		return nil, err
	}
	if ok, err := t.next(); err != nil {
		return nil, err
	} else if !ok {
		return nil, t.fail("holds no header", ErrEmpty)
	}
	for i, cell := range t.cells {
		name := string(cell)
		found := false
		for _, k := range known {
			found = found || k == name
		}
		if !found {
			return nil, t.bad(t.at[i], strings.Replace(unknownField(name, known), "field", "column", 1), "a header with columns of "+strings.Join(known, ", "))
		}
		for _, n := range t.names {
			if n == name {
				return nil, t.bad(t.at[i], fmt.Sprintf("column %q twice", name), "it once")
			}
		}
		t.names = append(t.names, name)
	}
	for _, k := range known {
		if required(k) && t.column(k) < 0 {
			return nil, t.bad(0, fmt.Sprintf("no column %q", k), want)
		}
	}
	return t, nil
}

// column returns the index of a column, -1 where there is none.
func (t *table) column(name string) int {
	for i, n := range t.names {
		if n == name {
			return i
		}
	}
	return -1
}

// next reads the next row, false at the end.
func (t *table) next() (bool, error) {
	for {
		line, tooLong, err := t.lineReader.next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || trimmed[0] == '#' {
			continue
		}
		t.text.mark = t.text.size()
		t.row = line
		if tooLong {
			return false, t.bad(0, fmt.Sprintf("a line of more than %d bytes", maxLine), "shorter ones, or JSON Lines")
		}
		if at := notText(line); at >= 0 {
			return false, t.bad(at+1, "a control character or a byte that is no UTF-8", "text in UTF-8")
		}
		if err := t.split(line); err != nil {
			return false, err
		}
		if t.names != nil && len(t.cells) != len(t.names) {
			return false, t.bad(0, fmt.Sprintf("%d cells", len(t.cells)), fmt.Sprintf("%d, as the header has", len(t.names)))
		}
		return true, nil
	}
}

// notText returns the offset of the first byte of a line that no text has, or
// -1.
func notText(line []byte) int {
	for i, c := range line {
		if c < ' ' && c != '\t' || c == 0x7f {
			return i
		}
	}
	return invalidUTF8(line)
}

// split fills cells.
func (t *table) split(line []byte) error {
	t.cells, t.at = t.cells[:0], t.at[:0]
	if bytes.IndexByte(line, '"') >= 0 {
		return t.quoted(line)
	}
	for at := 0; ; {
		cell := line[at:]
		end := bytes.IndexByte(cell, ',')
		if end >= 0 {
			cell = cell[:end]
		}
		start := at + 1
		for len(cell) > 0 && (cell[0] == ' ' || cell[0] == '\t') {
			cell, start = cell[1:], start+1
		}
		for n := len(cell); n > 0 && (cell[n-1] == ' ' || cell[n-1] == '\t'); n = len(cell) {
			cell = cell[:n-1]
		}
		t.cells, t.at = append(t.cells, cell), append(t.at, start)
		if end < 0 {
			return nil
		}
		at += end + 1
	}
}

// quoted leaves a line with quotes to encoding/csv.
func (t *table) quoted(line []byte) error {
	r := csv.NewReader(bytes.NewReader(line))
	r.TrimLeadingSpace = true
	cells, err := r.Read()
	if err != nil {
		column, problem := 0, err.Error()
		if e := (*csv.ParseError)(nil); errors.As(err, &e) {
			column, problem = e.Column, e.Err.Error()
		}
		return t.bad(column, problem, t.want)
	}
	for i, cell := range cells {
		_, column := r.FieldPos(i)
		t.cells, t.at = append(t.cells, []byte(strings.TrimSpace(cell))), append(t.at, column)
	}
	return nil
}

// bad is an error in the row, at a column or, 0, of all of it.
func (t *table) bad(column int, problem, want string) *FileError {
	if what := sniff(t.row[:min(len(t.row), sniffLen)]); what != "" {
		return &FileError{t.name, t.line, 0, shown(t.row), "holds " + what, t.want, ErrBinary}
	}
	return t.wrong(column, problem, want)
}

// wrong is an error in a row that can be read.
func (t *table) wrong(column int, problem, want string) *FileError {
	return &FileError{t.name, t.line, column, shown(t.row), problem, want, ErrMalformed}
}

// again goes to the row on a line that was read before.
func (t *table) again(line int) bool {
	t.line = line
	t.row = bytes.TrimRight(t.text.line(int32(line), maxLine), "\r")
	return t.split(t.row) == nil
}
