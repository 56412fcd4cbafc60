package smp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// EvaluateOptions; zero fields mean the value in brackets.
type EvaluateOptions struct {
	Train  float64 // share of the days, oldest first, that is the training set, 0..1 [0.5]
	Recent int     // use only so many most recent training days [all]
	Counts bool    // estimate by counts, as the paper, rather than censored
	// Ageless takes the state at the window's beginning as just entered, in
	// training and in prediction, as the paper does.
	Ageless bool
}

func (o *EvaluateOptions) resolve(fn string) (EvaluateOptions, error) {
	var r EvaluateOptions
	if o != nil {
		r = *o
	}
	if r.Train == 0 {
		r.Train = 0.5
	}
	if err := open01(fn, "Train", r.Train); err != nil {
		return r, err
	}
	if r.Recent < 0 {
		return r, &DomainError{fn, "Recent", float64(r.Recent), "Recent >= 0 days"}
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
	// RelativeError is |Predicted − Empirical|/Empirical; Defined is false
	// where Empirical = 0 or there is no test day, and it is then 0.
	RelativeError float64
	Defined       bool
	Warnings      []Warning
}

func (s *Score) judge() {
	if s.TestDays > 0 && s.Empirical > 0 {
		s.RelativeError = math.Abs(s.Predicted-s.Empirical) / s.Empirical
		s.Defined = true
	}
}

// A Split is a window's days divided by date into two sets, the older for
// training.
type Split struct {
	Train, Test []Day
	Excluded    int // whole or not, days that begin failed or are in part, left out of Test
}

// SplitDays divides the days of a window: the first Train share of them, in
// order of date, is for training.
func SplitDays(space Space, days []Day, opt *EvaluateOptions) (*Split, error) {
	o, err := opt.resolve("SplitDays")
	if err != nil {
		return nil, err
	}
	cut := int(math.Round(o.Train * float64(len(days))))
	s := &Split{Train: days[:cut]}
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

// Evaluate predicts the temporal reliability of a window on the test days
// from the training days and compares it with what happened (iShare 8.2 and
// figure 11). Where a test day begins with an age that training never saw, the
// age is left out and a warning given.
func Evaluate(ctx context.Context, space Space, days []Day, w Window, opt *EvaluateOptions) (*Score, error) {
	const fn = "Evaluate"
	o, err := opt.resolve(fn)
	if err != nil {
		return nil, err
	}
	split, err := SplitDays(space, days, &o)
	if err != nil {
		return nil, err
	}
	s := &Score{Clock: w.Clock, Steps: w.Steps, TrainDays: len(split.Train), TestDays: len(split.Test), Excluded: split.Excluded}
	if len(split.Train) == 0 {
		return nil, fmt.Errorf("smp: %s: %d days leave none for training: %w", fn, len(days), ErrNoData)
	}
	windows := Sequences(split.Train)
	if o.Ageless {
		windows = Ageless(windows)
	}
	fit, err := estimate(fn, space, windows, nil, !o.Counts)
	if err != nil {
		return nil, err
	}
	s.Warnings = append(s.Warnings, fit.Warnings...)
	r, err := fit.Kernel.Reliability(ctx, w.Steps, nil)
	if err != nil {
		return nil, err
	}
	known := map[Start]float64{}
	var predicted, stayed sum
	for _, d := range split.Test {
		start, _ := d.Parts[0].Start()
		if o.Ageless {
			start.Elapsed = 0
		}
		p, ok := known[start]
		if !ok {
			c, err := r.From(ctx, start)
			if errors.Is(err, ErrImpossible) {
				s.Warnings = append(s.Warnings, Warning{start.State, fmt.Sprintf("%s: no training day has seen %s for more than %d steps; predicted without the age", d.Date, space.Names[start.State], start.Elapsed)})
				c, err = r.From(ctx, Start{State: start.State})
			}
			if err != nil {
				return nil, err
			}
			p = c.Reliability[w.Steps]
			known[start] = p
		}
		predicted.add(p)
		if _, failed := d.Parts[0].Failed(space); !failed {
			stayed.add(1)
		}
	}
	if s.TestDays > 0 {
		s.Predicted = predicted.value() / float64(s.TestDays)
		s.Empirical = stayed.value() / float64(s.TestDays)
	}
	s.judge()
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
