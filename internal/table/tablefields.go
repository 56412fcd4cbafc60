package table

import (
	"encoding"
	"errors"
	"reflect"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/units"
)

// A Field is a field of a struct that is one cell. A field by dependency has a cell for the
// dependency that its row is of.
type Field struct {
	Name     string
	Index    int
	Required bool
	List     bool // by dependency: texts with blanks between
	By       bool // by dependency
}

// Fields returns the fields of a struct that fit a cell. names are theirs, in order.
func Fields(t reflect.Type) (list []Field, names []string) {
	s := document.FieldsOf(t)
	for k, name := range s.Names {
		f := Field{Name: name, Index: s.Index[k], Required: s.Required[k]}
		p := document.PlanOf(t.Field(f.Index).Type)
		if f.By = p.Kind == document.FillByName; f.By {
			p = p.Elem
			f.List = p.Kind == document.FillList && p.Elem.Kind == document.FillText
		}
		// What is a list or an object in JSON has no cell, and no column.
		if p.Kind <= document.FillText || f.List {
			list, names = append(list, f), append(names, name)
		}
	}
	return list, names
}

// Set fills a value from a cell; false is one that is left out. name is that of the column. Errors:
// *source.FileError. A pointer tells a value that is left out from 0.
func (t *Table) Set(column int, name string, required bool, v reflect.Value) (bool, error) {
	text := t.Cells[column]
	if len(text) == 0 {
		if required {
			return false, t.Bad(t.At[column], name+" is empty", "a value")
		}
		return false, nil
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch to := v.Addr().Interface().(type) {
	case *units.Count:
		// Most cells are counts of a few digits, and need no parser of quantities.
		if n, ok := document.PlainDigits(text); ok {
			*to = units.Count(n)
			return true, nil
		}
		return true, t.quantity(column, name, to)
	case encoding.TextUnmarshaler:
		return true, t.quantity(column, name, to)
	}
	v.SetString(t.Words.Word(text))
	return true, nil
}

// quantity reads a cell by the rules of package document, whose error is put at the cell.
func (t *Table) quantity(column int, name string, q encoding.TextUnmarshaler) error {
	d := &document.Document{Name: t.Name, Text: t.text}
	err := d.Quantity(&document.Node{Text: string(t.Cells[column])}, q, name)
	if e := (*source.FileError)(nil); errors.As(err, &e) {
		return t.Bad(t.At[column], e.Problem, e.Want)
	}
	return nil
}

// ColumnsOf returns the fields that the table has. at are the indices of the columns, in the order
// of the fields.
func (t *Table) ColumnsOf(fields []Field, want func(Field) bool) (list []Field, at []int) {
	for _, f := range fields {
		if c := t.Column(f.Name); c >= 0 && want(f) {
			list, at = append(list, f), append(at, c)
		}
	}
	return list, at
}
