package smp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
)

// A BandMethod is a way to say how far an estimated reliability can be
// trusted. All treat the days as the independent units.
type BandMethod int

const (
	Bootstrap  BandMethod = iota // limits of a share of so many days as have the variance over resampled days
	WaldLogit                    // ± t·se on the scale log(R/(1−R)), se by leaving out one day at a time
	WaldLogLog                   // the same on the scale log(−log R)
)

// BandOptions of [ReliabilityBand]; zero fields mean the value in brackets.
type BandOptions struct {
	Level   float64 // chance that the band is meant to cover, 0..1 [0.90]
	Method  BandMethod
	Samples int    // bootstrap resamples [400, fewer of over 100,000 stays]
	Seed    uint64 // of the bootstrap; the same seed gives the same band
	// Counts and Censored estimate by [EstimateCounts], as the paper, or by
	// [EstimateCensored] rather than by [EstimateToFailure].
	Counts, Censored bool
}

// mostDrawn bounds the stays that all resamples have together where their number is not given, and some
// fewest resamples are drawn in any case: the more days, the better few know the variance.
const (
	mostDrawn = 40_000_000
	fewest    = 20
)

// usualResamples is how many are drawn where their number is not given.
func usualResamples(days []Day) int {
	stays := 1
	for _, day := range days {
		for _, s := range day.Parts {
			stays += len(s)
		}
	}
	return min(400, max(fewest, mostDrawn/stays))
}

// A Band holds the estimate and its limits at the horizons asked for.
type Band struct {
	Horizons            []int
	Low, Estimate, High []float64 // within 0..1
	Level               float64
	Days                int
	Resamples           int // bootstrap resamples that gave an answer
	Warnings            []Warning
}

// ReliabilityBand estimates the reliability from a start and a pointwise
// confidence band. Each day, with all its parts, is one unit; days are assumed
// independent of each other. Bands never leave 0..1.
//
// At a horizon where no day, or every day, fails the spread over days is nil
// and says nothing; there the limit is that of Clopper and Pearson for none
// out of the n days that begin up, 1 − ((1−Level)/2)^(1/n).
//
// Fewer than two days wrap [ErrNoData].
func ReliabilityBand(ctx context.Context, space Space, days []Day, start Start, horizons []int,
	opt *BandOptions) (*Band, error) {
	ctx = given.Context(ctx)
	const fn = "ReliabilityBand"
	var o BandOptions
	if opt != nil {
		o = *opt
	}
	o.Level = cmp.Or(o.Level, 0.9)
	if o.Samples == 0 {
		o.Samples = usualResamples(days)
	}
	if err := open01(fn, "Level", o.Level); err != nil {
		return nil, err
	}
	if o.Samples < fewest {
		return nil, &DomainError{fn, "Samples", float64(o.Samples), "at least 20"}
	}
	if o.Method < Bootstrap || o.Method > WaldLogLog {
		return nil, &DomainError{fn, "Method", float64(o.Method), "Bootstrap, WaldLogit or WaldLogLog"}
	}
	if len(days) < 2 {
		return nil, fault.New("smp", fn, fmt.Sprintf("%d days, want at least 2", len(days)), ErrNoData)
	}
	n := 0
	for _, h := range horizons {
		if h < 0 {
			return nil, &DomainError{fn, "horizon", float64(h), "horizon >= 0"}
		}
		n = max(n, h)
	}
	e := dayEstimator{space: space, start: start, horizons: horizons, n: n, by: chosen(o.Counts, o.Censored)}
	for d, day := range days {
		for _, s := range day.Parts {
			e.windows = append(e.windows, s)
			e.day = append(e.day, d)
		}
	}
	weights := slices.Repeat([]float64{1}, len(days))
	b := &Band{Horizons: append([]int(nil), horizons...), Level: o.Level, Days: len(days)}
	var err error
	if b.Estimate, err = e.at(ctx, weights); err != nil {
		return nil, err
	}
	b.Low, b.High = append([]float64(nil), b.Estimate...), append([]float64(nil), b.Estimate...)
	if o.Method == Bootstrap {
		err = b.bootstrap(ctx, &e, o)
	} else {
		err = b.wald(ctx, &e, o)
	}
	if err != nil {
		return nil, err
	}
	b.edges(&e)
	return b, nil
}

// A dayEstimator estimates the reliability from days with weights.
type dayEstimator struct {
	space    Space
	windows  []Sequence
	day      []int // of each window
	start    Start
	horizons []int
	n        int
	by       estimator
}

func (e *dayEstimator) at(ctx context.Context, dayWeights []float64) ([]float64, error) {
	w := make([]float64, len(e.windows))
	for m := range w {
		w[m] = dayWeights[e.day[m]]
	}
	f, err := estimate("ReliabilityBand", e.space, e.windows, w, e.by)
	if err != nil {
		return nil, err
	}
	r, err := f.Kernel.Reliability(ctx, e.n, &Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	c, err := r.From(ctx, e.start)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(e.horizons))
	for m, h := range e.horizons {
		out[m] = c.Reliability[h]
	}
	return out, nil
}

func (b *Band) bootstrap(ctx context.Context, e *dayEstimator, o BandOptions) error {
	rng := rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15))
	draws := make([][]float64, len(b.Horizons))
	weights, found := make([][]float64, min(o.Samples, 16)), make([][]float64, min(o.Samples, 16))
	for done := 0; done < o.Samples; done += len(weights) {
		some := min(o.Samples-done, len(weights))
		for i := range some {
			weights[i] = make([]float64, b.Days)
			for range b.Days {
				weights[i][rng.IntN(b.Days)]++
			}
		}
		err := parallel.All(ctx, some, func(i int) (err error) {
			if found[i], err = e.at(ctx, weights[i]); errors.Is(err, ErrImpossible) {
				return nil // no drawn day has seen so long a sojourn
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, r := range found[:some] {
			if r == nil {
				continue
			}
			b.Resamples++
			for m, v := range r {
				draws[m] = append(draws[m], v)
			}
		}
	}
	if b.Resamples*2 < o.Samples {
		b.Warnings = append(b.Warnings, Warning{e.start.State,
			fmt.Sprintf("only %d of %d resamples know so long a sojourn: use more days", b.Resamples, o.Samples)})
	}
	if b.Resamples == 0 {
		return nil
	}
	if b.Resamples < 2 {
		return nil
	}
	for m, d := range draws {
		b.Low[m], b.High[m] = scoreLimits(b.Estimate[m], stat.Variance(d, nil), b.Days, b.Level)
	}
	return nil
}

// scoreLimits returns Wilson's limits of a share r of as many days as would give it
// the variance that the bootstrap found:
//
//	(r + t²/2n ± t √(r(1 − r)/n + t²/4n²)) / (1 + t²/n),   n = r̃(1 − r̃)/v
//
// where v is the variance over resamples times days/(days − 1), since draws from so
// many days spread less than the days do, t = −t_{days−1}((1 − level)/2), and r̃ is r
// with half a day added to either side, so that n is known where r is near 0 or 1.
// They know the skew of a share, which few resamples show: the percentiles of these
// covered least where few days stay free (docs/EVALUATION.md).
//
// Source: Wilson, Probable inference, the law of succession, and statistical
// inference, JASA 22, 1927; for the effective number Korn, Graubard: Confidence
// intervals for proportions with small expected number of positive counts estimated
// from survey data, Survey Methodology 24, 1998.
func scoreLimits(r, variance float64, days int, level float64) (low, high float64) {
	n := float64(days)
	if !(variance > 0) {
		return r, r
	}
	t := -distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1 - level) / 2)
	near := (n*r + 0.5) / (n + 1)
	t2n := t * t * variance * n / (n - 1) / (near * (1 - near)) // t²/n of the formula
	mid := (r + t2n/2) / (1 + t2n)
	half := math.Sqrt(t2n*r*(1-r)+t2n*t2n/4) / (1 + t2n)
	return math.Max(0, math.Min(r, mid-half)), math.Min(1, math.Max(r, mid+half))
}

func (b *Band) wald(ctx context.Context, e *dayEstimator, o BandOptions) error {
	n := float64(b.Days)
	mean := make([]float64, len(b.Horizons))
	square := make([]float64, len(b.Horizons))
	weights := slices.Repeat([]float64{1}, b.Days)
	used := 0.0
	for d := range weights {
		weights[d] = 0
		r, err := e.at(ctx, weights)
		weights[d] = 1
		if errors.Is(err, ErrImpossible) {
			b.Warnings = append(b.Warnings, Warning{e.start.State, "so long a sojourn rests on one day: use more days"})
			continue
		}
		if err != nil {
			return err
		}
		used++
		for m, v := range r {
			delta := v - mean[m]
			mean[m] += delta / used
			square[m] += delta * (v - mean[m])
		}
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1 + o.Level) / 2)
	for m, r := range b.Estimate {
		if r <= 0 || r >= 1 {
			continue
		}
		se := math.Sqrt((n - 1) / n * square[m])
		if o.Method == WaldLogit {
			x, d := math.Log(r/(1-r)), t*se/(r*(1-r))
			b.Low[m], b.High[m] = 1/(1+math.Exp(d-x)), 1/(1+math.Exp(-d-x))
			continue
		}
		// R = exp(−e^x), x = log(−log R), dx = dR/(R log R).
		l := -math.Log(r)
		d := t * se / (r * l)
		b.Low[m], b.High[m] = math.Exp(-l*math.Exp(d)), math.Exp(-l*math.Exp(-d))
	}
	return nil
}

// edges replaces a side of the band that has no width, where all days agree. Where
// all fail the estimate may still be above 0, by stays that came after a failure.
func (b *Band) edges(e *dayEstimator) {
	warned := false
	for m, r := range b.Estimate {
		if b.Horizons[m] == 0 {
			continue
		}
		free, failed := e.outcomes(b.Horizons[m])
		days := free + failed
		days = cmp.Or(days, b.Days)
		none := -math.Expm1(math.Log((1-b.Level)/2) / float64(days))
		switch {
		case r == 1:
			b.Low[m], b.High[m] = math.Min(b.Low[m], 1-none), 1
		case r == 0 || free == 0 && failed > 0:
			b.Low[m], b.High[m] = 0, math.Max(b.High[m], none)
		default:
			continue
		}
		if !warned {
			warned = true
			b.Warnings = append(b.Warnings, Warning{-1, fmt.Sprintf(
				"all of %s agree at %s: the limit is that for none of %s", fault.Count(days, "day"),
				fault.Count(b.Horizons[m], "step"), fault.Count(days, "day"),
			)})
		}
	}
}

// outcomes counts the days that begin up by what is known to have become of
// them after h steps.
func (e *dayEstimator) outcomes(h int) (free, failed int) {
	last := -1
	for m, s := range e.windows {
		if e.day[m] == last || len(s) == 0 {
			continue // the record was interrupted before this part
		}
		last = e.day[m]
		at, down := s.Failed(e.space)
		switch {
		case down && at == 0: // begins failed
		case down && at <= h:
			failed++
		case s.Samples() > h:
			free++
		}
	}
	return free, failed
}
