package sweeps

import (
	"bytes"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capplan/capplan/internal/scalars"
)

// An Answer is what a sweep came to, as JSON has it.
type Answer struct {
	Command string     `json:"command"`
	Over    []string   `json:"over"` // the swept flags
	Rows    AnswerRows `json:"rows"`

	Warnings []string `json:"warnings,omitempty"` // of all points
}

// NewAnswer returns the answer of some rows.
func NewAnswer(command string, axes []Axis, rows Rows) *Answer {
	a := &Answer{Command: command, Rows: AnswerRows{rows}}
	for _, x := range axes {
		a.Over = append(a.Over, x.Flag)
	}
	return a
}

// AnswerRows are rows as JSON has them: written one by one, for those that shards
// keep may be more than memory holds. A Kept reads the shards while they are written.
type AnswerRows struct{ rows Rows }

// MarshalJSONTo writes the rows as a list of objects.
func (a AnswerRows) MarshalJSONTo(e *jsontext.Encoder) error {
	if err := e.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	err := a.rows.Each(func(_ int, r *Row) error {
		object, err := r.object()
		if err != nil {
			return err
		}
		return e.WriteValue(object)
	})
	if err != nil {
		return err
	}
	return e.WriteToken(jsontext.EndArray)
}

// object is the row as one object in the order of its columns. All rows have the same fields in the
// same order; infeasible is null where there is an answer.
func (r *Row) object() (jsontext.Value, error) {
	var b bytes.Buffer
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
	// A nil becomes null.
	var why any
	if r.Infeasible != "" {
		why = r.Infeasible
	}
	if err := field("infeasible", why); err != nil {
		return nil, err
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
