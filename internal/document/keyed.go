package document

import "reflect"

// A Keyed is a list that a document holds as a mapping by name, which readers
// fill entry by entry.
type Keyed interface {
	Has(name []byte) bool
	Names() []string
	Add(name string) reflect.Value // the new value, to be filled before the next
	Elem() reflect.Type
}

// fewNames is up to how many names a list is looked through for one.
const fewNames = 64

// Names finds repeated names among those added to a list one after another, in a time that does not
// grow with the square of their number.
type Names struct {
	to    Keyed
	asked int
	seen  map[string]bool // from fewNames on
}

// NamesOf are the names of a list that is about to be filled.
func NamesOf(to Keyed) Names { return Names{to: to} }

// Has reports whether the list has a name; if not, the caller adds it.
func (n *Names) Has(name []byte) bool {
	if n.asked++; n.asked <= fewNames {
		return n.to.Has(name)
	}
	if n.seen == nil {
		n.seen = make(map[string]bool, 4*fewNames)
		for _, s := range n.to.Names() {
			n.seen[s] = true
		}
	}
	if n.seen[string(name)] {
		return true
	}
	n.seen[string(name)] = true
	return false
}
