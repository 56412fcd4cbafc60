package numeric

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 9, piece, piece + 1, 10*piece + 7} {
		for _, values := range []int{1, 3, 1 << 30} {
			list := make([]int, n)
			for i := range list {
				list[i] = rng.IntN(values)
			}
			want := slices.Sorted(slices.Values(list))
			got := make([]int, 0, n)
			for i, x := range InOrder(list, cmp.Compare[int]) {
				if i != len(got) {
					t.Fatalf("n = %d: place %d, want %d", n, i, len(got))
				}
				got = append(got, x)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("n = %d of %d values are not in order", n, values)
			}
		}
	}
}

// Who stops early has compared far less than a sort of all does.
func TestInOrderStops(t *testing.T) {
	list := rand.New(rand.NewPCG(3, 4)).Perm(64 * piece)
	compared := 0
	for range InOrder(list, func(a, b int) int { compared++; return cmp.Compare(a, b) }) {
		break
	}
	if most := 4 * len(list); compared > most {
		t.Errorf("%d comparisons for the first of %d, want at most %d", compared, len(list), most)
	}
}
