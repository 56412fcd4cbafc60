package law

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrNoEvents reports durations that are all censored: the likelihood
	// then grows without end as the mean grows.
	ErrNoEvents = errors.New("no observed failure among the durations")

	// ErrDegenerate reports durations under which the likelihood has no
	// maximum: all observed durations equal and no censored one longer.
	ErrDegenerate = errors.New("the likelihood has no maximum")

	// ErrNotConverged reports an iteration that ended without an answer.
	ErrNotConverged = errors.New("not converged")
)

// A DomainError is an argument outside the domain of a function.
type DomainError struct {
	Func  string  // function
	Arg   string  // argument or field
	Value float64 // what it was
	Want  string  // what it must be
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("law: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

func positive(fn, arg string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return &DomainError{fn, arg, v, "finite " + arg + " > 0"}
	}
	return nil
}
