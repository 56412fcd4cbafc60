package document

import "reflect"

// A Keyed is a list that a document holds as a mapping by name, which readers
// fill entry by entry.
type Keyed interface {
	Has(name []byte) bool
	Add(name string) reflect.Value // the new value, to be filled before the next
	Elem() reflect.Type
}
