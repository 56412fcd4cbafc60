package cmdline

import (
	"context"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progressFrom is the size in bytes from which reading a file is worth a bar.
const progressFrom = 8 << 20

// redrawn is the least time between two looks of a bar: more often than ten
// times a second only fills a log that records the terminal.
const redrawn = 100 * time.Millisecond

// Progress returns what wraps a reader to show a bar on stderr while a large
// file is read, if stderr is a terminal. nil where it is none.
func (s *Streams) Progress(name string) func(io.Reader, int64) io.Reader {
	if !isTerminal(s.Err) {
		return nil
	}
	return func(r io.Reader, size int64) io.Reader {
		// Of a pipe the size is not known, -1, and a bar shows that something comes.
		if size >= 0 && size < progressFrom {
			return r
		}
		bar := progressbar.NewOptions64(size, progressbar.OptionSetWriter(s.Err),
			progressbar.OptionSetDescription(Printable(name)),
			progressbar.OptionShowBytes(true), progressbar.OptionThrottle(redrawn), progressbar.OptionClearOnFinish())
		return io.TeeReader(r, bar)
	}
}

// Steps shows a bar that counts to n; done removes it. Where stderr is no terminal a line says how long
// it takes, if that is long.
func (s *Streams) Steps(n int, what string) (add func(int), done func()) {
	if !isTerminal(s.Err) {
		counted, progress := 0, s.paced(what)
		return func(k int) { counted += k; progress(counted, n) }, func() {}
	}
	bar := progressbar.NewOptions(n, progressbar.OptionSetWriter(s.Err), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(redrawn), progressbar.OptionClearOnFinish())
	return func(k int) { _ = bar.Add(k) }, func() { _ = bar.Finish() }
}

// Counted shows a bar of parts done, whose number may grow. The bar begins with the first part,
// which knows how many there are. If the number of parts changes, a new bar begins.
func (s *Streams) Counted(what string) (progress func(done, of int), end func()) {
	if !isTerminal(s.Err) {
		return s.paced(what), func() {}
	}
	add, finish := func(int) {}, func() {}
	last, total := 0, -1
	progress = func(done, of int) {
		if of != total {
			finish()
			add, finish = s.Steps(of, what)
			total, last = of, 0
		}
		if done > last {
			add(done - last)
			last = done
		}
	}
	return progress, func() { finish() }
}

// Counting asks a question whose parts are counted by a bar, which is gone when the answer or the
// error is shown. progress is the field of the question that is called as parts are done.
func Counting[Q, A any](ctx context.Context, s *Streams, what string, progress *func(done, of int), q Q,
	ask func(context.Context, Q) (A, error)) (A, error) {
	var end func()
	*progress, end = s.Counted(what)
	defer end()
	return ask(ctx, q)
}
