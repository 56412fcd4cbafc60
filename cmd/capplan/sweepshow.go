package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/capplan/capplan/chart"
)

// sweepAnswer is the JSON of a sweep.
type sweepAnswer struct {
	Command string     `json:"command"`
	Over    []string   `json:"over"` // the swept flags
	Rows    []sweepRow `json:"rows"`
}

// A sweepRow is one point: the swept flags by name, the scalar fields of the
// answer, and why it is infeasible if it is.
type sweepRow struct {
	swept      []string // names
	values     []string
	names      []string
	cells      []string
	infeasible string
	done       bool
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
	for i, n := range r.swept {
		// A swept value with a unit stays text: it is what was typed.
		if err := field("over_"+n, jsonScalar(r.values[i])); err != nil {
			return nil, err
		}
	}
	for i, n := range r.names {
		if err := field(n, jsonScalar(r.cells[i])); err != nil {
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

// columns returns the names of the scalar fields over all rows.
func columns(rows []sweepRow) []string {
	for _, r := range rows {
		if len(r.names) > 0 {
			return r.names
		}
	}
	return nil
}

func sweepRows(axes []axis, names []string, rows []sweepRow) [][]string {
	var header []string
	for _, a := range axes {
		header = append(header, "over_"+a.flag)
	}
	out := [][]string{append(append(header, names...), "infeasible")}
	for _, r := range rows {
		line := append([]string{}, r.values...)
		cells := map[string]string{}
		for i, n := range r.names {
			cells[n] = r.cells[i]
		}
		for _, n := range names {
			line = append(line, cells[n])
		}
		out = append(out, append(line, r.infeasible))
	}
	return out
}

// draw draws one field against the swept flag, one line for each value of a
// second one.
func (r *sweep) draw(names []string, rows []sweepRow) (*drawing, error) {
	field := r.y
	if field == "" {
		field = firstVarying(names, rows)
	}
	at := -1
	for i, n := range names {
		if n == field {
			at = i
		}
	}
	if at < 0 {
		return nil, &usageError{reason: "--y: the answer has no field " + quote(field) + suggest(field, names)}
	}
	c := chart.Chart{Title: field + " by " + r.axes[0].flag, XLabel: r.axes[0].flag, YLabel: field}
	xs, unit := axisValues(r.axes[0].values)
	if unit != "" {
		c.XLabel = r.axes[0].flag + " (" + unit + ")"
	}
	series := map[string]int{}
	for _, row := range rows {
		if len(row.cells) <= at || row.cells[at] == "" {
			continue
		}
		y, _, okY := plainValue(row.cells[at])
		x, ok := xs[row.values[0]]
		if !ok || !okY {
			return nil, &usageError{reason: "--plot: " + r.axes[0].flag + " or " + field + " is no number to draw"}
		}
		name := r.name
		if len(r.axes) == 2 {
			name = r.axes[1].flag + " " + row.values[1]
		}
		k, ok := series[name]
		if !ok {
			k = len(c.Series)
			series[name] = k
			c.Series = append(c.Series, chart.Series{Name: name, Style: chart.Line})
		}
		c.Series[k].X, c.Series[k].Y = append(c.Series[k].X, x), append(c.Series[k].Y, y)
	}
	if len(c.Series) == 0 || len(c.Series) > 8 {
		return nil, &usageError{reason: fmt.Sprintf("--plot: %d lines, want 1 to 8: sweep the flag with fewer values second", len(c.Series))}
	}
	return &drawing{bottom: c}, nil
}

// firstVarying returns the first field whose value is not the same in all rows.
func firstVarying(names []string, rows []sweepRow) string {
	for i, n := range names {
		first := ""
		for _, r := range rows {
			if len(r.cells) <= i {
				continue
			}
			if _, _, ok := plainValue(r.cells[i]); !ok {
				break
			}
			if first == "" {
				first = r.cells[i]
			} else if r.cells[i] != first {
				return n
			}
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return ""
}

// columnsOfNone returns the names of the scalar fields where no point has an
// answer to take them from.
func (r *sweep) columnsOfNone() []string {
	for name, v := range schemas() {
		if name == r.schema() {
			names, _ := scalars(v)
			return names
		}
	}
	return nil
}

// schema returns the name of the schema of the answers.
func (r *sweep) schema() string {
	for _, spec := range queueSpecs {
		if string(spec.model) == r.name {
			return "queue"
		}
	}
	return r.name
}
