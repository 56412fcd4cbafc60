package bags

import "fmt"

// A DomainError says that an argument lies outside the domain of a function.
type DomainError struct {
	Func  string  // function
	Arg   string  // argument or field
	Value float64 // what it was
	Want  string  // what it must be
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("bags: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}
