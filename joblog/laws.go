package joblog

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/internal/source"
)

// Goodness says how well a law fits its sample.
type Goodness struct {
	Samples int `json:"samples"`
	// natural logarithm; of densities per second, of probabilities for sizes
	LogLikelihood float64 `json:"log_likelihood"`
	AIC           float64 `json:"aic"` // 2·parameters - 2·LogLikelihood; lower is better on the same sample
	// KS is the Kolmogorov-Smirnov distance sup |F_n - F| in 0..1. Tabulated
	// critical values do not hold for it, the parameters being fitted.
	KS float64 `json:"ks_distance"`
}

func goodness(n, parameters int, logLikelihood, ks float64) Goodness {
	return Goodness{n, logLikelihood, 2*float64(parameters) - 2*logLikelihood, ks}
}

// Samples holds what the laws are fitted to.
type Samples struct {
	Gaps  []float64 // s, between successive submits, >= 0
	Runs  []float64 // s, >= 0
	Sizes []int     // processors, >= 1

	last float64
}

// Add takes the next usable job, in the order of submit times.
func (s *Samples) Add(j Job) {
	if len(s.Runs) > 0 {
		s.Gaps = append(s.Gaps, j.Submit-s.last)
	}
	s.last = j.Submit
	s.Runs = append(s.Runs, j.Run)
	s.Sizes = append(s.Sizes, j.Processors)
}

// Laws holds the fitted laws of the InterGrid workload model, and exponential
// laws on the same samples as a baseline. A law that the sample does not
// determine is nil and named in Warnings.
type Laws struct {
	GapTick  float64 `json:"interarrival_resolution_s"` // see [Resolution]
	ZeroGaps int     `json:"zero_gaps"`                 // taken as GapTick/2
	RunTick  float64 `json:"service_resolution_s"`
	ZeroRuns int     `json:"zero_service_times"` // taken as RunTick/2

	Gaps            *WeibullFit     `json:"interarrival_weibull"`
	GapsExponential *ExponentialFit `json:"interarrival_exponential"`
	Runs            *LogNormalFit   `json:"service_lognormal"`
	RunsExponential *ExponentialFit `json:"service_exponential"`
	Sizes           *SizeFit        `json:"sizes"`

	Warnings []string `json:"warnings,omitempty"`
}

// FitLaws fits all laws by maximum likelihood. A zero gap (two submits within
// one tick of the log's clock) or run time has no likelihood under a Weibull or
// lognormal law; it is taken as half the tick, counted and warned of, in the
// baseline too, so that log-likelihoods compare. The only error is a
// *DomainError for values that are no gap, run time or size. It does not change
// the samples.
func FitLaws(s Samples) (Laws, error) {
	var l Laws
	gaps, err := l.liftZeros("Gaps", s.Gaps, &l.GapTick, &l.ZeroGaps)
	if err != nil {
		return l, err
	}
	runs, err := l.liftZeros("Runs", s.Runs, &l.RunTick, &l.ZeroRuns)
	if err != nil {
		return l, err
	}
	keep := func(law string, e error) {
		switch {
		case e == nil:
		case errors.Is(e, ErrTooFew) || errors.Is(e, ErrDegenerate):
			l.Warnings = append(l.Warnings, fmt.Sprintf("no %s: %s", law, fault.Problem(e)))
		case err == nil:
			err = e
		}
	}
	var e error
	l.Gaps, e = FitWeibull(gaps)
	keep("Weibull law of gaps", e)
	l.GapsExponential, e = FitExponential(gaps)
	keep("exponential law of gaps", e)
	l.Runs, e = FitLogNormal(runs)
	keep("lognormal law of run times", e)
	l.RunsExponential, e = FitExponential(runs)
	keep("exponential law of run times", e)
	l.Sizes, e = FitSizes(s.Sizes)
	keep("law of sizes", e)
	if l.Sizes != nil {
		l.Warnings = append(l.Warnings, l.Sizes.Warnings...)
	}
	return l, err
}

// liftZeros returns the times sorted, with zeros replaced by half the tick.
func (l *Laws) liftZeros(name string, times []float64, tick *float64, zeros *int) ([]float64, error) {
	for i, v := range times {
		if !(v >= 0 && v <= math.MaxFloat64) {
			return nil, source.Outside("FitLaws", fmt.Sprintf("%s[%d]", name, i), v, "a finite time >= 0 s")
		}
	}
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	*tick = Resolution(sorted)
	for *zeros < len(sorted) && sorted[*zeros] == 0 {
		sorted[*zeros] = *tick / 2
		*zeros++
	}
	if *zeros > 0 {
		what := map[string]string{
			"Gaps": "gaps are 0 s; they bear on the Weibull shape",
			"Runs": "run times are 0 s; they bear on the lognormal law",
		}[name]
		l.Warnings = append(l.Warnings, fmt.Sprintf(
			"%d of %d %s and were taken as %v s, half the log's resolution", *zeros, len(times), what, *tick/2))
	}
	return sorted, nil
}

// Resolution returns the tick of the clock that gaps or run times, in seconds,
// were taken with. For whole times it is 1 s, or their greatest common divisor
// where 100 or more of them are above 0 (a log kept in minutes gives 60 s). For
// others it is the smallest one above 0, and 1 s where there is none.
func Resolution(times []float64) float64 {
	var divisor int64
	positive, smallest := 0, math.Inf(1)
	for _, g := range times {
		if !(g > 0) {
			continue
		}
		positive++
		smallest = min(smallest, g)
		if g != math.Trunc(g) || g > source.MaxField {
			divisor = -1
		}
		if divisor >= 0 && divisor != 1 {
			divisor = numeric.GCD(divisor, int64(g))
		}
	}
	switch {
	case positive == 0:
		return 1
	case divisor < 0:
		return smallest
	case positive < 100:
		return 1
	}
	return float64(divisor)
}

// positiveSample checks a sample at the door: at least two finite values > 0.
func positiveSample(fn string, x []float64) error {
	if len(x) < 2 {
		return fault.New("joblog", fn, fmt.Sprintf("values = %d, want at least 2", len(x)), ErrTooFew)
	}
	for i, v := range x {
		if !(v > 0 && v <= math.MaxFloat64) {
			return source.Outside(fn, fmt.Sprintf("x[%d]", i), v, "a finite value > 0")
		}
	}
	return nil
}

// degenerate says that a sample has no spread, or no finite figure.
func degenerate(fn, why string) error {
	return fault.New("joblog", fn, why, ErrDegenerate)
}

// sortedCopy returns x sorted, without a copy where it already is.
func sortedCopy(x []float64) []float64 {
	if slices.IsSorted(x) {
		return x
	}
	x = slices.Clone(x)
	slices.Sort(x)
	return x
}

// ksDistance is sup |F_n - F| for a sorted sample; ties are jumps of F_n.
func ksDistance(sorted []float64, cdf func(float64) float64) float64 {
	n := float64(len(sorted))
	d := 0.0
	for i, x := range sorted {
		f := cdf(x)
		d = max(d, float64(i+1)/n-f, f-float64(i)/n)
	}
	return d
}

func finite(v ...float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
