package workload

import "reflect"

// A byName is a list that a document holds as a mapping by name, which readers
// fill entry by entry.
type byName interface {
	has(name []byte) bool
	add(name string) reflect.Value // the new value, to be filled before the next
	value() reflect.Type
}
