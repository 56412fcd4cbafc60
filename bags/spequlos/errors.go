package spequlos

import (
	"errors"
	"fmt"
)

var (
	// ErrCredits says that an account does not hold what was asked of it.
	ErrCredits = errors.New("not enough credits")
	// ErrHistory says that there is nothing to predict from.
	ErrHistory = errors.New("nothing to predict from")
	// ErrOrder says that an event does not follow on those before it.
	ErrOrder = errors.New("event out of order")
)

// A DomainError says that an argument lies outside the domain of a function.
type DomainError struct {
	Func  string  // function
	Arg   string  // argument or field
	Value float64 // what it was
	Want  string  // what it must be
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("spequlos: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

// A StrategyError says which part of the name of a strategy is not known.
type StrategyError struct {
	Text    string // the whole name
	Part    string // what is not known
	Want    string
	Nearest string // a name that may have been meant, or ""
}

func (e *StrategyError) Error() string {
	s := fmt.Sprintf("%q: %q is not %s", e.Text, e.Part, e.Want)
	if e.Nearest != "" {
		s += ", did you mean " + e.Nearest + "?"
	}
	return s
}
