package document

import (
	"cmp"
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/units"
)

// A QuestionReader fills the questions of the library from a document. The JSON
// names of a question carry units: max_wait_s takes a plain number of seconds,
// or a quantity as people write it. The same name without its unit, max_wait,
// takes such a quantity only, so that a number is never of a unit that nobody
// named. A field with a tag as:"load" goes by that name too, and a hyphen is an
// underscore: all names of the command line are understood.
//
// It is strict as [Document.Decode] is, but that numbers may be left out: the
// function that answers says which of them it misses.
type QuestionReader struct {
	// Defaults are structs as they are before their fields are read, one of each
	// type that does not begin with zeros.
	Defaults []any
	// Without are types that a document cannot hold, since they are made of files.
	Without []reflect.Type
	// Files are types that have rules of their own: [Document.Decode] reads them.
	Files []reflect.Type

	known sync.Map // reflect.Type to []QuestionField
}

// Asked knows where the fields of a question stand in the document that it was
// read from. It is kept as long as the question may be refused.
type Asked struct {
	*QuestionReader
	d      *Document
	places map[string]*Field // by path, by all names
}

// A FieldError is an error of a field of a question.
type FieldError struct {
	Field string // the path, by the names that were given
	*source.FileError
}

func (e *FieldError) Unwrap() error { return e.FileError }

// Decode fills the struct that question points to. Errors: *FieldError; *source.FileError.
func (r *QuestionReader) Decode(d *Document, question any) (*Asked, error) {
	a := &Asked{QuestionReader: r, d: d, places: map[string]*Field{}}
	return a, a.structure(d.Root, reflect.ValueOf(question).Elem(), "")
}

// Place is an error at the field of a path by any of its names, or at what stands
// around it. The path is shortened from its end until something on it was given.
func (a *Asked) Place(path, problem, want string) *source.FileError {
	for at := strings.ReplaceAll(path, "-", "_"); at != ""; at = at[:max(0, strings.LastIndexAny(at, ".["))] {
		if f, ok := a.places[at]; ok {
			return a.d.At(f.Line, f.Column, problem, want)
		}
	}
	return a.d.Whole(problem, source.ErrMalformed).Wanting(want)
}

// A QuestionField is a field of a question with all its names. Two keys that mean the same field
// are refused together.
type QuestionField struct {
	Name     string // of JSON, max_wait_s
	Bare     string // without its unit, max_wait
	Also     string // of the command line, where that is another
	Unit     string // that the name ends with, _s
	Index    []int
	Required bool
}

func (f *QuestionField) called(key string) bool {
	return key == f.Name || key == f.Bare || f.Also != "" && key == f.Also
}

// The units that names end with, and what stands behind a number of them.
var nameUnits = []struct{ suffix, written string }{
	{"_per_s", "/s"}, {"_per_h", "/h"}, {"_erl", ""}, {"_bps", "bps"}, {"_bytes", "B"}, {"_s", "s"},
}

// Fields lists the fields of a struct, those of embedded structs among
// them, that a document can hold. Each type is looked at once.
func (r *QuestionReader) Fields(t reflect.Type) []QuestionField {
	if all, ok := r.known.Load(t); ok {
		return all.([]QuestionField)
	}
	var all []QuestionField
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		unread := f.Type.Kind() == reflect.Func || slices.Contains(r.Without, plainType(f.Type))
		if name == "" || name == "-" || !f.IsExported() || unread {
			continue
		}
		q := QuestionField{
			Name:  name,
			Bare:  name,
			Also:  f.Tag.Get("as"),
			Index: f.Index,
			// Numbers, and what may be nil, are looked for by who answers.
			Required: !strings.Contains(options, "omit") && !slices.Contains(mayLack, f.Type.Kind()),
		}
		for _, u := range nameUnits {
			if bare, ok := strings.CutSuffix(name, u.suffix); ok {
				q.Bare, q.Unit = bare, u.suffix
				break
			}
		}
		all = append(all, q)
	}
	r.known.Store(t, all)
	return all
}

// mayLack are the kinds of Go values that a request may leave out. Their zero is what a question
// takes for not given.
var mayLack = []reflect.Kind{
	reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64, reflect.Pointer, reflect.Map,
}

// plainType is the type that a pointer leads to, as the reader makes what a pointer points at.
func plainType(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// structure reads an object into a struct. path is that of the struct, empty for the question
// itself.
func (a *Asked) structure(n *Node, v reflect.Value, path string) error {
	fields := a.Fields(v.Type())
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	if n.Kind != MappingNode {
		return a.wrong(n, path, "is "+n.Kind.String(), "an object with some of "+strings.Join(names, ", "))
	}
	// A default is put in before the fields, so that a field that is given replaces it.
	for _, made := range a.Defaults {
		if reflect.TypeOf(made) == v.Type() {
			v.Set(reflect.ValueOf(made))
		}
	}
	given := map[string]*Field{}
	for i := range n.Fields {
		key := &n.Fields[i]
		spelt := strings.ReplaceAll(key.Key, "-", "_")
		k := slices.IndexFunc(fields, func(f QuestionField) bool { return f.called(spelt) })
		if k < 0 {
			problem, want := UnknownField(spelt, allNames(fields)), "one of "+strings.Join(names, ", ")
			return &FieldError{joined(path, key.Key), a.d.At(key.Line, key.Column, problem, want)}
		}
		// An error made later may call the field by any of its names.
		f := &fields[k]
		for _, name := range []string{f.Name, f.Bare, f.Also} {
			a.places[joined(path, name)] = key
		}
		if first := given[f.Name]; first != nil {
			problem := fmt.Sprintf("%s and %s are the same", first.Key, key.Key)
			return &FieldError{joined(path, key.Key), a.d.At(key.Line, key.Column, problem, "one of the two")}
		}
		given[f.Name] = key
		unit := ""
		// Only the name that carries a unit says what a bare number is of.
		if spelt == f.Name {
			unit = f.Unit
		}
		if err := a.value(key.Value, v.FieldByIndex(f.Index), joined(path, key.Key), f.Unit, unit); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if f.Required && given[f.Name] == nil {
			return a.wrong(n, path, fmt.Sprintf("has no field %q", f.Name), WantFields(allNames(fields)))
		}
	}
	return nil
}

func allNames(fields []QuestionField) []string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name)
		if f.Bare != f.Name {
			all = append(all, f.Bare)
		}
		if f.Also != "" {
			all = append(all, f.Also)
		}
	}
	return all
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// wrong is an error at a value.
func (a *Asked) wrong(n *Node, path, problem, want string) error {
	name := cmp.Or(path, "the question")
	return &FieldError{path, a.d.On(n, name+" "+problem, want)}
}

// value fills v. unit is that of the field, plain the unit of a number that
// stands alone: none where the name that was given carries none.
func (a *Asked) value(n *Node, v reflect.Value, path, unit, plain string) error {
	if v.Kind() == reflect.Pointer {
		if n.Kind == NullNode {
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		return a.value(n, v.Elem(), path, unit, plain)
	}
	if n.Kind == NullNode {
		return a.wrong(n, path, "is empty", WantValue)
	}
	if slices.Contains(a.Files, v.Type()) {
		return a.d.Decode(n, v, path)
	}
	switch to := v.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		return a.quantity(n, to, path, plain)
	case Keyed:
		return a.d.Decode(n, v, path)
	}
	switch v.Kind() {
	case reflect.Slice:
		if n.Kind != SequenceNode {
			return a.wrong(n, path, "is "+n.Kind.String(), "a list")
		}
		v.Set(reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items)))
		for i, item := range n.Items {
			// Items have places of their own, by their number from 0.
			at := fmt.Sprintf("%s[%d]", path, i)
			a.places[at] = &Field{Line: item.Line, Column: item.Column, Value: item}
			if err := a.value(item, v.Index(i), at, unit, plain); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
		return a.structure(n, v, path)
	case reflect.Map:
		if n.Kind != MappingNode {
			return a.wrong(n, path, "is "+n.Kind.String(), "an object")
		}
		m := newMapFill(v)
		for i := range n.Fields {
			f := &n.Fields[i]
			if err := a.value(f.Value, m.add(f.Key), joined(path, f.Key), unit, plain); err != nil {
				return err
			}
		}
		m.done()
		return nil
	}
	if n.Kind != ScalarNode {
		return a.wrong(n, path, "is "+n.Kind.String(), "a value")
	}
	return a.scalar(n, v, path, unit, plain)
}

// scalar fills a field of a plain type of Go. Errors: *FieldError.
func (a *Asked) scalar(n *Node, v reflect.Value, path, unit, plain string) error {
	shown := "= " + source.Shown([]byte(n.Text))
	switch v.Kind() {
	case reflect.String:
		v.SetString(n.Text)
		return nil
	case reflect.Bool:
		if n.Text != "true" && n.Text != "false" {
			return a.wrong(n, path, shown, "true or false")
		}
		v.SetBool(n.Text == "true")
		return nil
	case reflect.Int, reflect.Int64:
		i, err := strconv.ParseInt(n.Text, 10, 64)
		if err != nil {
			// A count may be written as 10k, as behind a flag.
			var c units.Count
			if c.Set(n.Text) != nil {
				return a.wrong(n, path, shown, "a whole number")
			}
			i = int64(c)
		}
		v.SetInt(i)
		return nil
	case reflect.Uint64:
		i, err := strconv.ParseUint(n.Text, 10, 64)
		if err != nil {
			return a.wrong(n, path, shown, "a whole number, 0 or more")
		}
		v.SetUint(i)
		return nil
	case reflect.Float64:
		f, want := number(n.Text, unit, plain)
		if want != "" {
			return a.wrong(n, path, shown, want)
		}
		v.SetFloat(f)
		return nil
	}
	return fmt.Errorf("%s: %s: a %s cannot be read", a.d.Name, path, v.Type())
}

// number reads a number or a quantity, or returns the form that is wanted. f is in base units.
func number(text, unit, plain string) (f float64, want string) {
	if unit == plain { // a number is of the unit that its name says, if any
		// Inf, NaN and hexadecimal digits, which Go reads, are no numbers of a question.
		if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) && decimal(text) {
			return f, ""
		}
	}
	switch unit {
	case "":
		if !strings.HasSuffix(text, "%") {
			return 0, "a number"
		}
		if f, want = quantityOf[units.Excess](text); want != "" { // a fraction that may be above 100 %
			want = "a number, or a share such as 95%"
		}
		return f, want
	case "_s":
		return quantityOf[units.Duration](text)
	case "_per_s":
		return quantityOf[units.Rate](text)
	case "_per_h": // prices are kept for a second
		f, want = quantityOf[units.Price](text)
		return f * 3600, want
	case "_erl":
		return quantityOf[units.Erlang](text)
	case "_bps":
		return quantityOf[units.Bandwidth](text)
	case "_bytes":
		return quantityOf[units.Size](text)
	}
	return 0, ""
}

// quantityOf reads a quantity of a type as a number in base units, or returns the form that is wanted.
func quantityOf[T ~float64, P interface {
	*T
	Set(string) error
	Want() string
}](text string) (f float64, want string) {
	var q T
	if P(&q).Set(text) != nil {
		return 0, P(&q).Want()
	}
	return float64(q), ""
}

// decimal distinguishes a decimal number from what else Go reads as a number.
func decimal(text string) bool { return strings.Trim(text, "+-0123456789.eE") == "" }

// quantity reads a quantity of package units; a number that stands alone gets the
// unit that its name says.
func (a *Asked) quantity(n *Node, q encoding.TextUnmarshaler, path, plain string) error {
	if n.Kind != ScalarNode {
		return a.d.Quantity(n, q, path)
	}
	if plain != "" && n.Text != "" && decimal(n.Text) {
		for _, u := range nameUnits {
			if u.suffix == plain {
				whole := *n // an alias may stand for it elsewhere
				whole.Text += u.written
				n = &whole
			}
		}
	}
	if err := a.d.Quantity(n, q, path); err != nil {
		if file, ok := err.(*source.FileError); ok {
			return &FieldError{path, file}
		}
		return err
	}
	return nil
}
