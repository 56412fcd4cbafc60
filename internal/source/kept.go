package source

import "fmt"

// What is kept of a file is bounded, not what is read of it: a few MB of
// compressed text may unpack to any number of rows.
const (
	// MaxKept is the most rows that are kept of the files of one question, some
	// 100 bytes each while laws are fitted to them.
	MaxKept = 8_000_000
)

// A Keeper counts the rows that are kept of one or more files. One may count over several files.
type Keeper struct {
	What string // the rows, such as "samples"
	Want string // what to do instead
	n    int
}

// Keep counts one more row of the file; beyond MaxKept it returns a *FileError
// of ErrMemory that says so.
func (k *Keeper) Keep(file string) error {
	if k.n++; k.n <= MaxKept {
		return nil
	}
	return &FileError{File: file, Want: k.Want, Err: ErrMemory,
		Problem: fmt.Sprintf("more than %d million %s to keep", MaxKept/1_000_000, k.What),
	}
}
