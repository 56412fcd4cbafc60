package planner

import (
	"errors"
	"fmt"

	"github.com/capplan/capplan/queueing"
)

// An InputError says that a question is not well put: something is missing,
// outside its domain, or contradicts something else.
type InputError struct {
	Field  string // as in the JSON of the question: "service_time"; empty where several are concerned
	Reason string
}

func (e *InputError) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	return e.Field + ": " + e.Reason
}

// ErrInfeasible is what every *InfeasibleError is.
var ErrInfeasible = errors.New("infeasible")

// An InfeasibleError says that a question is well put but has no answer.
type InfeasibleError struct {
	Constraint string  // what binds, for example "max_blocking"
	Limit      float64 // what was asked for
	Infimum    float64 // what cannot be reached or undercut
	Reason     string
}

func (e *InfeasibleError) Error() string { return "infeasible: " + e.Reason }

// Is reports whether target is [ErrInfeasible].
func (e *InfeasibleError) Is(target error) bool { return target == ErrInfeasible }

// explainError turns a model's error into one of this package.
func explainError(constraint string, err error) error {
	var infeasible *queueing.InfeasibleError
	var unstable *queueing.UnstableError
	var domain *queueing.DomainError
	switch {
	case errors.As(err, &infeasible):
		return &InfeasibleError{constraint, infeasible.Objective.Limit, infeasible.Infimum,
			fmt.Sprintf("%s cannot be met by any number of servers: %s", constraint, infeasible.Reason)}
	case errors.As(err, &unstable):
		return &InfeasibleError{"utilization", 1, unstable.Utilization,
			fmt.Sprintf("the offered load per server is %.6g, and a queue that waits needs less than 1", unstable.Utilization)}
	case errors.As(err, &domain):
		return &InputError{domain.Arg, fmt.Sprintf("%v is outside the domain, want %s", domain.Value, domain.Want)}
	}
	return err
}
