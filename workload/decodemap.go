package workload

import (
	"fmt"
	"reflect"
)

// mapping fills a map from the keys of a mapping, which may be any text but "".
func (d *document) mapping(n *node, v reflect.Value, path string) error {
	if n.kind != mappingNode {
		return d.on(n, path+" is "+n.kind.String(), "a mapping")
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(n.fields)))
	for i := range n.fields {
		f := &n.fields[i]
		if f.key == "" {
			return d.at(f.line, f.column, path+" has a key without a name", "a name")
		}
		if f.value.kind == nullNode {
			return d.on(f.value, fmt.Sprintf("%s of %s is empty", path, shown([]byte(f.key))), "a value, or the key left out")
		}
		item := reflect.New(v.Type().Elem()).Elem()
		if err := d.decode(f.value, item, path+"."+f.key); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(f.key), item)
	}
	return nil
}
