// Package adversary calls all that the module's packages export with values
// that nobody in his senses would pass: widths of MaxInt64, NaN and 5e-324 as
// shapes, slices of unlike lengths, nil laws and functions, solvers that answer
// with too short a vector.
//
// It holds what a caller of the library relies on: no call panics, none runs
// for longer than ten seconds or, where it takes a context, for longer than a
// second past the context's end, and none takes more than about a gigabyte.
//
// [Table] lists the exported functions and types, since Go has no list of them
// at run time; go generate writes it into table_test.go and a test compares the
// two. Arguments are drawn by reflection from a seed, so that a name and a seed
// repeat a call:
//
//	go test ./internal/adversary -run Exported -target queueing.ErlangB -seeds 17:18 -v
//
// Beside what is drawn every function is called with nothing at all, nil for a
// context included, and with a context that has ended. A method of a nil pointer
// is the caller's own mistake: it may panic, by dereferencing nil as methods of
// Go's own packages do, and in no other way. A pointer that leads back to itself
// is never tried.
package adversary
