package workload

import (
	"fmt"
	"reflect"
)

// mapping fills what is by name from the keys of a mapping, which may be any
// text but "". add makes room for a name and returns the value to fill.
func (d *document) mapping(n *node, path string, add func(name string) reflect.Value) error {
	if n.kind != mappingNode {
		return d.on(n, path+" is "+n.kind.String(), "a mapping")
	}
	for i := range n.fields {
		f := &n.fields[i]
		if f.key == "" {
			return d.at(f.line, f.column, path+" has a key without a name", "a name")
		}
		if f.value.kind == nullNode {
			return d.on(f.value, fmt.Sprintf("%s of %s is empty", path, shown([]byte(f.key))), "a value, or the key left out")
		}
		if err := d.decode(f.value, add(f.key), path+"."+f.key); err != nil {
			return err
		}
	}
	return nil
}

// mapFill collects the values of a Go map until they are filled.
type mapFill struct {
	to    reflect.Value
	names []string
	items []reflect.Value
}

func newMapFill(v reflect.Value) *mapFill { return &mapFill{to: v} }

func (m *mapFill) add(name string) reflect.Value {
	item := reflect.New(m.to.Type().Elem()).Elem()
	m.names, m.items = append(m.names, name), append(m.items, item)
	return item
}

func (m *mapFill) done() {
	m.to.Set(reflect.MakeMapWithSize(m.to.Type(), len(m.names)))
	for i, name := range m.names {
		m.to.SetMapIndex(reflect.ValueOf(name), m.items[i])
	}
}
