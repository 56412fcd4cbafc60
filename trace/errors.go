package trace

import "github.com/capplan/capplan/internal/source"

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

// A DomainError says which argument lies outside a function's domain.
type DomainError = source.DomainError

// OpenOptions say how a file is opened; the zero value will do.
type OpenOptions = source.OpenOptions

// What can be wrong with a file; test with errors.Is. A missing file matches
// fs.ErrNotExist.
var (
	ErrIsDirectory = source.ErrIsDirectory
	ErrEmpty       = source.ErrEmpty
	ErrTruncated   = source.ErrTruncated
	ErrCorrupt     = source.ErrCorrupt
	ErrBinary      = source.ErrBinary
	ErrMalformed   = source.ErrMalformed
	ErrMemory      = source.ErrMemory
)
