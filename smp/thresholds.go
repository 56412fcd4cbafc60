package smp

import "math"

// Thresholds turn samples of a host into the five states of the iShare model.
// Zero fields mean the value in brackets, which is the paper's where it has
// one.
type Thresholds struct {
	Period     float64 // s between samples, > 0; must be given
	Light      float64 // Th1: below it the load is light [0.20]
	Heavy      float64 // Th2: above it the guest is suspended [0.60]
	Grace      float64 // s above Heavy that the guest waits before it is ended [60]
	WorkingSet float64 // of the guest, in the unit of Sample.FreeMemory [0: memory is not looked at]
	Gap        float64 // s between samples beyond which the host was gone [3 periods]
}

// Resolve returns the thresholds with the defaults filled in, or a
// *DomainError. A threshold of zero is written as a tiny positive number.
func (p Thresholds) Resolve() (Thresholds, error) {
	const fn = "Thresholds"
	if err := positive(fn, "Period", p.Period); err != nil {
		return p, err
	}
	fill := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	fill(&p.Light, 0.20)
	fill(&p.Heavy, 0.60)
	fill(&p.Grace, 60)
	fill(&p.Gap, 3*p.Period)
	if err := within01(fn, "Heavy", p.Heavy); err != nil {
		return p, err
	}
	if !(p.Light >= 0 && p.Light <= p.Heavy) {
		return p, &DomainError{fn, "Light", p.Light, "0 to the threshold of heavy load"}
	}
	if err := nonNegative(fn, "Grace", p.Grace); err != nil {
		return p, err
	}
	if err := nonNegative(fn, "WorkingSet", p.WorkingSet); err != nil {
		return p, err
	}
	if !(p.Gap >= p.Period) || math.IsInf(p.Gap, 1) {
		return p, &DomainError{fn, "Gap", p.Gap, "at least a sampling period, and finite"}
	}
	return p, nil
}

// A Sample is one measurement of a host.
type Sample struct {
	Time       float64 // s, on any fixed scale; Unix seconds where windows by the clock are wanted
	Load       float64 // CPU load of the host's own processes, 0..1
	FreeMemory float64 // in the unit of Thresholds.WorkingSet; NaN where not measured
	Down       bool    // the host is known to be gone; the other fields are not read
}

// A Run is a stay in one state on the grid of the sampling period: steps
// First … First+Steps−1, where step k begins at k·Period.
type Run struct {
	State int
	First int64
	Steps int64
}

// End returns the first step after the run.
func (r Run) End() int64 { return r.First + r.Steps }
