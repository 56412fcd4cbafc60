package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// scalars returns the JSON names and the text of the scalar fields of a
// struct, in the order of the struct, embedded structs in place: what a CSV row
// or a sweep shows of an answer. A null field is an empty cell, and what JSON
// leaves out is left out; several rows of one table are [scalarRows].
func scalars(v any) (names, cells []string) {
	walkScalars(reflect.Indirect(reflect.ValueOf(v)), func(name, cell string, omitted bool) {
		if !omitted {
			names = append(names, name)
			cells = append(cells, cell)
		}
	})
	return names, cells
}

// scalarRows is a header and a row for each. A field that JSON leaves out of
// every one has no column; of some, an empty cell in theirs.
func scalarRows[T any](all []T) [][]string {
	var names []string
	var used []bool
	table := make([][]string, 0, len(all)+1)
	walk := func(v reflect.Value) (cells []string) {
		walkScalars(v, func(name, cell string, omitted bool) {
			if len(cells) == len(names) {
				names, used = append(names, name), append(used, false)
			}
			used[len(cells)] = used[len(cells)] || !omitted
			cells = append(cells, cell)
		})
		return cells
	}
	for i := range all {
		table = append(table, walk(reflect.Indirect(reflect.ValueOf(&all[i]).Elem())))
	}
	if len(all) == 0 {
		t := reflect.TypeFor[T]()
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		walk(reflect.New(t).Elem())
	}
	table = slices.Insert(table, 0, names)
	for i, row := range table {
		kept := make([]string, 0, len(row))
		for k, cell := range row {
			if used[k] {
				kept = append(kept, cell)
			}
		}
		table[i] = kept
	}
	return table
}

// walkScalars calls add for every scalar field of a struct type, those that
// JSON leaves out of v included, so that the fields are the same for every v.
func walkScalars(v reflect.Value, add func(name, cell string, omitted bool)) {
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			if inner := reflect.Indirect(value); inner.Kind() == reflect.Struct {
				walkScalars(inner, add)
			}
			continue
		}
		if !field.IsExported() || name == "" || name == "-" {
			continue
		}
		kind := value.Type()
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		omitted := strings.Contains(options, "omitempty") && value.IsZero()
		if value.Kind() == reflect.Pointer && !value.IsNil() {
			value = value.Elem()
		}
		switch {
		case !isScalar(kind.Kind()):
			continue
		case omitted || value.Kind() == reflect.Pointer:
			add(name, "", omitted)
			continue
		}
		switch value.Kind() {
		case reflect.Float64:
			add(name, strconv.FormatFloat(value.Float(), 'g', -1, 64), false)
		default:
			add(name, fmt.Sprint(value.Interface()), false)
		}
	}
}

func isScalar(k reflect.Kind) bool {
	switch k {
	case reflect.Float64, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Bool, reflect.String:
		return true
	}
	return false
}

// jsonScalar turns a cell back into the JSON value it came from.
func jsonScalar(cell string) any {
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

// sweptScalars returns the scalar fields of an answer and, after them, those of
// the parts that it has or has not, named part.field: the loss of a backup
// plan is backup.loss.
func sweptScalars(v any) (names, cells []string) {
	names, cells = scalars(v)
	s := reflect.Indirect(reflect.ValueOf(v))
	for i := range s.NumField() {
		name, _, _ := strings.Cut(s.Type().Field(i).Tag.Get("json"), ",")
		part := s.Field(i)
		if part.Kind() != reflect.Pointer || part.IsNil() || part.Elem().Kind() != reflect.Struct || name == "" || name == "explanation" || name == "question" {
			continue
		}
		n, c := scalars(part.Interface())
		for k := range n {
			names, cells = append(names, name+"."+n[k]), append(cells, c[k])
		}
	}
	return names, cells
}
