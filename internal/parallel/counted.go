package parallel

import (
	"context"
	"sync"
)

// A Counter begins to count, and returns what is called as parts are done and what is called at the end.
type Counter func() (progress func(done, of int), end func())

type counterKey struct{}

// WithCounter returns a context in which [Counted] counts.
func WithCounter(ctx context.Context, count Counter) context.Context {
	return context.WithValue(ctx, counterKey{}, count)
}

// Counted is [All] of what may take most of the time of a command, counted where the context says so.
func Counted(ctx context.Context, n int, f func(i int) error) error {
	count, _ := ctx.Value(counterKey{}).(Counter)
	if count == nil {
		return All(ctx, n, f)
	}
	progress, end := count()
	defer end()
	var mu sync.Mutex
	done := 0
	return All(ctx, n, func(i int) error {
		err := f(i)
		mu.Lock()
		defer mu.Unlock()
		done++
		progress(done, n)
		return err
	})
}
