package workload

import "github.com/capplan/capplan/internal/source"

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

// What can be wrong with a file; test with errors.Is. A missing file matches
// fs.ErrNotExist.
var (
	ErrEmpty     = source.ErrEmpty
	ErrBinary    = source.ErrBinary
	ErrMalformed = source.ErrMalformed
	ErrMemory    = source.ErrMemory
)
