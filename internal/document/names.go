package document

import "fmt"

// UniqueNames checks that the items of a list of the root have names, each once. name returns that
// of the i-th. Errors: *source.FileError.
func (d *Document) UniqueNames(field string, count int, name func(int) string) error {
	list, seen := d.Root.Field(field), map[string]int{}
	for i := range count {
		n := list.Item(i)
		if name(i) == "" {
			return d.On(n, "no name in "+field, "a name such as cpu")
		}
		if first, ok := seen[name(i)]; ok {
			return d.On(n.Field("name"),
				fmt.Sprintf("%q is given twice in %s (first on line %d)", name(i), field, list.Item(first).Line),
				"a name of its own")
		}
		seen[name(i)] = i
	}
	return nil
}
