package document

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/units"
)

// ReadInto reads a document as [Read] does, and fills in what into points to as
// [Document.Decode] does; path is the document in messages.
func ReadInto(ctx context.Context, name, want string, r io.Reader, into any, path string) (*Document, error) {
	d, err := Read(ctx, name, want, r)
	if err != nil {
		return nil, err
	}
	return d, d.Decode(d.Root, reflect.ValueOf(into).Elem(), path)
}

// Decode fills v, a struct, list, map, text, number or quantity, from a node. Strict: every
// key is a field by its JSON tag, once, and every field without omitempty is
// given; a quantity is read by the rules of its flag. path names the value in
// messages. Errors: *source.FileError with the place of the first fault.
func (d *Document) Decode(n *Node, v reflect.Value, path string) error {
	if v.Kind() == reflect.Pointer {
		if n.Kind == NullNode {
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		return d.Decode(n, v.Elem(), path)
	}
	// A quantity is asked before its kind: a duration is a float too.
	switch to := v.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		return d.Quantity(n, to, path)
	case Keyed:
		return d.mapping(n, path, to.Add)
	}
	switch v.Kind() {
	case reflect.String:
		if n.Kind != ScalarNode {
			return d.On(n, path+" is "+n.Kind.String(), "a text")
		}
		if len(n.Text) > maxText {
			return d.On(n, fmt.Sprintf("%s has %d bytes", path, len(n.Text)), fmt.Sprintf("at most %d", maxText))
		}
		v.SetString(n.Text)
		return nil
	case reflect.Float64, reflect.Int:
		return d.number(n, v, path)
	case reflect.Bool:
		switch {
		case n.Kind != ScalarNode:
			return d.On(n, path+" is "+n.Kind.String(), "true or false")
		case n.Text != "true" && n.Text != "false":
			return d.On(n, fmt.Sprintf("%s = %q", path, n.Text), "true or false")
		}
		v.SetBool(n.Text == "true")
		return nil
	case reflect.Slice:
		if n.Kind != SequenceNode {
			return d.On(n, path+" is "+n.Kind.String(), "a list")
		}
		v.Set(reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items)))
		for i, item := range n.Items {
			if err := d.Decode(item, v.Index(i), path); err != nil {
				return err
			}
		}
		return nil
	case reflect.Struct:
		return d.structure(n, v, path)
	case reflect.Map:
		m := newMapFill(v)
		err := d.mapping(n, path, m.add)
		m.done()
		return err
	}
	return fmt.Errorf("%s: %s: a %s cannot be read", d.Name, path, v.Type())
}

// number reads a finite number, and a count where v is an int; YAML has infinities, for
// which no file has a use.
func (d *Document) number(n *Node, v reflect.Value, path string) error {
	if n.Kind != ScalarNode {
		return d.On(n, path+" is "+n.Kind.String(), "a number")
	}
	x, ok := source.ParseNumber([]byte(n.Text))
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return d.On(n, fmt.Sprintf("%s = %q", path, n.Text), "a finite number")
	}
	if v.Kind() == reflect.Float64 {
		v.SetFloat(x)
		return nil
	}
	if x < 0 || x != math.Trunc(x) || x > 1<<53 { // the last number below which all are whole
		return d.On(n, fmt.Sprintf("%s = %g", path, x), "a whole number >= 0")
	}
	v.SetInt(int64(x))
	return nil
}

// Quantity reads a value by the rules of its type. Errors: *source.FileError with the form that is
// wanted.
func (d *Document) Quantity(n *Node, q encoding.TextUnmarshaler, path string) error {
	want := "a value"
	if w, ok := q.(interface{ Want() string }); ok {
		want = w.Want()
	}
	if n.Kind != ScalarNode {
		return d.On(n, path+" is "+n.Kind.String(), want)
	}
	err := q.UnmarshalText([]byte(n.Text))
	if err == nil {
		return nil
	}
	reason := err.Error()
	if parse := (*units.ParseError)(nil); errors.As(err, &parse) {
		reason = parse.Reason
	}
	return d.On(n, fmt.Sprintf("%s = %s: %s", path, source.Shown([]byte(n.Text)), reason), want)
}

// structure reads a mapping into the fields of a struct.
func (d *Document) structure(n *Node, v reflect.Value, path string) error {
	t := FieldsOf(v.Type())
	if n.Kind != MappingNode {
		return d.On(n, path+" is "+n.Kind.String(), WantFields(t.Names))
	}
	var given marks
	for i := range n.Fields {
		f := &n.Fields[i]
		k := t.Find(f.Key)
		if k < 0 {
			return d.At(f.Line, f.Column, UnknownField(f.Key, t.Names), "one of "+strings.Join(t.Names, ", "))
		}
		if f.Value.Kind == NullNode && v.Field(t.Index[k]).Kind() != reflect.Pointer {
			return d.On(f.Value, f.Key+" is empty", WantValue)
		}
		given.add(k)
		if err := d.Decode(f.Value, v.Field(t.Index[k]), f.Key); err != nil {
			return err
		}
	}
	for k, name := range t.Names {
		if t.Required[k] && !given.has(k) {
			return d.On(n, NoField(path, name), WantFields(t.Names))
		}
	}
	return nil
}

// marks has a bit for each field of a struct, of which there are 256 at most.
type marks [4]uint64

func (m *marks) add(k int)      { m[k/64] |= 1 << (k % 64) }
func (m *marks) has(k int) bool { return m[k/64]&(1<<(k%64)) != 0 }

// WantValue is the form that is wanted where a value is empty.
const WantValue = "a value, or the field left out"

// NoField says that something lacks a field.
func NoField(path, name string) string { return fmt.Sprintf("%s has no field %q", path, name) }

// WantFields is the form of a mapping.
func WantFields(names []string) string { return "a mapping with " + strings.Join(names, ", ") }

// UnknownField names a key that is none, with the nearest that is.
func UnknownField(key string, names []string) string {
	return fmt.Sprintf("unknown field %q%s", source.Shown([]byte(key)), spell.Aside(key, names))
}

// structFields are the fields of a struct by their JSON names. A name, its field and whether it has
// to be there stand at the same place of the three lists.
type structFields struct {
	Names    []string
	Index    []int
	Required []bool
}

// Find returns the place of a name, -1 for none. Structs have few fields: a look at each is faster
// than a map.
func (t *structFields) Find(name string) int { return slices.Index(t.Names, name) }

// knownFields keeps the fields of a type that has been read once. Reflection over tags takes longer
// than reading most values.
var knownFields sync.Map // reflect.Type to *structFields

// FieldsOf returns the fields of a struct that JSON knows; each type is looked at once.
func FieldsOf(t reflect.Type) *structFields {
	if f, ok := knownFields.Load(t); ok {
		return f.(*structFields)
	}
	f := &structFields{}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		f.Names, f.Index = append(f.Names, name), append(f.Index, i)
		f.Required = append(f.Required, !strings.Contains(options, "omitempty"))
	}
	knownFields.Store(t, f)
	return f
}
