// Package scalars finds the scalar fields of an answer by their JSON names: what
// a row of CSV, or a point of a sweep, shows of it.
//
// The names are those of the type and not of a value, so that a script finds the same columns
// in every answer. Lists and maps have no cell; the JSON has them.
package scalars

import (
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"strings"
)

// Of returns the JSON names and the text of the scalar fields of a
// struct, in the order of the struct, embedded structs in place: what a CSV row
// or a sweep shows of an answer. The names are those of the type, whatever the
// values are, so that a script finds the same columns at every answer of a
// command; what is null, or what JSON leaves out, is an empty cell. v is a struct or a pointer to
// one.
func Of(v any) (names, cells []string) {
	walkScalars(reflect.Indirect(reflect.ValueOf(v)), func(name, cell string) {
		names = append(names, name)
		cells = append(cells, cell)
	})
	return names, cells
}

// Each hands out a header and a row for each struct, or pointer to one, of a slice. The header is there
// without a row, too.
func Each(all any, row func([]string) error) error {
	v := reflect.ValueOf(all)
	t := v.Type().Elem()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	names, _ := Of(reflect.New(t).Interface())
	if err := row(names); err != nil {
		return err
	}
	for i := range v.Len() {
		cells := make([]string, 0, len(names))
		walkScalars(reflect.Indirect(v.Index(i)), func(_, cell string) { cells = append(cells, cell) })
		if err := row(cells); err != nil {
			return err
		}
	}
	return nil
}

// walkScalars calls add for every scalar field of a struct. An embedded pointer that is nil has
// columns with empty cells.
func walkScalars(v reflect.Value, add func(name, cell string)) {
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		kind := field.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if field.Anonymous && name == "" {
			if value = reflect.Indirect(value); !value.IsValid() {
				value = reflect.Zero(kind) // its columns are there all the same
			}
			if kind.Kind() == reflect.Struct {
				walkScalars(value, add)
			}
			continue
		}
		if !field.IsExported() || name == "" || name == "-" || !isScalar(kind.Kind()) {
			continue
		}
		empty := strings.Contains(options, "omitempty") && value.IsZero()
		if value.Kind() == reflect.Pointer && !value.IsNil() {
			value = value.Elem()
		}
		switch {
		case empty || value.Kind() == reflect.Pointer:
			add(name, "")
		case value.Kind() == reflect.Float64:
			add(name, strconv.FormatFloat(value.Float(), 'g', -1, 64))
		default:
			add(name, fmt.Sprint(value.Interface()))
		}
	}
}

// isScalar tells the kinds that one cell of a table holds. Lists, maps and structs have no single
// cell.
func isScalar(k reflect.Kind) bool {
	switch k {
	case reflect.Float64, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Bool, reflect.String:
		return true
	}
	return false
}

// Exactly writes a number for programs, a unix time without an exponent.
func Exactly(v float64) string {
	if a := max(v, -v); a >= 1e-4 && a < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Value turns a cell back into the JSON value it came from. A text that looks like a number becomes
// one: a name such as 007 stays text, since JSON has no such number.
func Value(cell string) any {
	if cell == "" {
		return nil
	}
	if cell == "true" || cell == "false" {
		return cell == "true"
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil && json.Valid([]byte(cell)) {
		return json.Number(cell) // not .5 or 0123, which JSON writes otherwise
	}
	return cell
}

// figured answers have figures with intervals, which are columns too: the mean
// under the name of the figure, and the ends beside it.
type figured interface {
	FigureColumns() iter.Seq2[string, *float64]
}

// WithParts returns the scalar fields of an answer and, after them, those of
// the parts that it has or has not, named part.field: the loss of a backup
// plan is backup.loss, a simulated wait simulation.mean_wait_s. Explanations and the question
// itself are no part of what is answered.
func WithParts(v any) (names, cells []string) {
	add := func(prefix string, of any) {
		n, c := Of(of)
		if f, ok := of.(figured); ok {
			for name, value := range f.FigureColumns() {
				n, c = append(n, name), append(c, "")
				if value != nil {
					c[len(c)-1] = Exactly(*value)
				}
			}
		}
		for k := range n {
			names, cells = append(names, prefix+n[k]), append(cells, c[k])
		}
	}
	add("", v)
	s := reflect.Indirect(reflect.ValueOf(v))
	for i := range s.NumField() {
		name, _, _ := strings.Cut(s.Type().Field(i).Tag.Get("json"), ",")
		part := s.Field(i)
		if part.Kind() != reflect.Pointer || part.IsNil() || part.Elem().Kind() != reflect.Struct || name == "" ||
			name == "explanation" || name == "question" {
			continue
		}
		add(name+".", part.Interface())
	}
	return names, cells
}
