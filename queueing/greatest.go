package queueing

import (
	"errors"
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// Greatest returns the greatest x in [0, sup) at which the figures at(x) meet
// the objective, for a metric that rises with x: the greatest load that a
// fleet takes, or the longest service time. sup may be +Inf; at(x) may be
// unstable near it. Where even x → 0 does not meet the objective the error is
// an *InfeasibleError; where every x that the model takes does, x is +Inf.
func Greatest(o Objective, sup float64, at func(x float64) (Figures, error)) (float64, error) {
	if err := o.Check("Greatest"); err != nil {
		return 0, err
	}
	if at == nil {
		return 0, &DomainError{"Greatest", "at", math.NaN(), "a function"}
	}
	if !(sup > 0) {
		return 0, &DomainError{"Greatest", "sup", sup, "sup > 0, or +Inf"}
	}
	var failed error
	slack := func(x float64) float64 {
		f, err := at(x)
		if err != nil {
			if !errors.Is(err, ErrUnstable) {
				failed = err
			}
			return math.Inf(-1)
		}
		return o.slack(f)
	}
	// A figure that falls to 0 with the load meets any limit at some load; 1e-300
	// is the least limit, and beyond it the load is not told from 0.
	const tiny, huge = 1e-300, MaxServers
	yes := math.Min(1, sup/2)
	if f, err := at(yes); err == nil {
		// Where x makes the services longer, that at this x bounds nothing.
		g, other := at(yes / 4)
		if err := attainable(o, f); err != nil && (o.Limit == 0 || other == nil && g.ServiceTime == f.ServiceTime) {
			return 0, err
		}
	}
	no := math.Inf(1)
	for slack(yes) < 0 {
		if failed != nil {
			return 0, failed
		}
		no = yes
		yes /= 4
		if yes < tiny {
			f, err := at(yes)
			if err != nil {
				return 0, err
			}
			e := &InfeasibleError{Objective: o, Infimum: o.Value(f), Reason: "not even with the load close to 0"}
			return 0, e
		}
	}
	for math.IsInf(no, 1) {
		next := yes * 4
		if next >= sup {
			no = sup
			break
		}
		if yes >= huge {
			return math.Inf(1), nil
		}
		next = math.Min(next, huge) // what lies between the last step and the end counts too
		if slack(next) >= 0 {
			yes = next
		} else {
			no = next
		}
		if failed != nil && yes > 1e9 { // met up to where the model ends
			return math.Inf(1), nil
		}
		if failed != nil {
			return 0, failed
		}
	}
	yes, _ = numeric.Bracket(slack, yes, slack(yes), no, slack(no))
	return yes, failed
}
