package smp

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrInfinite says that a mean does not exist because with positive
	// probability the event never happens. The error that wraps it is an
	// *InfiniteError, which names the state to blame.
	ErrInfinite = errors.New("smp: infinite mean")

	// ErrImpossible says that a start has probability zero: the kernel leaves
	// the state for certain before the elapsed sojourn that was given.
	ErrImpossible = errors.New("smp: impossible start")

	// ErrNoLimit says that there is no single stationary law: a state is
	// never left, or there is more than one closed class.
	ErrNoLimit = errors.New("smp: no stationary law")

	// ErrTooLarge says that an answer would need more memory than allowed.
	// The error that wraps it is a *SizeError.
	ErrTooLarge = errors.New("smp: too large")

	// ErrHorizon says that a curve ends before the answer is reached.
	ErrHorizon = errors.New("smp: horizon too short")

	// ErrNoData says that there is nothing to estimate from.
	ErrNoData = errors.New("smp: no data")

	// ErrSample says that a sample was refused. The error that wraps it is a
	// *SampleError.
	ErrSample = errors.New("smp: bad sample")

	// ErrMixedPeriods says that samples come at no single period.
	ErrMixedPeriods = errors.New("smp: mixed sampling periods")
)

// A DomainError says that an argument lies outside the domain of a function.
type DomainError struct {
	Func  string  // function, for example "Kernel.Reliability"
	Arg   string  // argument or field
	Value float64 // what was given
	Want  string  // what is allowed
}

func (e *DomainError) Error() string { return "smp: " + e.Func + ": " + e.Problem() }

// Problem is what was found, without the package and the function.
func (e *DomainError) Problem() string {
	return fmt.Sprintf("%s = %v, want %s", e.Arg, e.Value, e.Want)
}

// A KernelError says which row or atom of a kernel is wrong.
type KernelError struct {
	From   string // state the row belongs to
	Reason string
}

func (e *KernelError) Error() string {
	return fmt.Sprintf("smp: kernel row %s: %s", e.From, e.Reason)
}

// An InfiniteError names the state in which the process may stay for ever.
type InfiniteError struct {
	Func   string
	State  string // a state reached with positive probability
	Reason string
}

func (e *InfiniteError) Error() string {
	return fmt.Sprintf("smp: %s: the mean is infinite: %s %s", e.Func, e.State, e.Reason)
}

// Is reports whether target is [ErrInfinite].
func (e *InfiniteError) Is(target error) bool { return target == ErrInfinite }

// A SizeError says how much memory an answer needs and how much was allowed.
type SizeError struct {
	Func          string
	Need, Allowed float64 // bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("smp: %s: needs about %.3g MB, want at most %.3g MB (Options.MaxMemory)",
		e.Func, e.Need/1e6, e.Allowed/1e6)
}

// Is reports whether target is [ErrTooLarge].
func (e *SizeError) Is(target error) bool { return target == ErrTooLarge }

// A SampleError says why a sample was refused; the labeller is unchanged.
type SampleError struct {
	Time   float64 // of the sample, s
	Reason string
}

func (e *SampleError) Error() string {
	return "smp: " + e.Problem()
}

// Problem is the error without the name of the package.
func (e *SampleError) Problem() string { return fmt.Sprintf("sample at %v s: %s", e.Time, e.Reason) }

// Is reports whether target is [ErrSample].
func (e *SampleError) Is(target error) bool { return target == ErrSample }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func positive(fn, arg string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return &DomainError{fn, arg, v, "finite " + arg + " > 0"}
	}
	return nil
}

func nonNegative(fn, arg string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 1) {
		return &DomainError{fn, arg, v, "finite " + arg + " >= 0"}
	}
	return nil
}

func within01(fn, arg string, v float64) error {
	if !(v >= 0 && v <= 1) {
		return &DomainError{fn, arg, v, arg + " within 0..1"}
	}
	return nil
}

// open01 demands 0 < v < 1.
func open01(fn, arg string, v float64) error {
	if !(v > 0 && v < 1) {
		return &DomainError{fn, arg, v, arg + " strictly between 0 and 1"}
	}
	return nil
}
