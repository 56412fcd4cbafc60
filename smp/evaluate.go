package smp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
)

// EvaluateOptions; zero fields mean the value in brackets.
type EvaluateOptions struct {
	Train  float64 // share of the days, oldest first, that is the training set, 0..1 [0.5]
	Recent int     // use only so many most recent training days [all]
	// Counts and Censored estimate by [EstimateCounts], as the paper, or by
	// [EstimateCensored] rather than by [EstimateToFailure].
	Counts, Censored bool
	// Ageless takes the state at the window's beginning as just entered, in
	// training and in prediction, as the paper does.
	Ageless bool
	// SameClock fits a time-series model to the same clock window on the
	// training days, one after another, not to the window just before each
	// test day. iShare 8.2.1 says both.
	SameClock bool
	// Forecasts is on about how many test days a time-series model forecasts, drawn by their dates from
	// those that stayed free and from the others, each of which then count for all of their kind [all].
	Forecasts int
}

func (o *EvaluateOptions) resolve(fn string) (EvaluateOptions, error) {
	var r EvaluateOptions
	if o != nil {
		r = *o
	}
	r.Train = cmp.Or(r.Train, 0.5)
	if err := open01(fn, "Train", r.Train); err != nil {
		return r, err
	}
	if r.Recent < 0 {
		return r, &DomainError{fn, "Recent", float64(r.Recent), "Recent >= 0 days"}
	}
	if r.Forecasts < 0 {
		return r, &DomainError{fn, "Forecasts", float64(r.Forecasts), "Forecasts >= 0 days"}
	}
	return r, nil
}

// A Score compares a predicted with an observed temporal reliability on one
// window.
type Score struct {
	Clock     time.Duration
	Steps     int
	TrainDays int
	TestDays  int     // on which the window is whole and begins up
	Excluded  int     // test days on which it is not, or begins failed
	Predicted float64 // mean over the test days of the prediction from each day's own start
	Empirical float64 // share of the test days without failure
	Free      int     // test days without failure
	// PredictedError is the standard error of Predicted that comes from forecasts on some of the test days,
	// see EvaluateOptions.Forecasts; 0 where there are all.
	PredictedError float64
	// RelativeError is |Predicted − Empirical|/Empirical; Defined is false
	// where Empirical = 0 or there is no test day, and it is then 0.
	RelativeError float64
	Defined       bool
	Warnings      []Warning
}

// Judge fills the means from sums over the test days, and the error.
func (s *Score) Judge(predicted float64) {
	if s.TestDays == 0 {
		return
	}
	s.Predicted = predicted / float64(s.TestDays)
	s.Empirical = float64(s.Free) / float64(s.TestDays)
	if s.Free > 0 {
		s.RelativeError = math.Abs(s.Predicted-s.Empirical) / s.Empirical
		s.Defined = true
	}
}

// ExpectedError returns the mean relative error of a prediction p that is
// true, on n independent test days of which at least one is free:
//
//	E(|p − K/n| / (K/n) | K ≥ 1),   K ~ Binomial(n, p)
//
// the part of an observed error that the number of test days explains. It is 0
// for p = 0 or n < 1, where no error is defined. Time: √n; n is at most 1e6.
func ExpectedError(p float64, n int) (float64, error) {
	if n > 1_000_000 {
		return 0, &DomainError{"ExpectedError", "n", float64(n), "at most 1e6 days"}
	}
	if err := within01("ExpectedError", "p", p); err != nil {
		return 0, err
	}
	if n < 1 || p == 0 || p == 1 {
		return 0, nil
	}
	m := float64(n)
	all, _ := math.Lgamma(m + 1)
	up, down := math.Log(p), math.Log1p(-p)
	var total, chance numeric.Sum
	// Beyond t from the mean Bernstein's bound exp(−t²/(2(npq + t/3))) of a chance is below e⁻¹⁰⁰.
	t := 34 + math.Sqrt(34*34+200*m*p*(1-p))
	last := min(n, int(m*p+t))
	for k := max(1, int(m*p-t)); k <= last; k++ {
		x := float64(k)
		a, _ := math.Lgamma(x + 1)
		b, _ := math.Lgamma(m - x + 1)
		w := math.Exp(all - a - b + x*up + (m-x)*down)
		chance.Add(w)
		total.Add(w * math.Abs(p*m/x-1))
	}
	if chance.Value() == 0 {
		return 0, nil // p is so small that no day is ever free
	}
	return total.Value() / chance.Value(), nil
}

// A Split is a window's days divided by date into two sets, the older for
// training.
type Split struct {
	Train, Test []Day
	Excluded    int // whole or not, days that begin failed or are in part, left out of Test
	Sparse      int // days of less than half the window, left out before the division
}

// SplitDays divides the days of a window: the first Train share of them, in
// order of date, is for training. A day on which less than half of the window's
// samples are known is in neither set: it says next to nothing, and would stand
// in the place of a day that does.
func SplitDays(space Space, days []Day, opt *EvaluateOptions) (*Split, error) {
	o, err := opt.resolve("SplitDays")
	if err != nil {
		return nil, err
	}
	if err := checkDays("SplitDays", space, days); err != nil {
		return nil, err
	}
	s := &Split{}
	days, s.Sparse = dense(days)
	cut := int(math.Round(o.Train * float64(len(days))))
	s.Train = days[:cut]
	if o.Recent > 0 && len(s.Train) > o.Recent {
		s.Train = s.Train[len(s.Train)-o.Recent:]
	}
	for _, d := range days[cut:] {
		if !d.Whole || len(d.Parts) != 1 || space.Failure[d.Parts[0][0].State] {
			s.Excluded++
			continue
		}
		s.Test = append(s.Test, d)
	}
	return s, nil
}

// checkDays refuses parts that are empty or not of the space.
func checkDays(fn string, space Space, days []Day) error {
	for _, d := range days {
		for _, p := range d.Parts {
			if len(p) == 0 {
				return &DomainError{fn, "len(Day.Parts[i])", 0, "at least one sojourn in each part"}
			}
			if err := p.check(fn, space); err != nil {
				return err
			}
		}
	}
	return nil
}

// Evaluate predicts the temporal reliability of a window on the test days
// from the training days and compares it with what happened (iShare 8.2 and
// figure 11). Where a test day begins with an age that training never saw, the
// age is left out and a warning given.
func Evaluate(ctx context.Context, space Space, days []Day, w Window, opt *EvaluateOptions) (*Score, error) {
	ctx = given.Context(ctx)
	const fn = "Evaluate"
	if err := w.Check(fn); err != nil {
		return nil, err
	}
	o, err := opt.resolve(fn)
	if err != nil {
		return nil, err
	}
	split, err := SplitDays(space, days, &o)
	if err != nil {
		return nil, err
	}
	s := &Score{
		Clock:     w.Clock,
		Steps:     w.Steps,
		TrainDays: len(split.Train),
		TestDays:  len(split.Test),
		Excluded:  split.Excluded,
	}
	if len(split.Train) == 0 {
		return nil, fault.New("smp", fn, fmt.Sprintf("%d days leave none for training", len(days)), ErrNoData)
	}
	if len(split.Test) == 0 {
		return s, nil // nothing to predict
	}
	windows := Sequences(split.Train)
	if o.Ageless {
		windows = Ageless(windows)
	}
	fit, err := estimate(fn, space, windows, nil, chosen(o.Counts, o.Censored))
	if err != nil {
		return nil, err
	}
	s.Warnings = append(s.Warnings, fit.Warnings...)
	r, err := fit.Kernel.Reliability(ctx, w.Steps, nil)
	if err != nil {
		return nil, err
	}
	known := map[Start]float64{}
	var predicted numeric.Sum
	for _, d := range split.Test {
		start, _ := d.Parts[0].Start()
		if o.Ageless {
			start.Elapsed = 0
		}
		p, ok := known[start]
		if !ok {
			c, err := r.From(ctx, start)
			if errors.Is(err, ErrImpossible) {
				s.Warnings = append(s.Warnings, Warning{start.State, fmt.Sprintf(
					"%s: no training day has seen %s for more than %d steps; predicted without the age", d.Date,
					space.Names[start.State], start.Elapsed,
				)})
				c, err = r.From(ctx, Start{State: start.State})
			}
			if err != nil {
				return nil, err
			}
			p = c.Reliability[w.Steps]
			known[start] = p
		}
		predicted.Add(p)
		s.Observe(d, space)
	}
	s.Judge(predicted.Value())
	return s, nil
}

// Observe counts a test day that stays free.
func (s *Score) Observe(d Day, space Space) {
	if len(d.Parts) == 0 {
		return // nothing of it is in the record
	}
	if _, failed := d.Parts[0].Failed(space); !failed {
		s.Free++
	}
}

// SurvivedShare returns the share of days that begin up on which a window of n
// steps did not fail; where some are in the record only in part, the product
// limit of the time to the first failure. Without a day that begins up it is
// 1/2; NaN for days that are not of the space.
func SurvivedShare(space Space, days []Day, n int) float64 {
	if checkDays("SurvivedShare", space, days) != nil {
		return math.NaN()
	}
	// For how many steps each day was at risk of a first failure, doubled, and 1 less where it came then.
	var left []int
	for _, d := range days {
		if len(d.Parts) == 0 || space.Failure[d.Parts[0][0].State] {
			continue
		}
		last, down := d.Parts[0].Failed(space)
		if !down {
			last = d.Parts[0].Samples() - 1
		}
		k := 2 * min(last, n)
		if down && last <= n {
			k--
		}
		left = append(left, k)
	}
	if left == nil {
		return 0.5
	}
	slices.Sort(left)
	p := 1.0
	for i := 0; i < len(left); {
		k, risk, failed := (left[i]+1)/2, len(left)-i, 0
		for ; i < len(left) && (left[i]+1)/2 == k; i++ {
			failed += left[i] & 1
		}
		if k > 0 {
			p *= 1 - float64(failed)/float64(risk)
		}
	}
	return p
}

// EvaluateShare scores the simplest prediction on the same test days as
// [Evaluate]: [SurvivedShare] of the training days.
func EvaluateShare(space Space, days []Day, w Window, opt *EvaluateOptions) (*Score, error) {
	if err := w.Check("EvaluateShare"); err != nil {
		return nil, err
	}
	split, err := SplitDays(space, days, opt)
	if err != nil {
		return nil, err
	}
	s := &Score{
		Clock:     w.Clock,
		Steps:     w.Steps,
		TrainDays: len(split.Train),
		TestDays:  len(split.Test),
		Excluded:  split.Excluded,
	}
	p := SurvivedShare(space, split.Train, w.Steps)
	for _, d := range split.Test {
		s.Observe(d, space)
	}
	s.Judge(p * float64(len(split.Test)))
	return s, nil
}

// A ScoreSummary gathers the scores of one window length over start hours and
// hosts, as a point of iShare figure 11.
type ScoreSummary struct {
	Steps     int
	Scores    int // with a defined relative error
	Undefined int // without
	TestDays  int // in all of them
	Mean      float64
	Least     float64
	Greatest  float64
}

// Summarize gathers scores by window length, in order of first appearance.
func Summarize(scores []*Score) []ScoreSummary {
	var out []ScoreSummary
	at := map[int]int{}
	for _, s := range scores {
		if s == nil {
			continue
		}
		m, ok := at[s.Steps]
		if !ok {
			m = len(out)
			at[s.Steps] = m
			out = append(out, ScoreSummary{Steps: s.Steps})
		}
		g := &out[m]
		if !s.Defined {
			g.Undefined++
			continue
		}
		if g.Scores == 0 || s.RelativeError < g.Least {
			g.Least = s.RelativeError
		}
		g.Greatest = math.Max(g.Greatest, s.RelativeError)
		g.Scores++
		g.TestDays += s.TestDays
		g.Mean += (s.RelativeError - g.Mean) / float64(g.Scores)
	}
	return out
}
