package sweeps

import (
	"bufio"
	"errors"
	"io/fs"
	"os"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/spell"
)

// Replace writes all rows of shards to a file, whole or not at all: whatever ends it
// before, what stood there stays. What stands there, rows or an unfinished sweep, is
// replaced with force alone. Errors: *OptionError, *FileError.
func (k *Kept) Replace(path string, force bool) error {
	size, _, sideErr, err := standing(path)
	if err != nil {
		return err
	}
	bad := func(why string) error { return &OptionError{"out", spell.Quote(path) + why} }
	switch {
	case !force && sideErr == nil:
		return bad(" is an unfinished sweep: want --force to replace it, or another name")
	case !force && size > 0:
		return bad(" exists already: want --force to replace it, or another name")
	}
	file, err := outfile.Create(path)
	if err != nil {
		return &FileError{path, err}
	}
	defer file.Discard()
	w := bufio.NewWriterSize(file, 1<<20)
	err = k.WriteCSV(w)
	if err == nil {
		err = w.Flush()
	}
	if file.Err() != nil {
		return &FileError{path, file.Err()}
	}
	if err != nil {
		return err
	}
	if err := file.Commit(); err != nil {
		return &FileError{path, err}
	}
	// Not before: rows of an unfinished sweep without it would pass for all.
	if err := os.Remove(sideFile(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &FileError{sideFile(path), err}
	}
	return nil
}
