package parallel

import (
	"context"
	"slices"
)

// Sort sorts s by compare, and returns the error of ctx where that ends first;
// then s is in no order. Ten million values take seconds.
func Sort[T any](ctx context.Context, s []T, compare func(a, b T) int) error {
	n, over := 0, false
	slices.SortFunc(s, func(a, b T) int {
		if n++; n%4096 == 0 {
			over = over || ctx.Err() != nil
		}
		if over {
			return 0 // what is all alike is sorted after one look
		}
		return compare(a, b)
	})
	return ctx.Err()
}
