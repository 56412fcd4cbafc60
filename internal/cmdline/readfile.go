package cmdline

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
)

// A Reader is a function of the planner that reads one kind of file; name is for
// its errors.
type Reader[T any] func(ctx context.Context, name string, r io.Reader) (T, error)

// Read reads the file of an argument or a flag, with a bar where it is large; "-"
// is stdin. want describes the file to who names one that is empty or none. Errors:
// *source.FileError; those of read.
func Read[T any](ctx context.Context, s *Streams, path, want string, read Reader[T]) (T, error) {
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: s.In, Want: want, Wrap: s.Progress(path)})
	if err != nil {
		var none T
		return none, err
	}
	defer src.Close()
	return read(ctx, src.Name, src)
}

// InFile says what is wrong with a question by the file that it was read from: an
// *ask.InputError of no field, or of one of these. Any other error stays as it is.
func InFile(path string, err error, fields ...string) error {
	var input *ask.InputError
	if path == "" || !errors.As(err, &input) || input.With != "" ||
		input.Field != "" && !slices.Contains(fields, input.Field) {
		return err
	}
	if path == "-" {
		path = "standard input"
	} else if Printable(path) != path {
		path = spell.Quote(path)
	}
	return &ask.InputError{Reason: path + ": " + input.Reason, Want: input.Want}
}
