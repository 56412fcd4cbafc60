package law

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
)

// Observations are lifetimes, some of them right-censored: the component was
// still alive when the watch ended. The slices are not changed.
type Observations struct {
	Durations []float64 // >= 0, finite, in any one unit of time
	Censored  []bool    // true: longer than Durations[i]; nil: none is censored
}

func (o Observations) censored(i int) bool { return o.Censored != nil && o.Censored[i] }

func (o Observations) check(fn string) error {
	if len(o.Durations) == 0 {
		return &DomainError{fn, "Durations", 0, "at least one duration"}
	}
	if o.Censored != nil && len(o.Censored) != len(o.Durations) {
		return &DomainError{fn, "Censored",
			float64(len(o.Censored)), fmt.Sprintf("one flag for each of %d durations", len(o.Durations))}
	}
	for i, t := range o.Durations {
		if !(t >= 0) || math.IsInf(t, 1) {
			return &DomainError{fn, fmt.Sprintf("Durations[%d]", i), t, "finite duration >= 0"}
		}
	}
	return nil
}

// A sample is what the fits share: one pass over the observations. Logarithms
// are taken of t/ref so that they keep their digits where all durations are
// nearly equal and stay small whatever the unit.
type sample struct {
	n      int // observations
	events int // d
	ref    float64
	logRef float64
	sum    float64 // Σ t/ref over all observations
	// log(t/ref): the observed, and those of the censored ones with t > 0.
	seen, cens []float64
	meanSeen   float64 // mean of seen
	varSeen    float64 // mean squared deviation of seen
	minSeen    float64
	maxSeen    float64
	maxAll     float64
	// About the arithmetic mean m0 of the observed: log(m0/ref) and the mean
	// of t/m0 - 1 - log(t/m0).
	logArith, gap float64
}

// newSample reads the observations for a law with density 0 or infinite at 0,
// so that an observed duration of 0 is an error; a censored one says nothing.
func newSample(fn string, o Observations) (*sample, error) {
	if err := o.check(fn); err != nil {
		return nil, err
	}
	s := &sample{n: len(o.Durations), minSeen: math.Inf(1), maxSeen: math.Inf(-1), maxAll: math.Inf(-1)}
	for i, t := range o.Durations {
		if o.censored(i) {
			continue
		}
		if t == 0 {
			return nil, &DomainError{fn, fmt.Sprintf("Durations[%d]", i), t, "a duration > 0 where it is not censored"}
		}
		s.events++
		s.logRef += math.Log(t)
	}
	if s.events == 0 {
		return nil, fault.New("law", fn, "", ErrNoEvents)
	}
	s.ref = math.Exp(s.logRef / float64(s.events)) // geometric mean
	s.logRef = math.Log(s.ref)
	s.seen = make([]float64, 0, s.events)
	s.cens = make([]float64, 0, s.n-s.events)
	arith := 0.0
	for i, t := range o.Durations {
		r := t / s.ref
		s.sum += r
		if t == 0 {
			continue
		}
		x := math.Log(r)
		if r == 0 || math.IsInf(r, 0) {
			x = math.Log(t) - s.logRef
		} else if math.Abs(r-1) < 0.5 {
			x = math.Log1p((t - s.ref) / s.ref)
		}
		s.maxAll = math.Max(s.maxAll, x)
		if o.censored(i) {
			s.cens = append(s.cens, x)
			continue
		}
		s.seen = append(s.seen, x)
		s.meanSeen += x
		arith += r
		s.minSeen, s.maxSeen = math.Min(s.minSeen, x), math.Max(s.maxSeen, x)
	}
	d := float64(s.events)
	s.meanSeen /= d
	arith /= d
	s.logArith = math.Log(arith)
	if math.IsInf(s.sum, 0) {
		return nil, &DomainError{fn, "Durations",
			s.maxAll, "durations whose sum floats can hold, relative to their geometric mean"}
	}
	for _, x := range s.seen {
		s.varSeen += (x - s.meanSeen) * (x - s.meanSeen)
		s.gap += expGap(x - s.logArith)
	}
	s.varSeen /= d
	s.gap /= d
	return s, nil
}

// degenerate returns ErrDegenerate where the two-parameter laws have no
// maximum: the observed durations are equal to nine digits and no
// censored one is longer.
func (s *sample) degenerate(fn string) error {
	if s.maxSeen-s.minSeen <= equalDurations && s.maxAll <= s.maxSeen+equalDurations {
		return fault.New("law",
			fn, fault.Count(s.events, "observed duration")+", all equal, none censored later", ErrDegenerate)
	}
	return nil
}

// equalDurations is the relative difference below which durations count as
// equal: the rounding of their logarithms would be the answer.
const equalDurations = 1e-9

// expGap returns e^x - 1 - x without cancellation.
func expGap(x float64) float64 {
	if !(math.Abs(x) <= 0.3) {
		return math.Expm1(x) - x
	}
	sum, term := 0.0, x*x/2
	for n := 3.0; ; n++ {
		next := sum + term
		if next == sum {
			return sum
		}
		sum = next
		term *= x / n
	}
}
