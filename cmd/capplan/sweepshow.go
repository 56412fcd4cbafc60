package main

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/scalars"
)

// sweepAnswer is the JSON of a sweep.
type sweepAnswer struct {
	Command string     `json:"command"`
	Over    []string   `json:"over"` // the swept flags
	Rows    []sweepRow `json:"rows"`

	Warnings []string `json:"warnings,omitempty"` // of all points
}

// MarshalJSON writes the row as one object in the order of its columns.
func (r sweepRow) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	field := func(name string, v any) error {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return err
		}
		value, err := json.Marshal(v)
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
		return err
	}
	for i, n := range r.of.swept {
		// A swept value with a unit stays text: it is what was typed.
		if err := field("over_"+n, scalars.Value(r.values[i])); err != nil {
			return nil, err
		}
	}
	cells := r.unpack(nil)
	for i, n := range r.names {
		if err := field(n, scalars.Value(cells[i])); err != nil {
			return nil, err
		}
	}
	var why any
	if r.infeasible != "" {
		why = r.infeasible
	}
	if err := field("infeasible", why); err != nil {
		return nil, err
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// columns returns the names of the scalar fields of the first row that has an
// answer.
func columns(rows []sweepRow) []string {
	for _, r := range rows {
		if len(r.names) > 0 {
			return r.names
		}
	}
	return nil
}

// columns returns the names of the scalar fields: those of the first answer,
// or where no point has one, those that the schema promises.
func (r *sweep) columns(rows []sweepRow) []string {
	if names := columns(rows); names != nil {
		return names
	}
	for name, v := range schemas() {
		if name == r.schema() {
			names, _ := scalars.Of(v)
			return names
		}
	}
	return nil
}

// fill gives the row these columns, null where it has none of the name.
func (r *sweepRow) fill(names []string) {
	if slices.Equal(r.names, names) {
		return
	}
	own := r.unpack(nil)
	cells := make([]string, len(names))
	for i, n := range names {
		if at := slices.Index(r.names, n); at >= 0 {
			cells[i] = own[at]
		}
	}
	r.names = names
	r.pack(cells)
}

// sweepLines hands out a header and a line for each row.
func sweepLines(axes []axis, names []string, rows []sweepRow, line func([]string) error) error {
	var header []string
	for _, a := range axes {
		header = append(header, "over_"+a.flag)
	}
	if err := line(append(append(header, names...), "infeasible")); err != nil {
		return err
	}
	var cells []string
	for i := range rows {
		r := &rows[i]
		r.fill(names)
		cells = append(r.unpack(append(cells[:0], r.values...)), r.infeasible)
		if err := line(cells); err != nil {
			return err
		}
	}
	return nil
}
