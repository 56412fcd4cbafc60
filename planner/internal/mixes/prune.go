package mixes

import (
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/numeric"
)

// OfOneType are the mixes of one type, beside what is taken in any case, that meet
// the objectives: as many as the next power of two. The first types are looked at until it
// is enough.
func (x *Model) OfOneType(items []cover.Item, enough func() bool) [][]int64 {
	var all [][]int64
	for i := range items {
		if enough() {
			break
		}
		counts := make([]int64, len(items))
		for j, it := range items {
			counts[j] = it.Least
		}
		for more := int64(1); ; more *= 2 {
			counts[i] = min(items[i].Least+more, items[i].Most)
			if x.Meets(counts) {
				all = append(all, counts)
				break
			}
			if counts[i] == items[i].Most || more > 1<<40 {
				break
			}
		}
	}
	return all
}

// Pruned takes machines out of a mix, the dearest first, as long as it meets the
// objectives.
func (x *Model) Pruned(items []cover.Item, counts []int64) []int64 {
	counts = slices.Clone(counts)
	order := numeric.Indices[int](len(items))
	sort.SliceStable(order, func(a, b int) bool { return items[order[a]].Price > items[order[b]].Price })
	for _, i := range order {
		for step := counts[i] - items[i].Least; step > 0; {
			counts[i] -= step
			if counts[i] >= items[i].Least && x.Meets(counts) {
				continue
			}
			counts[i] += step
			step /= 2
		}
	}
	return counts
}
