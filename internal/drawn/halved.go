package drawn

import (
	"context"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
)

// Halved returns n answers that rise with their place. Stretches whose ends are
// solved and whose inside is not are halved until their ends agree, and then
// all inside do; one generation is solved at a time, on all cores. solve is given a place
// and, with their answers a and b, the solved places beside it; low is −1 where
// there are none.
func Halved[T comparable](ctx context.Context, n int,
	solve func(ctx context.Context, k, low, high int, a, b T) (T, error)) ([]T, error) {
	answers := make([]T, n)
	ends := slices.Compact([]int{0, n - 1})
	err := parallel.All(ctx, len(ends), func(i int) (err error) {
		var none T
		answers[ends[i]], err = solve(ctx, ends[i], -1, -1, none, none)
		return err
	})
	if err != nil {
		return nil, err
	}
	type stretch struct{ low, high int32 } // ten million of them are many
	var open []stretch
	see := func(low, high int32) {
		switch {
		case high-low < 2:
		case answers[low] == answers[high]:
			for i := low + 1; i < high; i++ {
				answers[i] = answers[low]
			}
		default:
			open = append(open, stretch{low, high})
		}
	}
	for see(0, int32(n-1)); len(open) > 0; {
		solved := open
		err := parallel.All(ctx, len(solved), func(i int) (err error) {
			low, high := int(solved[i].low), int(solved[i].high)
			k := low + (high-low)/2
			answers[k], err = solve(ctx, k, low, high, answers[low], answers[high])
			return err
		})
		if err != nil {
			return nil, err
		}
		open = nil
		for _, s := range solved {
			k := s.low + (s.high-s.low)/2
			see(s.low, k)
			see(k, s.high)
		}
	}
	return answers, nil
}
