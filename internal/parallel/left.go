package parallel

import (
	"context"
	"sync"
)

// Left is the work that [Await] and [AwaitLast] have left alone under one
// context: they let their callers go, and their cores are not free before it ends.
type Left struct {
	mu    sync.Mutex
	n     int
	ended []func()
}

type leftKey struct{}

// WithLeft returns a context below ctx whose work that is left alone is known.
func WithLeft(ctx context.Context) (context.Context, *Left) {
	l := &Left{}
	return context.WithValue(ctx, leftKey{}, l), l
}

// Then calls f once nothing is left, at once where nothing is.
func (l *Left) Then(f func()) {
	l.mu.Lock()
	if l.n > 0 {
		l.ended = append(l.ended, f)
		f = func() {}
	}
	l.mu.Unlock()
	f()
}

// begun notes that work has begun which may be left, until done is called.
func begun(ctx context.Context) (done func()) {
	l, ok := ctx.Value(leftKey{}).(*Left)
	if !ok {
		return func() {}
	}
	l.mu.Lock()
	l.n++
	l.mu.Unlock()
	return func() {
		var all []func()
		l.mu.Lock()
		if l.n--; l.n == 0 {
			all, l.ended = l.ended, nil
		}
		l.mu.Unlock()
		for _, f := range all {
			f()
		}
	}
}
