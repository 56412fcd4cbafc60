package allocation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/capplan/capplan/internal/source"
)

// ByDependency holds values by the name of a dependency, in the order of the
// file. In JSON and YAML it is a mapping. A job has few dependencies, of which a list
// takes less memory than a map.
type ByDependency[T any] []Dependent[T]

// A Dependent is what a job says of one dependency.
type Dependent[T any] struct {
	Dependency string
	Value      T
}

// Of returns the value of a dependency, and whether there is one.
func (b ByDependency[T]) Of(dependency string) (v T, ok bool) {
	for i := range b {
		if b[i].Dependency == dependency {
			return b[i].Value, true
		}
	}
	return v, false
}

// MarshalJSON writes a mapping.
func (b ByDependency[T]) MarshalJSON() ([]byte, error) {
	var buf bytes.Buffer
	buf.WriteByte('{')
	for i := range b {
		if i > 0 {
			buf.WriteByte(',')
		}
		key, err := json.Marshal(b[i].Dependency)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(b[i].Value)
		if err != nil {
			return nil, err
		}
		buf.Write(key)
		buf.WriteByte(':')
		buf.Write(value)
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// UnmarshalJSON reads a mapping whose keys differ. A key that stands twice is
// refused, of which a map would keep the last.
func (b *ByDependency[T]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("by dependency: %s, want a mapping", source.Shown(data))
	}
	*b = ByDependency[T]{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name := key.(string) // a key of JSON
		if _, twice := b.Of(name); twice {
			return fmt.Errorf("by dependency: %q is given twice", name)
		}
		v := Dependent[T]{Dependency: name}
		if err := dec.Decode(&v.Value); err != nil {
			return err
		}
		*b = append(*b, v)
	}
	return nil
}

// JSONSchemaAlias returns what a schema is made of instead.
func (ByDependency[T]) JSONSchemaAlias() any { return map[string]T{} }

// Has, Names, Add and Elem are what the reader of documents fills it by.
func (b *ByDependency[T]) Has(name []byte) bool {
	for i := range *b {
		if (*b)[i].Dependency == string(name) {
			return true
		}
	}
	return false
}

// Names are those of the dependencies.
func (b *ByDependency[T]) Names() []string {
	names := make([]string, len(*b))
	for i := range *b {
		names[i] = (*b)[i].Dependency
	}
	return names
}

func (b *ByDependency[T]) Add(name string) reflect.Value {
	*b = append(*b, Dependent[T]{Dependency: name})
	return reflect.ValueOf(&(*b)[len(*b)-1].Value).Elem()
}

func (*ByDependency[T]) Elem() reflect.Type { return reflect.TypeFor[T]() }
