package reliability

import "errors"

var (
	// ErrNoEvents reports durations that are all censored: the likelihood
	// then grows without end as the mean grows.
	ErrNoEvents = errors.New("no observed failure among the durations")

	// ErrDegenerate reports durations under which the likelihood has no
	// maximum: all observed durations equal and no censored one longer.
	ErrDegenerate = errors.New("the likelihood has no maximum")

	// ErrNotConverged reports an iteration that ended without an answer.
	ErrNotConverged = errors.New("not converged")
)
