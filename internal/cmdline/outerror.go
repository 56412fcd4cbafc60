package cmdline

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/spell"
)

// CheckOut finds out, before anything is computed for it, whether the file of a
// flag can be written.
func CheckOut(flag, path string) error {
	if err := outfile.Check(path); err != nil {
		return OutError(flag, path, err)
	}
	return nil
}

// OutError distinguishes a path that cannot be right from a disk that fails. The former is the
// user's error, with exit code 2; the latter is a failure, with 1. nil stays nil.
func OutError(flag, path string, err error) error {
	var kind *outfile.KindError
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &kind):
		return &UsageError{Reason: "--" + flag + ": " + kind.Error()}
	case errors.Is(err, fs.ErrNotExist):
		return &UsageError{Reason: "--" + flag + ": " + spell.Quote(path) + ": there is no such folder"}
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ELOOP),
		errors.Is(err, syscall.EEXIST): // a link that leads nowhere, of a folder that is to be made
		return &UsageError{Reason: "--" + flag + ": " + spell.Quote(path) + ": " + Errno(err)}
	case errors.As(err, &at), errors.As(err, &link):
		return fmt.Errorf("--%s: %s: %s", flag, spell.Quote(path), Errno(err))
	}
	return err
}

// Errno is what the system says, without the names of its calls and of files
// that only this program knows.
func Errno(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no.Error()
	}
	return Plainly(err)
}

// WriteOut writes to w or, where path is not empty, to that file, whole or not
// at all. An interruption ends the writing, and no file appears.
func WriteOut(ctx context.Context, w io.Writer, path string, write func(io.Writer) error) error {
	if path == "" {
		return write(w)
	}
	file, err := outfile.Create(path)
	if err != nil {
		return OutError("out", path, err)
	}
	defer file.Discard()
	// 64 KiB a write keeps the number of calls low for answers of millions of rows.
	buffered := bufio.NewWriterSize(&endingWriter{ctx: ctx, w: file}, 1<<16)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = file.Commit()
		return OutError("out", path, err)
	}
	// The file's own error is the cause; that of the encoder is a consequence.
	if file.Err() != nil {
		return OutError("out", path, file.Err())
	}
	return err
}
