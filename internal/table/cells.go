package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"

	"github.com/capplan/capplan/internal/source"
)

// A Splitter splits a CSV line at commas, into slices of the line where it
// has no quotes.
type Splitter struct {
	cells [][]byte
}

// Split returns the cells, trimmed, valid until the next call.
func (s *Splitter) Split(line []byte) ([][]byte, error) {
	s.cells = s.cells[:0]
	if bytes.IndexByte(line, '"') >= 0 {
		return s.quoted(line)
	}
	for {
		i := bytes.IndexByte(line, ',')
		if i < 0 {
			s.cells = append(s.cells, TrimBlank(line))
			return s.cells, nil
		}
		s.cells = append(s.cells, TrimBlank(line[:i]))
		line = line[i+1:]
	}
}

// quoted splits a line by the rules of RFC 4180. A line with quotation marks is rare and goes
// through encoding/csv.
func (s *Splitter) quoted(line []byte) ([][]byte, error) {
	r := csv.NewReader(bytes.NewReader(line))
	r.TrimLeadingSpace = true
	record, err := r.Read()
	if err != nil {
		_, problem := QuoteFault(err)
		return nil, errors.New(problem)
	}
	for _, c := range record {
		s.cells = append(s.cells, TrimBlank([]byte(c)))
	}
	return s.cells, nil
}

// QuoteFault says what encoding/csv found wrong in one line with quotes, and in
// which column, or 0.
func QuoteFault(err error) (column int, problem string) {
	if e := (*csv.ParseError)(nil); errors.As(err, &e) {
		column, err = e.Column, e.Err
	}
	switch {
	case errors.Is(err, csv.ErrBareQuote):
		return column, `a quote (") inside a cell that does not begin with one: such a cell is written "as ""this"" one"`
	case errors.Is(err, csv.ErrQuote):
		return column, "a cell in quotes that is not closed, or continues after its closing quote"
	case errors.Is(err, io.EOF):
		return 0, "an empty line"
	}
	return column, "no CSV"
}

// TrimBlank takes blanks off both ends without a copy.
func TrimBlank(b []byte) []byte {
	for len(b) > 0 && source.IsBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && source.IsBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// CellColumn is the column (from 1) where a cell of the line begins; 0 if the
// cell is no slice of the line. It compares capacities, since both slices end with the same array.
func CellColumn(line, cell []byte) int {
	at := cap(line) - cap(cell)
	if len(cell) == 0 || at < 0 || at >= len(line) || &line[at] != &cell[0] {
		return 0
	}
	return at + 1
}

// FirstRow returns the first line with content that is no comment.
func FirstRow(head []byte) []byte {
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return line
		}
	}
	return nil
}
