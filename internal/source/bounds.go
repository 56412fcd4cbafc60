package source

import "fmt"

// Bounds beyond which a number is taken for damage, not for data.
const (
	MaxSeconds = 1e10 // 317 years
	MaxField   = 1e15 // whole numbers up to here are exact
)

// A file with damaged lines is read on, up to here.
const (
	MaxNamed     = 5   // malformed lines kept with their text
	MaxMalformed = 100 // malformed lines without a good one that make a file another than it was taken for
)

// MaxKept is the most rows that are kept of the files of one question, some 100
// bytes each while laws are fitted to them. What is kept of a file is bounded, not
// what is read of it: a few MB of compressed text may unpack to any number of rows.
const MaxKept = 8_000_000

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
