package workload

import (
	"encoding"
	"errors"
	"reflect"

	"github.com/capplan/capplan/units"
)

// A tableField is a field of a struct that is one cell.
type tableField struct {
	name     string
	index    int
	required bool
	list     bool // by dependency: texts with blanks between
	by       bool // by dependency
}

// tableFields returns the fields of a struct that fit a cell.
func tableFields(t reflect.Type) (list []tableField, names []string) {
	s := fieldsOf(t)
	for k, name := range s.names {
		f := tableField{name: name, index: s.index[k], required: s.required[k]}
		p := planOf(t.Field(f.index).Type)
		if f.by = p.kind == fillByName; f.by {
			p = p.elem
			f.list = p.kind == fillList && p.elem.kind == fillText
		}
		if p.kind <= fillText || f.list {
			list, names = append(list, f), append(names, name)
		}
	}
	return list, names
}

// set fills a value from a cell; false is one that is left out.
func (t *table) set(column int, name string, required bool, v reflect.Value) (bool, error) {
	text := t.cells[column]
	if len(text) == 0 {
		if required {
			return false, t.bad(t.at[column], name+" is empty", "a value")
		}
		return false, nil
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch to := v.Addr().Interface().(type) {
	case *units.Count:
		if n, ok := plainDigits(text); ok {
			*to = units.Count(n)
			return true, nil
		}
		return true, t.quantity(column, name, to)
	case encoding.TextUnmarshaler:
		return true, t.quantity(column, name, to)
	}
	v.SetString(t.words.word(text))
	return true, nil
}

func (t *table) quantity(column int, name string, q encoding.TextUnmarshaler) error {
	d := &document{name: t.name, text: t.text}
	err := d.quantity(&node{text: string(t.cells[column])}, q, name)
	if e := (*FileError)(nil); errors.As(err, &e) {
		return t.bad(t.at[column], e.Problem, e.Want)
	}
	return nil
}

// columnsOf returns the fields that the table has.
func (t *table) columnsOf(fields []tableField, want func(tableField) bool) (list []tableField, at []int) {
	for _, f := range fields {
		if c := t.column(f.name); c >= 0 && want(f) {
			list, at = append(list, f), append(at, c)
		}
	}
	return list, at
}
