package alloc

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a batch. The error that wraps one of these is a
// *BatchError, which says where.
var (
	ErrUnknownDependency = errors.New("alloc: unknown dependency")
	ErrUnknownResource   = errors.New("alloc: unknown resource")
	ErrUnknownJob        = errors.New("alloc: unknown job")
	ErrDuplicateID       = errors.New("alloc: duplicate id")
	ErrNoLevels          = errors.New("alloc: no levels")
	ErrLevelOrder        = errors.New("alloc: levels out of order")
	ErrOutOfRange        = errors.New("alloc: value out of range")
	ErrOverflow          = errors.New("alloc: sum too large")
)

// ErrInfeasible says that no assignment exists. The error that wraps it is an
// *InfeasibleError, which holds the certificate.
var ErrInfeasible = errors.New("alloc: infeasible")

// ErrNotFound says that no assignment was found although none of the bounds
// rules one out. The error that wraps it is a *NotFoundError.
var ErrNotFound = errors.New("alloc: no assignment found")

// A BatchError says what is wrong with an input and in which place of it.
type BatchError struct {
	Place   string // path within the batch, for example `jobs[3].levels.compute[1].demand`
	Problem string // what was found
	Want    string // what is allowed; empty where Kind says it
	Name    string // the name that nothing has, of an ErrUnknown…
	Kind    error  // ErrUnknownDependency, ErrDuplicateID, …
}

func (e *BatchError) Error() string {
	text := fmt.Sprintf("alloc: %s: %s", e.Place, e.Problem)
	if e.Want != "" {
		text += ", want " + e.Want
	}
	return text
}

// Is reports whether target is the kind of this error.
func (e *BatchError) Is(target error) bool { return target == e.Kind }

// A DomainError says that an argument lies outside the domain of a function.
type DomainError struct {
	Func  string // function, for example "Generate"
	Arg   string // argument, for example "PrimaryFactor"
	Value any    // what was given
	Want  string // what is allowed
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("alloc: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

// An InfeasibleError is the certificate that a dependency has no assignment:
// either the least demands exceed what the resources hold by Need − Have, or
// the Jobs fit no resource at all. For backups, Failure names the failure that
// the resources must survive, and Culprits the jobs that the best soft answer
// leaves unprotected.
type InfeasibleError struct {
	Dependency string
	Failure    string
	Culprits   []string
	Need, Have int64    // least demands and capacity, in the dependency's unit; 0 and 0 when Jobs says it
	Largest    int      // the capacity is that of so many of the largest resources; 0 for all of them
	Jobs       []string // jobs whose least level fits no resource they may use
	Spending   float64  // what the least demands cost on the cheapest capacity, where that is above the Budget; else 0
	Budget     float64
	Exhausted  bool // every combination was tried: the Jobs fit, but not beside the others
	// Eligible are the only resources that the Jobs may use, which hold Have of the Need of their least demands; in
	// whole multiples of Unit, which divides all least demands.
	Eligible []string
	Unit     int64
}

func (e *InfeasibleError) Error() string { return "alloc: " + e.Problem() }

// Problem is the error without the name of the package.
func (e *InfeasibleError) Problem() string {
	if e.Failure != "" {
		plain := *e
		plain.Failure = ""
		text := fmt.Sprintf("%s, when %s fails", plain.Problem(), e.Failure)
		if len(e.Culprits) > 0 {
			text += fmt.Sprintf("; the best soft answer leaves out %s", enumerate(e.Culprits))
		}
		return text
	}
	if e.Spending > e.Budget {
		return fmt.Sprintf("the least demands cost %.10g on the cheapest capacity, %.10g above the budget of %.10g",
			e.Spending, e.Spending-e.Budget, e.Budget)
	}
	if len(e.Eligible) > 0 {
		hold, whole := "hold", ""
		if len(e.Eligible) == 1 {
			hold = "holds"
		}
		if e.Unit > 1 {
			whole = fmt.Sprintf(" in multiples of %d", e.Unit)
		}
		return fmt.Sprintf("%s: the least demands of %s need %d, but %s, which are all that they may use, %s %d%s",
			e.Dependency, enumerate(e.Jobs), e.Need, enumerate(e.Eligible), hold, e.Have, whole)
	}
	if e.Exhausted {
		return fmt.Sprintf("%s: no way to place all jobs at their least levels; the best attempt leaves out %s",
			e.Dependency, enumerate(e.Jobs))
	}
	if len(e.Jobs) > 0 {
		return fmt.Sprintf("%s: the least level of %s fits no resource", e.Dependency, enumerate(e.Jobs))
	}
	if e.Largest > 0 {
		return fmt.Sprintf("%s: least demands that only the %d largest resources can hold exceed their capacity by %d (%d over %d)",
			e.Dependency, e.Largest, e.Need-e.Have, e.Need, e.Have)
	}
	return fmt.Sprintf("%s: least demands exceed the capacity by %d (%d over %d)",
		e.Dependency, e.Need-e.Have, e.Need, e.Have)
}

// Is reports whether target is [ErrInfeasible].
func (e *InfeasibleError) Is(target error) bool { return target == ErrInfeasible }

// A NotFoundError says in which dependency the search ended without an
// assignment, and which jobs it could not place. It is no proof that there is
// none.
type NotFoundError struct {
	Dependency string
	Failure    string // for backups, the failure to survive
	Jobs       []string
	Excess     float64 // of the cheapest assignment found above the budget; 0 when it is not the budget
	// Method is the published one that has no answer, empty if the search has none; it places
	// Placed of the pairs of job and dependency.
	Method        Method
	Placed, Pairs int
}

func (e *NotFoundError) Error() string { return "alloc: " + e.Problem() }

// Problem is the error without the name of the package.
func (e *NotFoundError) Problem() string {
	if e.Excess > 0 {
		return fmt.Sprintf(
			"the cheapest assignment found costs %.10g more than the budget, though no bound rules out an affordable one",
			e.Excess,
		)
	}
	when := ""
	if e.Failure != "" {
		when = " when " + e.Failure + " fails"
	}
	if e.Method != "" && e.Pairs > 0 {
		return fmt.Sprintf("%s has no answer: it places %d of %d pairs of job and dependency; in %s it leaves out %s%s",
			e.Method, e.Placed, e.Pairs, e.Dependency, enumerate(e.Jobs), when)
	}
	if e.Method != "" {
		return fmt.Sprintf("%s has no answer: in %s it leaves out %s%s",
			e.Method, e.Dependency, enumerate(e.Jobs), when)
	}
	return fmt.Sprintf("%s: found no place for %s%s, though no bound rules it out",
		e.Dependency, enumerate(e.Jobs), when)
}

// Is reports whether target is [ErrNotFound].
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// enumerate names the first few jobs and counts the others.
func enumerate(jobs []string) string {
	const shown = 5
	if len(jobs) <= shown {
		return strings.Join(jobs, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(jobs[:shown], ", "), len(jobs)-shown)
}
