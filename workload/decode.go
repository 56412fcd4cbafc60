package workload

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/units"
)

// decode fills v, a struct, list, map, text or quantity, from a node. Strict: every
// key is a field by its JSON tag, once, and every field without omitempty is
// given; a quantity is read by the rules of its flag. path names the value in
// messages.
func (d *document) decode(n *node, v reflect.Value, path string) error {
	if v.Kind() == reflect.Pointer {
		if n.kind == nullNode {
			return nil
		}
		v.Set(reflect.New(v.Type().Elem()))
		return d.decode(n, v.Elem(), path)
	}
	switch to := v.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		return d.quantity(n, to, path)
	case byName:
		return d.mapping(n, path, to.Add)
	}
	switch v.Kind() {
	case reflect.String:
		if n.kind != scalarNode {
			return d.on(n, path+" is "+n.kind.String(), "a text")
		}
		v.SetString(n.text)
		return nil
	case reflect.Slice:
		if n.kind != sequenceNode {
			return d.on(n, path+" is "+n.kind.String(), "a list")
		}
		v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
		for i, item := range n.items {
			if err := d.decode(item, v.Index(i), path); err != nil {
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
	return fmt.Errorf("%s: %s: a %s cannot be read", d.name, path, v.Type())
}

func (d *document) quantity(n *node, q encoding.TextUnmarshaler, path string) error {
	want := "a value"
	if w, ok := q.(interface{ Want() string }); ok {
		want = w.Want()
	}
	if n.kind != scalarNode {
		return d.on(n, path+" is "+n.kind.String(), want)
	}
	err := q.UnmarshalText([]byte(n.text))
	if err == nil {
		return nil
	}
	reason := err.Error()
	if parse := (*units.ParseError)(nil); errors.As(err, &parse) {
		reason = parse.Reason
	}
	return d.on(n, fmt.Sprintf("%s = %s: %s", path, shown([]byte(n.text)), reason), want)
}

func (d *document) structure(n *node, v reflect.Value, path string) error {
	t := fieldsOf(v.Type())
	if n.kind != mappingNode {
		return d.on(n, path+" is "+n.kind.String(), "a mapping with "+strings.Join(t.names, ", "))
	}
	var given uint64
	for i := range n.fields {
		f := &n.fields[i]
		k := t.find(f.key)
		if k < 0 {
			return d.at(f.line, f.column, unknownField(f.key, t.names), "one of "+strings.Join(t.names, ", "))
		}
		if f.value.kind == nullNode && v.Field(t.index[k]).Kind() != reflect.Pointer {
			return d.on(f.value, f.key+" is empty", wantValue)
		}
		given |= 1 << k
		if err := d.decode(f.value, v.Field(t.index[k]), f.key); err != nil {
			return err
		}
	}
	for k, name := range t.names {
		if t.required[k] && given&(1<<k) == 0 {
			return d.on(n, noField(path, name), "it")
		}
	}
	return nil
}

const wantValue = "a value, or the field left out"

func noField(path, name string) string { return fmt.Sprintf("%s has no field %q", path, name) }

func unknownField(key string, names []string) string {
	problem := fmt.Sprintf("unknown field %q", shown([]byte(key)))
	if near := spell.Nearest(key, names); near != "" {
		problem += " (did you mean " + near + "?)"
	}
	return problem
}

// structFields are the fields of a struct by their JSON names.
type structFields struct {
	names    []string
	index    []int
	required []bool
}

func (t *structFields) find(name string) int {
	for k, n := range t.names {
		if n == name {
			return k
		}
	}
	return -1
}

var knownFields sync.Map // reflect.Type to *structFields

func fieldsOf(t reflect.Type) *structFields {
	if f, ok := knownFields.Load(t); ok {
		return f.(*structFields)
	}
	f := &structFields{}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		f.names, f.index = append(f.names, name), append(f.index, i)
		f.required = append(f.required, !strings.Contains(options, "omitempty"))
	}
	knownFields.Store(t, f)
	return f
}
