package parallel

import (
	"context"
	"time"
)

// Await returns what f returns, or the error of ctx as soon as that is done: f,
// which knows no context, then goes on alone, and its answer is dropped. It is
// for kernels whose single steps can take seconds, and that are bounded by their
// own domains: the goroutine left behind ends with its kernel. What f reads must
// not change afterwards. A panic of f goes on in the caller. After the end of ctx f is not begun.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	if err := ctx.Err(); err != nil {
		var none T
		return none, err
	}
	return AwaitLast(ctx, 0, f)
}

// AwaitLast is [Await] for an f that looks at ctx itself and then ends with the
// best it has: it is given a last while for it.
func AwaitLast[T any](ctx context.Context, last time.Duration, f func() (T, error)) (T, error) {
	type outcome struct {
		value  T
		err    error
		caught *Panic
	}
	done := make(chan outcome, 1)
	ended := begun(ctx)
	go func() {
		defer ended()
		var o outcome
		o.caught = Catch(func() { o.value, o.err = f() })
		done <- o
	}()
	over := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		if last > 0 {
			time.Sleep(last)
		}
		close(over)
	})
	defer stop()
	select {
	case o := <-done:
		o.caught.Again()
		return o.value, o.err
	case <-over:
		var none T
		return none, ctx.Err()
	}
}
