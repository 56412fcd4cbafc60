package sweeps

import (
	"encoding/binary"
	"slices"
)

// A Row is one point: the scalar fields of the answer, and why it is
// infeasible if it is. There may be a million: what rows have in common is kept
// once, and the cells of one as a single string. Cells are read from it anew each time.
type Row struct {
	of         *points
	Values     []string // of the swept flags
	names      []string // shared with the other rows
	packed     string
	Infeasible string // why it has no answer; empty where it has one
	done       bool
}

// points are what all rows share.
type points struct {
	swept []string // names of the flags
}

// Swept are the names of the swept flags.
func (r *Row) Swept() []string { return r.of.swept }

// Names are those of the cells; none before the row has an answer.
func (r *Row) Names() []string { return r.names }

// Answer keeps the scalar figures of the answer, by their names. names are kept and not copied:
// rows share them.
func (r *Row) Answer(names, cells []string) {
	r.names = names
	r.pack(cells)
}

// pack keeps the cells, each with its length before it. Two bytes for each length are enough for
// cells of up to 16,383 bytes, and append grows where they are not.
func (r *Row) pack(cells []string) {
	n := 0
	for _, c := range cells {
		n += len(c) + 2
	}
	b := make([]byte, 0, n)
	for _, c := range cells {
		b = packCell(b, c)
	}
	r.packed = string(b)
}

// packCell appends a cell with its length before it.
func packCell[S string | []byte](to []byte, cell S) []byte {
	return append(binary.AppendUvarint(to, uint64(len(cell))), cell...)
}

// Cells appends the cells to a list; a row without an answer has none but
// empty ones. The cells share the memory of the row.
func (r *Row) Cells(to []string) []string {
	rest := r.packed
	for range r.names {
		cell := ""
		if rest != "" {
			var n uint64
			n, rest = uvarint(rest)
			cell, rest = rest[:n], rest[n:]
		}
		to = append(to, cell)
	}
	return to
}

// uvarint is binary.Uvarint of a string. The text is one that packCell wrote, so that it always
// ends.
func uvarint(s string) (n uint64, rest string) {
	for i, shift := 0, 0; ; i, shift = i+1, shift+7 {
		n |= uint64(s[i]&0x7f) << shift
		if s[i] < 0x80 {
			return n, s[i+1:]
		}
	}
}

// Columns returns the names of the scalar fields of the first row that has an
// answer.
func Columns(rows []Row) []string {
	for _, r := range rows {
		if len(r.names) > 0 {
			return r.names
		}
	}
	return nil
}

// Fill gives the row these columns, null where it has none of the name. Rows of one sweep may have
// other columns where an answer has parts only at some points.
func (r *Row) Fill(names []string) {
	if slices.Equal(r.names, names) {
		return
	}
	own := r.Cells(nil)
	cells := make([]string, len(names))
	for i, n := range names {
		if at := slices.Index(r.names, n); at >= 0 {
			cells[i] = own[at]
		}
	}
	r.names = names
	r.pack(cells)
}
