package queueing

import (
	"errors"
	"fmt"
	"math"
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

// check collects the first argument outside its domain.
type check struct {
	fn  string
	err error
}

func (c *check) fail(arg string, v float64, want string) {
	if c.err == nil {
		c.err = &DomainError{c.fn, arg, v, want}
	}
}

// atLeastZero demands a finite v ≥ 0.
func (c *check) atLeastZero(arg string, v float64) {
	if !(v >= 0) || math.IsInf(v, 1) {
		c.fail(arg, v, "finite "+arg+" >= 0")
	}
}

// positive demands a finite v > 0.
func (c *check) positive(arg string, v float64) {
	if !(v > 0) || math.IsInf(v, 1) {
		c.fail(arg, v, "finite "+arg+" > 0")
	}
}

// fraction demands 0 ≤ v ≤ 1.
func (c *check) fraction(arg string, v float64) {
	if !(v >= 0 && v <= 1) {
		c.fail(arg, v, arg+" within 0..1")
	}
}

// magnitude demands that a count or load stays where neighbouring whole
// numbers are distinct float64 values with room to spare.
func (c *check) magnitude(arg string, v float64) {
	if v > maxServers {
		c.fail(arg, v, fmt.Sprintf("%s <= %g", arg, maxServers))
	}
}

// maxServers bounds numbers of servers and loads: beyond it neighbouring fleet
// sizes no longer differ in the last digits of a float64.
const maxServers = 1e12

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
