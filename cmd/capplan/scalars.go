package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// scalars returns the JSON names and the text of the scalar fields of a
// struct, in the order of the struct, embedded structs in place: what a CSV row
// or a sweep shows of an answer. A null field is an empty cell.
func scalars(v any) (names, cells []string) {
	walkScalars(reflect.Indirect(reflect.ValueOf(v)), func(name, cell string) {
		names = append(names, name)
		cells = append(cells, cell)
	})
	return names, cells
}

func walkScalars(v reflect.Value, add func(name, cell string)) {
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
		if value.Kind() == reflect.Pointer {
			elem := value.Type().Elem().Kind()
			if elem == reflect.Struct || elem == reflect.Slice || elem == reflect.Map {
				continue
			}
			if value.IsNil() {
				if !strings.Contains(options, "omitempty") {
					add(name, "")
				}
				continue
			}
			value = value.Elem()
		} else if strings.Contains(options, "omitempty") && value.IsZero() {
			continue // JSON leaves it out too
		}
		switch value.Kind() {
		case reflect.Float64:
			add(name, strconv.FormatFloat(value.Float(), 'g', -1, 64))
		case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Bool, reflect.String:
			add(name, fmt.Sprint(value.Interface()))
		}
	}
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
