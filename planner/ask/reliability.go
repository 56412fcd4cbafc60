package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// reliabilityFields names the arguments of package reliability as the
// questions here do; the others are their own names in lower case.
var reliabilityFields = map[string]string{
	"ArrivalRate": "rate", "MigrationTime": "migration_time", "FailureRate": "failure_rate",
	"PublicJobs": "public_jobs", "k": "needed", "m": "needed", "level": "level",
	"Migrations * MigrationTime":               "migrations",
	"Migrations * MigrationTime / FailureRate": "failure_rate",
	"Unavailability":                           "placement",
	"Capacity":                                 "placement",
	"Groups":                                   "placement",
}

// FromReliability turns an error of package reliability into an *InputError or
// *InfeasibleError; any other error comes back as it is.
func FromReliability(err error) error {
	var domain *reliability.DomainError
	var sample *law.DomainError
	var target *reliability.AvailabilityError
	var link *reliability.LinkError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &target):
		return Infeasiblef("target", target.Target, target.Reachable,
			"an availability of %s cannot be reached: %s, so it stays below %s (down at least %s of the time)",
			Digits(target.Target), target.Because, Digits(target.Reachable), Digits(target.Floor))
	case errors.As(err, &link):
		return linkInfeasible(link)
	case errors.Is(err, reliability.ErrNoFiniteCount):
		return &InfeasibleError{"target", 1, 1,
			"no number of replicas is enough: a target of 1 asks that replicas are never all down together, and any " +
				"number of them sometimes is; ask for less than 1"}
	case errors.Is(err, reliability.ErrCountTooLarge):
		return &InfeasibleError{Constraint: "target",
			Reason: "the target needs more replicas than can be counted (2^53)"}
	case errors.Is(err, law.ErrNoEvents), errors.Is(err, law.ErrDegenerate):
		return &InputError{Field: "", Reason: fault.Problem(err)}
	case errors.As(err, &domain):
		return outside(domain.Arg, domain.Value, domain.Want)
	case errors.As(err, &sample):
		return outside(sample.Arg, sample.Value, sample.Want)
	}
	return err
}

// outside says which argument of a model lies outside its domain.
func outside(arg string, value float64, want string) error {
	field, ok := reliabilityFields[arg]
	if !ok {
		field = strings.ToLower(arg)
	}
	return Inputf(field, "%s is outside the domain, want %s", Digits(value), want)
}

// linkInfeasible says which direction is too narrow and what would do.
func linkInfeasible(e *reliability.LinkError) error {
	reason := fmt.Sprintf("the %s is offered %s and carries %s", e.Direction,
		units.FormatBandwidth(e.Load, 5), units.FormatBandwidth(e.Bandwidth, 5))
	switch {
	case e.Hopeless:
		reason += ": new jobs alone fill it, so neither fewer dedicated servers nor a longer epoch helps"
	default:
		most := min(e.Limits.MaxDedicatedUplink, e.Limits.MaxDedicatedDownlink)
		reason += fmt.Sprintf("; it takes fewer than %s dedicated servers, or an epoch above %s",
			Digits(most), units.FormatDuration(e.Limits.MinEpoch, 4))
		if rate := e.Limits.MaxArrivalRate; e.Direction == reliability.Uplink && rate > 0 {
			reason += fmt.Sprintf(", or an arrival rate below %s", units.FormatRate(rate, 5))
		}
	}
	return &InfeasibleError{string(e.Direction), e.Bandwidth, e.Load, reason}
}
