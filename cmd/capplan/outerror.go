package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/capplan/capplan/internal/outfile"
)

// checkOut finds out, before anything is computed for it, whether the file of a
// flag can be written.
func checkOut(flag, path string) error {
	if err := outfile.Check(path); err != nil {
		return outError(flag, path, err)
	}
	return nil
}

// outError tells a path that cannot be right from a disk that fails.
func outError(flag, path string, err error) error {
	var kind *outfile.KindError
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &kind):
		return &usageError{reason: "--" + flag + ": " + kind.Error()}
	case errors.Is(err, fs.ErrNotExist):
		return &usageError{reason: "--" + flag + ": " + quote(path) + ": there is no such folder"}
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return &usageError{reason: "--" + flag + ": " + quote(path) + ": " + errno(err)}
	case errors.As(err, &at), errors.As(err, &link):
		return fmt.Errorf("--%s: %s: %s", flag, quote(path), errno(err))
	}
	return err
}

// errno is what the system says, without the names of its calls and of files
// that only this program knows.
func errno(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no.Error()
	}
	return plainly(err)
}
