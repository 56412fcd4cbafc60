package queueing

import (
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
)

// ErrUnstable says that a queue has no steady state: work arrives at least as
// fast as its servers can do it. The error that wraps it is an
// *UnstableError, which holds the utilization.
var ErrUnstable = errors.New("queueing: unstable")

// ErrInfeasible says that a target cannot be reached with any finite number of
// servers (or with any load above zero). The error that wraps it is an
// *InfeasibleError, which holds the best value that can be reached.
var ErrInfeasible = errors.New("queueing: infeasible")

// A DomainError says that an argument lies outside the domain of a function.
type DomainError struct {
	Func  string  // function, for example "ErlangB"
	Arg   string  // argument, for example "load"
	Value float64 // what was given
	Want  string  // what is allowed, for example "finite load >= 0"
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("queueing: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

// An UnstableError says which queue has no steady state, and why.
type UnstableError struct {
	Func        string
	Utilization float64 // offered load per server, ≥ 1
}

func (e *UnstableError) Error() string {
	return fmt.Sprintf("queueing: %s: offered load per server is %s, a steady state needs less than 1",
		e.Func, formatUtilization(e.Utilization))
}

// Is reports whether target is [ErrUnstable].
func (e *UnstableError) Is(target error) bool { return target == ErrUnstable }

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

// An InfeasibleError is the certificate that an objective cannot be met: the
// infimum of the metric over all numbers of servers (or loads), which is not
// below the limit.
type InfeasibleError struct {
	Objective Objective
	Infimum   float64 // greatest lower bound of the metric; it need not be attained
	Reason    string
}

func (e *InfeasibleError) Error() string {
	return fmt.Sprintf("queueing: no number of servers gives %v: %s", e.Objective, e.Reason)
}

// Is reports whether target is [ErrInfeasible].
func (e *InfeasibleError) Is(target error) bool { return target == ErrInfeasible }

// A Domain checks the arguments of a function at its door, for the models of
// this package, of its rooms and of whoever adds one of his own. Only the first
// that is outside is kept.
type Domain struct {
	Func string // function, for example "MMC.At"
	Err  error  // *DomainError of the first argument outside, nil if none was
}

// Fail says that an argument is outside.
func (c *Domain) Fail(arg string, v float64, want string) {
	if c.Err == nil {
		c.Err = &DomainError{c.Func, arg, v, want}
	}
}

// AtLeastZero demands a finite v ≥ 0.
func (c *Domain) AtLeastZero(arg string, v float64) {
	if !(v >= 0) || math.IsInf(v, 1) {
		c.Fail(arg, v, "finite "+arg+" >= 0")
	}
}

// Positive demands a finite v > 0.
func (c *Domain) Positive(arg string, v float64) {
	if !(v > 0) || math.IsInf(v, 1) {
		c.Fail(arg, v, "finite "+arg+" > 0")
	}
}

// Fraction demands 0 ≤ v ≤ 1.
func (c *Domain) Fraction(arg string, v float64) {
	if !(v >= 0 && v <= 1) {
		c.Fail(arg, v, arg+" within 0..1")
	}
}

// Magnitude demands that a count or load stays where neighbouring whole
// numbers are distinct float64 values with room to spare.
func (c *Domain) Magnitude(arg string, v float64) {
	if v > MaxServers {
		c.Fail(arg, v, fmt.Sprintf("%s <= %g", arg, MaxServers))
	}
}

// MaxServers bounds numbers of servers and loads: beyond it neighbouring fleet
// sizes no longer differ in the last digits of a float64.
const MaxServers = 1e12

// formatUtilization prints an offered load per server for an error message; it
// is +Inf where there is no server, or hardly any.
func formatUtilization(u float64) string {
	if math.IsInf(u, 1) {
		return "above all numbers"
	}
	return fmt.Sprintf("%.6g", u)
}

// formatSeconds prints a time for an error message.
func formatSeconds(s float64) string { return fmt.Sprintf("%.6g s", s) }
