package mixes

import (
	"cmp"
	"slices"

	"github.com/capplan/capplan/internal/cover"
)

// fewestFree takes machines without a price out of a mix that is admitted, those worth least
// first, as many as can be missed. Of such machines all numbers cost the same, and a search
// takes any: far more than anybody has where there is no limit.
func (x *Model) fewestFree(items []cover.Item, s *cover.Solution) *cover.Solution {
	var free []int
	for i, it := range items {
		if it.Price == 0 && s.Counts[i] > it.Least {
			free = append(free, i)
		}
	}
	if free == nil {
		return s
	}
	slices.SortStableFunc(free, func(i, j int) int { return cmp.Compare(items[i].Worth, items[j].Worth) })
	out := *s
	out.Counts = slices.Clone(s.Counts)
	for _, i := range free {
		out.Counts[i] = x.leastOf(items, out.Counts, i)
	}
	return worthOf(&out, items)
}

// leastOf is how few machines of a type admit a mix, by bisection below those that it has. Of most types
// the least are enough, and mixes of fewer types have fewer states.
func (x *Model) leastOf(items []cover.Item, from []int64, i int) int64 {
	counts := slices.Clone(from)
	if counts[i] = items[i].Least; from[i] <= items[i].Least || x.Admits(counts) {
		return counts[i]
	}
	counts[i] = from[i]
	low, high := items[i].Least, counts[i]
	for high-low > 1 {
		if counts[i] = low + (high-low)/2; x.Admits(counts) {
			high = counts[i]
		} else {
			low = counts[i]
		}
	}
	return high
}
