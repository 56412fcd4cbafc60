package parallel

import "context"

// All calls f for 0..n−1 on all cores, as [Each] does, and returns the error of
// the least index that failed. A context that has ended is an error even where
// all work was done by then: what f returns may be what there was at its end.
func All(ctx context.Context, n int, f func(i int) error) error {
	err := Each(ctx, 0, n, f)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
