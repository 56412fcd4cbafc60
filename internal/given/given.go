// Package given stands in for what a caller left out: a nil context, reader,
// writer or function. The doors of the module's packages ask it, so that no
// call panics further in, far from the mistake.
package given

import (
	"context"
	"errors"
	"io"
)

// Context returns the context, or one that never ends for nil.
func Context(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// Reader returns the reader, or one for nil that says so when it is read.
func Reader(r io.Reader) io.Reader {
	if r == nil {
		return nothing{}
	}
	return r
}

// Writer returns the writer, or one for nil that says so when it is written to.
func Writer(w io.Writer) io.Writer {
	if w == nil {
		return nothing{}
	}
	return w
}

// Each returns a function that is handed one thing after the other, or for nil
// one that lets all of them pass.
func Each[T any](each func(T) error) func(T) error {
	if each == nil {
		return func(T) error { return nil }
	}
	return each
}

type nothing struct{}

func (nothing) Read([]byte) (int, error)  { return 0, errors.New("there is no reader") }
func (nothing) Write([]byte) (int, error) { return 0, errors.New("there is no writer") }
