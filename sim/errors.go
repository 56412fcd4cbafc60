package sim

import (
	"errors"
	"fmt"
	"math"
)

// ErrUnstable says that a system has no steady state, so that a run without a
// finite horizon has no answer.
var ErrUnstable = errors.New("sim: unstable")

// A DomainError says that an argument lies outside the domain of a function.
type DomainError struct {
	Func  string  // function, for example "Run"
	Arg   string  // argument or field, for example "Precision"
	Value float64 // what was given
	Want  string  // what is allowed, for example "0 <= Precision < 1"
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("sim: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

// A MemoryError says that a run was not begun because it would take too much
// memory.
type MemoryError struct {
	Needed  float64 // bytes
	Allowed float64 // bytes
	What    string  // what takes it
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("sim: %s would take %.3g GB of memory, %.3g GB are allowed: simulate less at once",
		e.What, e.Needed/1e9, e.Allowed/1e9)
}

// A ModelError says that a model gave a figure what it cannot count.
type ModelError struct {
	Replication int
	Figure      string
	Why         string
}

func (e *ModelError) Error() string {
	return fmt.Sprintf("sim: replication %d: figure %s: %s", e.Replication, e.Figure, e.Why)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
