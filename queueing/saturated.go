package queueing

import (
	"fmt"

	"github.com/capplan/capplan/internal/fault"
)

// A SaturatedError names the part of a system (a priority class, a station)
// that has no steady state while others may. It is [ErrUnstable] and unwraps
// to an *UnstableError.
type SaturatedError struct {
	Func        string
	Part        string // "class" or "station"
	Name        string
	Index       int     // from 0
	Utilization float64 // ≥ 1; of a priority class with all classes above it
}

func (e *SaturatedError) Error() string {
	return fmt.Sprintf("queueing: %s: %s: offered load per server is %s, a steady state needs less than 1",
		e.Func, fault.Part(e.Part, e.Name, e.Index), formatUtilization(e.Utilization))
}

// Unwrap returns the *UnstableError without the name.
func (e *SaturatedError) Unwrap() error { return &UnstableError{e.Func, e.Utilization} }
