package numeric

import (
	"iter"
	"sort"
)

// InOrder hands on the elements of a list from the least to the greatest, with
// their places. It sorts piece by piece as they are asked for, so that who stops
// early, or asks a clock between elements, does not wait until millions are
// sorted. The list is reordered; compare must be a strict weak order, and is
// best a total one: equal elements come in any order.
func InOrder[T any](list []T, compare func(a, b T) int) iter.Seq2[int, T] {
	type part struct {
		list []T
		even bool // all elements are equal
	}
	return func(yield func(int, T) bool) {
		at := 0
		rests := []part{{list: list}} // the last one holds the least
		for len(rests) > 0 {
			p := rests[len(rests)-1]
			rests = rests[:len(rests)-1]
			if len(p.list) > piece && !p.even {
				less, same, more := threeWays(p.list, compare)
				rests = append(rests, part{list: more}, part{list: same, even: true}, part{list: less})
				continue
			}
			if !p.even {
				sort.Sort(ordered[T]{p.list, compare})
			}
			for _, x := range p.list {
				if !yield(at, x) {
					return
				}
				at++
			}
		}
	}
}

// ordered sorts by an interface: a sort compiled for each type of element takes 8 KB of program.
type ordered[T any] struct {
	list    []T
	compare func(a, b T) int
}

func (o ordered[T]) Len() int           { return len(o.list) }
func (o ordered[T]) Less(i, j int) bool { return o.compare(o.list[i], o.list[j]) < 0 }
func (o ordered[T]) Swap(i, j int)      { o.list[i], o.list[j] = o.list[j], o.list[i] }

// piece is how many elements are sorted at once: some milliseconds.
const piece = 1 << 14

// threeWays reorders a list into what is less than one of its elements, the
// median of nine, what is equal and what is more.
func threeWays[T any](list []T, compare func(a, b T) int) (less, same, more []T) {
	var nine [9]T
	for i := range nine {
		nine[i] = list[i*(len(list)-1)/8]
	}
	sort.Sort(ordered[T]{nine[:], compare})
	pivot := nine[4]
	low, high := 0, len(list)
	for i := 0; i < high; {
		switch c := compare(list[i], pivot); {
		case c < 0:
			list[low], list[i] = list[i], list[low]
			low++
			i++
		case c > 0:
			high--
			list[i], list[high] = list[high], list[i]
		default:
			i++
		}
	}
	return list[:low], list[low:high], list[high:]
}
