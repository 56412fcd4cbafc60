package reliability

import (
	"fmt"
	"math"
)

// An EpochModel says how overlapping recoveries and migrations are counted.
type EpochModel int

const (
	// MM1 takes recoveries and migrations as two M/M/1 queues, as PCU 4.6
	// prints it: they wait for one another, so there may be no stable epoch.
	MM1 EpochModel = iota
	// ParallelRepair lets them overlap in time; the number of jobs down is
	// then rate times duration (Little's law) and every epoch is stable.
	ParallelRepair
)

// String returns the name of the model as the errata of PCU spell it.
func (m EpochModel) String() string {
	switch m {
	case MM1:
		return "mm1"
	case ParallelRepair:
		return "parallel"
	}
	return fmt.Sprintf("EpochModel(%d)", int(m))
}

// EpochParams are the quantities of PCU 4.6, length of scheduling epochs.
// Times and rates are in one unit of time.
type EpochParams struct {
	Migrations    float64 // x, migrations begun in an epoch, > 0
	MigrationTime float64 // T, duration of a migration or a respawn, > 0
	FailureRate   float64 // y, rate at which jobs lose all replicas, > 0
	Model         EpochModel
}

func (p EpochParams) check(fn string) error {
	if err := all(positive(fn, "Migrations", p.Migrations), positive(fn, "MigrationTime", p.MigrationTime),
		positive(fn, "FailureRate", p.FailureRate)); err != nil {
		return err
	}
	if work := p.Migrations * p.MigrationTime; math.IsInf(work, 0) || work == 0 {
		return &DomainError{fn, "Migrations * MigrationTime",
			work, "all migrations of an epoch to take 5e-324 to 1.8e308 s together"}
	}
	if math.IsInf(2/p.FailureRate, 0) {
		return &DomainError{fn, "FailureRate", p.FailureRate, "a rate above 1.2e-308, whose reciprocal floats can hold"}
	}
	if p.Model != MM1 && p.Model != ParallelRepair {
		return &DomainError{fn, "Model", float64(p.Model), "MM1 or ParallelRepair"}
	}
	return nil
}

// An EpochPoint is the cost of one epoch length δ.
type EpochPoint struct {
	Epoch             float64 // δ
	JobsDownFailure   float64 // n_f, mean jobs down for failures
	JobsDownMigration float64 // n_m, mean jobs down for migrations
}

// JobsDown returns f(δ) = n_f + n_m.
func (p EpochPoint) JobsDown() float64 { return p.JobsDownFailure + p.JobsDownMigration }

// An EpochAnswer is the best epoch and the interval of those that are stable.
type EpochAnswer struct {
	EpochPoint
	StableMin float64 // epochs must be longer: xT for MM1, 0 for ParallelRepair
	StableMax float64 // and shorter: 2/y - 2T for MM1, +Inf for ParallelRepair
	Model     EpochModel
}

// An EpochError is the certificate that no epoch is stable under [MM1]:
// migrations need an epoch above Lower, the detection of failures one below
// Upper, and Lower >= Upper.
type EpochError struct {
	Lower    float64     // xT
	Upper    float64     // 2/y - 2T
	Parallel EpochAnswer // what the model ParallelRepair answers
}

func (e *EpochError) Error() string {
	return fmt.Sprintf("reliability: BestEpoch: no stable epoch is feasible: migrations need an epoch above x*T = %.10g, "+
		"failure detection one below 2/y - 2*T = %.10g; if recoveries overlap (parallel) the best epoch is %.10g",
		e.Lower, e.Upper, e.Parallel.Epoch)
}

// Unwrap returns ErrInfeasible.
func (e *EpochError) Unwrap() error { return ErrInfeasible }

func (p EpochParams) stable() (lower, upper float64) {
	if p.Model == ParallelRepair {
		return 0, math.Inf(1)
	}
	return p.Migrations * p.MigrationTime, 2/p.FailureRate - 2*p.MigrationTime
}

// BestEpoch returns the epoch δ that minimises the mean number of jobs down,
// f = n_f + n_m, by closed form:
//
//	MM1       n_f = u/(1-u) with u = y (T + δ/2),   n_m = xT/(δ - xT)
//	          δ* = (s (1 - yT) + xT q)/(q + s y/2),  s = √(xT), q = √(y/2)
//	          stable for xT < δ < 2/y - 2T
//	Parallel  n_f = y (T + δ/2),   n_m = xT/δ,   δ* = √(2xT/y), always stable
//
// MM1 without a stable epoch returns an *EpochError with both bounds and the
// answer of ParallelRepair.
//
// PCU 4.6 minimises numerically and gives 180 s for x = 100, T = 100 s,
// y = 1/200 per s; those numbers have no stable epoch (10 000 s against 200 s).
func BestEpoch(p EpochParams) (EpochAnswer, error) {
	const fn = "BestEpoch"
	if err := p.check(fn); err != nil {
		return EpochAnswer{}, err
	}
	lower, upper := p.stable()
	if !(lower < upper) {
		parallel := p
		parallel.Model = ParallelRepair
		answer, err := BestEpoch(parallel)
		if err != nil {
			return EpochAnswer{}, err
		}
		return EpochAnswer{}, &EpochError{lower, upper, answer}
	}
	s := math.Sqrt(p.Migrations) * math.Sqrt(p.MigrationTime)
	q := math.Sqrt(p.FailureRate / 2)
	var above float64 // δ* - lower
	if p.Model == MM1 {
		// δ* - xT = s (1 - y (T + xT/2))/(q + s y/2), all positive.
		above = s * (p.FailureRate / 2 * (upper - lower)) / (q + s*p.FailureRate/2)
	} else {
		above = s / q
	}
	delta := lower + above
	if !(above > 0 && delta < upper) || math.IsInf(delta, 0) {
		return EpochAnswer{}, &DomainError{fn, "Migrations * MigrationTime / FailureRate",
			delta, "an epoch that floats can hold"}
	}
	best := p.at(delta, above)
	if math.IsInf(best.JobsDown(), 0) {
		return EpochAnswer{}, &DomainError{fn, "FailureRate",
			p.FailureRate, "a rate at which fewer than 1.8e308 jobs are down"}
	}
	return EpochAnswer{best, lower, upper, p.Model}, nil
}

// at returns the cost of δ = xT + above (MM1) or δ.
func (p EpochParams) at(delta, above float64) EpochPoint {
	work := p.Migrations * p.MigrationTime
	u := p.FailureRate * (p.MigrationTime + delta/2)
	if p.Model == ParallelRepair {
		return EpochPoint{delta, u, work / delta}
	}
	_, upper := p.stable()
	return EpochPoint{delta, u / (p.FailureRate / 2 * (upper - delta)), work / above}
}

// EpochCost returns n_f and n_m for the epoch δ = delta. Outside the stable
// interval of p it returns a *DomainError on delta.
func EpochCost(p EpochParams, delta float64) (EpochPoint, error) {
	const fn = "EpochCost"
	if err := p.check(fn); err != nil {
		return EpochPoint{}, err
	}
	lower, upper := p.stable()
	if !(delta > lower && delta < upper) {
		return EpochPoint{}, &DomainError{fn, "delta",
			delta, fmt.Sprintf("%g < delta < %g, the stable epochs", lower, upper)}
	}
	return p.at(delta, delta-lower), nil
}

// low reports whether an optimum is so near the lower end of its stable interval that
// points evenly spread over the interval miss it.
func (a EpochAnswer) low() bool { return a.Epoch-a.StableMin < 1e-3*(a.StableMax-a.StableMin) }

// EpochCurve returns f(δ) at n >= 2 points of growing δ about the optimum,
// for a drawing of sensitivity (the shape of PCU figure 12): over the middle
// 98 % of the stable interval for MM1, from δ*/10 to 10 δ*, by equal ratios,
// for ParallelRepair. Where the optimum lies within the lowest 1/1000 of the stable
// interval its distance from the lower end is spread so instead. An infeasible p
// returns the error of [BestEpoch]; n is at most 1e6.
func EpochCurve(p EpochParams, n int) ([]EpochPoint, error) {
	best, err := BestEpoch(p)
	if err != nil {
		return nil, err
	}
	if err := atLeast("EpochCurve", "n", n, 2); err != nil {
		return nil, err
	}
	if n > 1_000_000 {
		return nil, &DomainError{"EpochCurve", "n", float64(n), "n <= 1e6"}
	}
	curve := make([]EpochPoint, n)
	for i := range curve {
		at := float64(i) / float64(n-1)
		delta := best.Epoch * math.Pow(10, 2*at-1)
		if p.Model == MM1 {
			delta = best.StableMin + (0.01+0.98*at)*(best.StableMax-best.StableMin)
			if above := best.Epoch - best.StableMin; best.low() {
				delta = best.StableMin + above*math.Pow(10, 2*at-1)
			}
		}
		if curve[i], err = EpochCost(p, delta); err != nil {
			return nil, err
		}
	}
	return curve, nil
}
