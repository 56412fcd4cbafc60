package document

import (
	"fmt"
	"reflect"

	"github.com/capplan/capplan/internal/source"
)

// mapping fills what is by name from the keys of a mapping, which may be any
// text but "". add makes room for a name and returns the value to fill.
func (d *Document) mapping(n *Node, path string, add func(name string) reflect.Value) error {
	if n.Kind != MappingNode {
		return d.On(n, path+" is "+n.Kind.String(), "a mapping")
	}
	for i := range n.Fields {
		f := &n.Fields[i]
		if f.Key == "" {
			return d.At(f.Line, f.Column, path+" has a key without a name", "a name")
		}
		if f.Value.Kind == NullNode {
			return d.On(f.Value, fmt.Sprintf("%s of %s is empty", path, source.Shown([]byte(f.Key))),
				"a value, or the key left out")
		}
		if err := d.Decode(f.Value, add(f.Key), path+"."+f.Key); err != nil {
			return err
		}
	}
	return nil
}

// mapFill collects the values of a Go map until they are filled. A value of a Go map has no
// address, so that each is filled apart and put in at the end.
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
