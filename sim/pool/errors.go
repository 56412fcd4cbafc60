package pool

import (
	"fmt"
	"math"
)

// A DomainError says that a field of a [Pool] lies outside its domain.
type DomainError struct {
	Func  string  // function, for example "Pool"
	Arg   string  // field, for example "dedicated machines"
	Value float64 // what was given
	Want  string  // what is allowed
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("pool: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

func positive(fn, arg string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return &DomainError{fn, arg, v, "finite " + arg + " > 0"}
	}
	return nil
}

func atLeastZero(fn, arg string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 1) {
		return &DomainError{fn, arg, v, "finite " + arg + " >= 0"}
	}
	return nil
}
