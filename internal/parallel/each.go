package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls f for 0..n−1 on the given number of goroutines, GOMAXPROCS of them
// where it is 0, and returns the error of the least index that failed. Indices
// are begun in order, and none is begun after a failure or a panic, so this
// error does not depend on how fast the goroutines are. Where the context ends
// the error of an index not begun is that of the context; work that was all
// done by then is no error.
//
// A panic of f is that of Each, after the other goroutines have ended.
func Each(ctx context.Context, workers, n int, f func(i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		next   atomic.Int64
		failed atomic.Bool
		mu     sync.Mutex // over least and first
		least  = n
		first  error
	)
	fail := func(i int, err error) {
		mu.Lock()
		defer mu.Unlock()
		if i < least {
			least, first = i, err
		}
		failed.Store(true)
	}
	work := func() {
		// A panic leaves the loop: the others must know that it did.
		whole := false
		defer func() {
			if !whole {
				failed.Store(true)
			}
		}()
		for !failed.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				break
			}
			err := ctx.Err()
			if err == nil {
				err = f(i)
			}
			if err != nil {
				fail(i, err)
			}
		}
		whole = true
	}
	// More workers than work would end at once. With one the work is done here.
	workers = min(workers, n)
	if workers == 1 {
		work()
		return first
	}
	var g group
	for range workers {
		g.start(work)
	}
	g.wait()
	return first
}

// A group is some goroutines that are waited for together.
type group struct {
	wg    sync.WaitGroup
	once  sync.Once
	first *Panic
}

// start begins f and keeps its panic: the first panic is reported.
func (g *group) start(f func()) {
	g.wg.Go(func() {
		if p := Catch(f); p != nil {
			g.once.Do(func() { g.first = p })
		}
	})
}

// wait ends when all have ended, and goes on with the panic if there was one.
func (g *group) wait() {
	g.wg.Wait()
	g.first.Again()
}
