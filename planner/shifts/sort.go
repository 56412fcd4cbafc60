package shifts

import (
	"cmp"
	"slices"
)

// sortWorked puts shifts in order of their start, then of their type.
func sortWorked(w []Worked) {
	slices.SortStableFunc(w, func(a, b Worked) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Type, b.Type))
	})
}
