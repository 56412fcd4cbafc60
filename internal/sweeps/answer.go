package sweeps

import (
	"encoding/json"
	"strings"

	"github.com/capplan/capplan/internal/scalars"
)

// An Answer is what a sweep came to, as JSON has it.
type Answer struct {
	Command string      `json:"command"`
	Over    []string    `json:"over"` // the swept flags
	Rows    []AnswerRow `json:"rows"`

	Warnings []string `json:"warnings,omitempty"` // of all points
}

// NewAnswer returns the answer of some rows.
func NewAnswer(command string, axes []Axis, rows []Row) *Answer {
	a := &Answer{Command: command, Rows: make([]AnswerRow, len(rows))}
	for i := range rows {
		a.Rows[i] = AnswerRow{&rows[i]}
	}
	for _, x := range axes {
		a.Over = append(a.Over, x.Flag)
	}
	return a
}

// An AnswerRow is a row as JSON has it.
type AnswerRow struct{ *Row }

// MarshalJSON writes the row as one object in the order of its columns.
func (r AnswerRow) MarshalJSON() ([]byte, error) {
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
