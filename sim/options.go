package sim

import (
	"cmp"
	"math"
)

// Options say how long and how often to simulate. The zero value runs 30
// replications of models that know their own end.
type Options struct {
	Seed uint64
	// Horizon is when a replication ends, in the time of the model; 0 leaves it
	// to the model.
	Horizon float64
	// WarmUp is how much of each replication is not counted.
	WarmUp float64
	// FindWarmUp looks for the warm-up by MSER-5 in some runs that are not
	// counted; see [MSER5]. It needs a finite Horizon and a model that watches.
	FindWarmUp bool
	// LeastWarmUp bounds from below the warm-up that is found: a start that hides
	// in the noise of what is watched may still show in a narrow interval. Where it
	// is more than half of the horizon that half is left out, and nothing settled.
	LeastWarmUp float64
	// Replications fixes how many there are; 0 leaves it to Precision, or is 30
	// where that is 0 too.
	Replications int
	// Precision is the relative half-width of the intervals at which to stop; 0
	// for a fixed number.
	Precision float64
	// Limit is the most replications under a Precision; 0 is 10,000.
	Limit int
	// Events is about how many events may be simulated: no further replications begin that, by the first two,
	// would bring more. 0 bounds nothing; nor do Replications whose pieces are done elsewhere keep to it.
	Events uint64
	// HorizonEvents is about how many events the first replications and the runs that look for a warm-up
	// may have together where the model chooses the Horizon; 0 bounds nothing.
	HorizonEvents uint64
	// Workers is how many run at once; 0 is one a core. It changes no figure. Fewer
	// do where as many would take more than MaxMemory.
	Workers int
	// MaxMemory bounds what the replications may take at once, in bytes; 0 is
	// 10⁹.
	MaxMemory float64
	// Progress is called after each replication, never twice at once, with how
	// many are done and how many are wanted as far as is known.
	Progress func(done, of int)
}

const (
	fixedReplications = 30
	firstRound        = 10 // before a precision is judged for the first time
	fewest            = 2  // before the events of a replication are known
	mostReplications  = 10_000_000
	defaultLimit      = 10_000
	defaultMemory     = 1e9
)

// resolved checks the options and puts in what their zeros mean.
func (o Options) resolved(fn string) (Options, error) {
	whole := func(arg string, n int) error {
		if n < 0 || n > mostReplications {
			return &DomainError{fn, arg, float64(n), arg + " within 0..10000000"}
		}
		return nil
	}
	if err := whole("Replications", o.Replications); err != nil {
		return o, err
	}
	if err := whole("Limit", o.Limit); err != nil {
		return o, err
	}
	if o.Workers < 0 {
		return o, &DomainError{fn, "Workers", float64(o.Workers), "Workers >= 0"}
	}
	if !(o.Precision >= 0 && o.Precision < 1) {
		return o, &DomainError{fn, "Precision", o.Precision, "0 <= Precision < 1"}
	}
	if o.Replications > 0 && o.Precision > 0 {
		return o, &DomainError{fn, "Replications",
			float64(o.Replications), "0 with a Precision; Limit bounds the number"}
	}
	if !(o.MaxMemory >= 0) {
		return o, &DomainError{fn, "MaxMemory", o.MaxMemory, "MaxMemory >= 0"}
	}
	if !(o.Horizon >= 0) {
		return o, &DomainError{fn, "Horizon", o.Horizon, "Horizon > 0, or 0 to leave it to the model"}
	}
	o.Horizon = cmp.Or(o.Horizon, math.Inf(1))
	if !(o.WarmUp >= 0) || !(o.WarmUp < o.Horizon) {
		return o, &DomainError{fn, "WarmUp", o.WarmUp, "0 <= WarmUp < Horizon"}
	}
	if !(o.LeastWarmUp >= 0) {
		return o, &DomainError{fn, "LeastWarmUp", o.LeastWarmUp, "LeastWarmUp >= 0"}
	}
	if o.FindWarmUp && (math.IsInf(o.Horizon, 1) || o.WarmUp != 0) {
		return o, &DomainError{fn, "FindWarmUp", o.Horizon, "a finite Horizon and no WarmUp"}
	}
	if o.Replications == 0 && o.Precision == 0 {
		o.Replications = fixedReplications
	}
	o.Limit = cmp.Or(o.Limit, defaultLimit)
	o.MaxMemory = cmp.Or(o.MaxMemory, defaultMemory)
	return o, nil
}

// first is how many replications there are at least: those before a Precision is judged or, where Events bounds
// them, before it is known how many events one has.
func (o *Options) first() int {
	n, least := min(firstRound, o.Limit), fewest
	if o.Precision == 0 {
		n = o.Replications
	}
	if o.Events == 0 {
		least = n
	}
	return min(n, least)
}
