package reliability

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrInfeasible is wrapped by every answer "this cannot be had"; the
	// wrapping type holds the certificate: [*AvailabilityError],
	// [*EpochError], [*LinkError].
	ErrInfeasible = errors.New("infeasible")

	// ErrNoFiniteCount reports a target that no finite number of replicas
	// or spares reaches: an availability of exactly 1.
	ErrNoFiniteCount = errors.New("no finite count")

	// ErrCountTooLarge reports a finite count beyond 2⁵³, where integers are
	// no longer exact.
	ErrCountTooLarge = errors.New("count exceeds 2^53")
)

// A DomainError is an argument outside the domain of a function.
type DomainError struct {
	Func  string  // function
	Arg   string  // argument or field
	Value float64 // what it was
	Want  string  // what it must be
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("reliability: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

// An AvailabilityError is the certificate that a target availability cannot
// be reached: Reachable is the supremum of what can.
type AvailabilityError struct {
	Func      string
	Target    float64 // availability asked for
	Reachable float64 // least upper bound of the availability
	Floor     float64 // greatest lower bound of the unavailability, 1 - Reachable
	Because   string  // what holds it down
}

func (e *AvailabilityError) Error() string {
	return fmt.Sprintf("reliability: %s: availability %v is infeasible: %s, so at most %v (unavailability at least %.6g)",
		e.Func, e.Target, e.Because, e.Reachable, e.Floor)
}

// Unwrap returns ErrInfeasible.
func (e *AvailabilityError) Unwrap() error { return ErrInfeasible }

func positive(fn, arg string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return &DomainError{fn, arg, v, "finite " + arg + " > 0"}
	}
	return nil
}

func nonNegative(fn, arg string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 0) {
		return &DomainError{fn, arg, v, "finite " + arg + " >= 0"}
	}
	return nil
}

func fraction(fn, arg string, v float64) error {
	if !(v >= 0 && v <= 1) {
		return &DomainError{fn, arg, v, "0 <= " + arg + " <= 1"}
	}
	return nil
}

func atLeast(fn, arg string, v, least int) error {
	if v < least {
		return &DomainError{fn, arg, float64(v), fmt.Sprintf("%s >= %d", arg, least)}
	}
	return nil
}

// checkTarget checks an availability asked for; 1 is "no finite count".
func checkTarget(fn string, v float64) error {
	if v == 1 {
		return fmt.Errorf("reliability: %s: target = 1: %w", fn, ErrNoFiniteCount)
	}
	if !(v > 0 && v < 1) {
		return &DomainError{fn, "target", v, "0 < target < 1"}
	}
	return nil
}

// all returns the first error.
func all(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
