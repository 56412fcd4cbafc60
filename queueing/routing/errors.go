package routing

import (
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/queueing"
)

// A DomainError says that an argument lies outside the domain of a function.
type DomainError struct {
	Func    string  // function, for example "PAP"
	Cluster string  // cluster (or type) at fault as it is named in messages; "" where none is
	Arg     string  // argument, for example "local rate"
	Value   float64 // what was given
	Want    string  // what is allowed
}

func (e *DomainError) Error() string {
	if e.Cluster != "" {
		return fmt.Sprintf("routing: %s: %s: %s = %v, want %s", e.Func, e.Cluster, e.Arg, e.Value, e.Want)
	}
	return fmt.Sprintf("routing: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

// An InfeasibleError is the certificate that no split is stable: the rate is
// not below Greatest = Σ (1−ρⱼ)cⱼ/θⱼ, the sum of what the clusters have left.
// It matches queueing.ErrInfeasible.
type InfeasibleError struct {
	Func     string
	Rate     float64 // external requests/s asked for
	Greatest float64 // least upper bound of the rates that can be routed, 1/s; not attained
	Excess   float64 // Rate − Greatest, ≥ 0
}

func (e *InfeasibleError) Error() string {
	return fmt.Sprintf(
		"routing: %s: rate = %.10g/s, want less than %.10g/s, the sum of what the clusters have left (exceeded by %.4g/s)",
		e.Func, e.Rate, e.Greatest, e.Excess,
	)
}

// Is reports whether target is queueing.ErrInfeasible.
func (e *InfeasibleError) Is(target error) bool { return target == queueing.ErrInfeasible }

// A SaturatedError names a cluster without a steady state. It matches
// queueing.ErrUnstable.
type SaturatedError struct {
	Func        string
	Cluster     string  // the cluster as messages call it
	Name        string  // its name, "" where it has none
	Utilization float64 // of local and, where Local is false, external requests, ≥ 1
	Local       bool    // its local stream alone saturates it
	Others      int     // further clusters in the same state
}

func (e *SaturatedError) Error() string {
	why := "with the external requests sent to it"
	if e.Local {
		why = "by its local requests alone"
	}
	more := ""
	if e.Others > 0 {
		more = fmt.Sprintf(" (and %d more)", e.Others)
	}
	return fmt.Sprintf("routing: %s: %s is unstable %s: utilization = %.6g, want less than 1%s",
		e.Func, e.Cluster, why, e.Utilization, more)
}

// Is reports whether target is queueing.ErrUnstable.
func (e *SaturatedError) Is(target error) bool { return target == queueing.ErrUnstable }

// ErrNotConvex says that a function given by the caller made an objective whose
// marginal falls somewhere, where water-filling does not find the optimum. The
// error that wraps it is a *NotConvexError.
var ErrNotConvex = errors.New("routing: not convex")

// A NotConvexError names the cluster and two rates between which the marginal
// of an objective falls.
type NotConvexError struct {
	Func      string
	Cluster   string
	Low, High float64 // external requests/s
}

func (e *NotConvexError) Error() string {
	return fmt.Sprintf(
		"routing: %s: %s: the marginal of the objective falls between rates %.6g/s and %.6g/s, want it increasing (a convex objective)",
		e.Func, e.Cluster, e.Low, e.High,
	)
}

// Is reports whether target is [ErrNotConvex].
func (e *NotConvexError) Is(target error) bool { return target == ErrNotConvex }

// check collects the first argument outside its domain.
type check struct {
	fn, cluster string
	err         error
}

func (c *check) fail(arg string, v float64, want string) {
	if c.err == nil {
		c.err = &DomainError{c.fn, c.cluster, arg, v, want}
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
