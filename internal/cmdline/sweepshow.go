package cmdline

import (
	"encoding/json"
	"strings"

	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/internal/sweeps"
)

// sweepAnswer is the JSON of a sweep.
type sweepAnswer struct {
	Command string     `json:"command"`
	Over    []string   `json:"over"` // the swept flags
	Rows    []sweptRow `json:"rows"`

	Warnings []string `json:"warnings,omitempty"` // of all points
}

// A sweptRow is a row as JSON has it.
type sweptRow struct{ *sweeps.Row }

// MarshalJSON writes the row as one object in the order of its columns.
func (r sweptRow) MarshalJSON() ([]byte, error) {
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
	for i, n := range r.Swept() {
		// A swept value with a unit stays text: it is what was typed.
		if err := field("over_"+n, scalars.Value(r.Values[i])); err != nil {
			return nil, err
		}
	}
	cells := r.Cells(nil)
	for i, n := range r.Names() {
		if err := field(n, scalars.Value(cells[i])); err != nil {
			return nil, err
		}
	}
	var why any
	if r.Infeasible != "" {
		why = r.Infeasible
	}
	if err := field("infeasible", why); err != nil {
		return nil, err
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// columns returns the names of the scalar fields: those of the first answer,
// or where no point has one, those that the schema promises.
func (r *sweep) columns(rows []sweeps.Row) []string {
	if names := sweeps.Columns(rows); names != nil {
		return names
	}
	return r.promised()
}
