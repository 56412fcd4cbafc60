package planner

import (
	"errors"
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
)

// explainError turns a model's error into one of this package.
func explainError(constraint string, err error) error {
	var infeasible *queueing.InfeasibleError
	var unstable *queueing.UnstableError
	var domain *queueing.DomainError
	switch {
	case errors.As(err, &infeasible):
		return &ask.InfeasibleError{
			Constraint: constraint,
			Limit:      infeasible.Objective.Limit,
			Infimum:    infeasible.Infimum,

			Reason: fmt.Sprintf("%s cannot be met by any number of servers: %s", constraint, infeasible.Reason),
		}
	case errors.As(err, &unstable):
		return &ask.InfeasibleError{
			Constraint: "utilization",
			Limit:      1,
			Infimum:    unstable.Utilization,

			Reason: fmt.Sprintf("the offered load per server is %.6g, and a queue that waits needs less than 1", unstable.Utilization),
		}
	case errors.As(err, &domain):
		return ask.Inputf(domain.Arg, "%v is outside the domain, want %s", domain.Value, domain.Want)
	}
	return err
}
