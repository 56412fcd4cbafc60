package joblog

import (
	"errors"

	"github.com/capplan/capplan/internal/source"
)

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

// A DomainError says which argument lies outside a function's domain.
type DomainError = source.DomainError

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
	ErrNoJobs      = errors.New("no usable job")
)

// What can be wrong with a sample; test with errors.Is.
var (
	// ErrTooFew: the sample is too small for what was asked.
	ErrTooFew = errors.New("too few values")
	// ErrDegenerate: the sample has no spread (or so much that the law has no
	// finite mean in double precision), so the law has no estimate.
	ErrDegenerate = errors.New("degenerate sample")
)
