package main

import "encoding/binary"

// A sweepRow is one point: the scalar fields of the answer, and why it is
// infeasible if it is. There may be a million: what rows have in common is kept
// once, and the cells of one as a single string.
type sweepRow struct {
	of         *sweepPoints
	values     []string // of the swept flags
	names      []string // shared with the other rows
	packed     string
	infeasible string
	done       bool
}

// sweepPoints are what all rows share.
type sweepPoints struct {
	swept []string // names of the flags
}

// pack keeps the cells, each with its length before it.
func (r *sweepRow) pack(cells []string) {
	n := 0
	for _, c := range cells {
		n += len(c) + 2
	}
	b := make([]byte, 0, n)
	for _, c := range cells {
		b = append(binary.AppendUvarint(b, uint64(len(c))), c...)
	}
	r.packed = string(b)
}

// unpack appends the cells to a list; a row without an answer has none but
// empty ones.
func (r *sweepRow) unpack(to []string) []string {
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

// uvarint is binary.Uvarint of a string.
func uvarint(s string) (n uint64, rest string) {
	for i, shift := 0, 0; ; i, shift = i+1, shift+7 {
		n |= uint64(s[i]&0x7f) << shift
		if s[i] < 0x80 {
			return n, s[i+1:]
		}
	}
}
