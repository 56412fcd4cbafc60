package ask

import (
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/queueing"
)

// FromQueueing turns an error of package queueing into an *InputError, or an
// *InfeasibleError of the constraint that was asked for; any other error comes
// back as it is.
func FromQueueing(constraint string, err error) error {
	var infeasible *queueing.InfeasibleError
	var unstable *queueing.UnstableError
	var domain *queueing.DomainError
	switch {
	case errors.As(err, &infeasible):
		return Infeasiblef(constraint, infeasible.Objective.Limit, infeasible.Infimum,
			"%s cannot be met by any number of servers: %s", constraint, infeasible.Reason)
	case errors.As(err, &unstable):
		return Infeasiblef("utilization", 1, unstable.Utilization, "%s", perServer(unstable.Utilization))
	case errors.As(err, &domain):
		return Inputf(domain.Arg, "%s is outside the domain, want %s", finite(domain.Value), domain.Want)
	}
	return err
}

// perServer says why a queue cannot wait; a load per server may be beyond
// float64, with no servers at all.
func perServer(load float64) string {
	if math.IsInf(load, 0) { // below 0 of a number of servers of -0
		return "there is no server for the load, and a queue that waits needs an offered load per server below 1"
	}
	return fmt.Sprintf("the offered load per server is %.6g, and a queue that waits needs less than 1", load)
}

// finite writes a number that may have come out beyond float64.
func finite(v float64) string {
	switch {
	case math.IsInf(v, 0):
		return "a value beyond 1.8e308"
	case math.IsNaN(v):
		return "no number"
	}
	return fmt.Sprint(v)
}
