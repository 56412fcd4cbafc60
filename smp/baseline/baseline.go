package baseline

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/smp"
)

// EvaluateForecaster scores a time-series baseline on the same test days as
// [smp.Evaluate] with the same options: for each of them the model is fitted to
// the samples of the window of the same length just before (with SameClock,
// once for all of them, to those of the same window on the training days),
// continued through the window, and the forecast loads are labelled by the
// thresholds; the predicted reliability is the share of days on which no
// forecast sample fails. A day without a sample before it counts as predicted
// to fail (the host is gone). Source: iShare 8.2.1.
func EvaluateForecaster(ctx context.Context, f Forecaster, days []smp.Day, loads Loads, c smp.Calendar, w smp.Window, p smp.Thresholds,
	opt *smp.EvaluateOptions) (*smp.Score, error) {
	ctx = given.Context(ctx)
	const fn = "EvaluateForecaster"
	space := smp.FiveStates()
	if f == nil {
		return nil, &smp.DomainError{Func: fn, Arg: "Forecaster", Value: math.NaN(), Want: "a forecaster"}
	}
	if err := w.Check(fn); err != nil {
		return nil, err
	}
	q, err := p.Resolve()
	if err != nil {
		return nil, err
	}
	if loads.Period != q.Period {
		return nil, &smp.DomainError{Func: fn, Arg: "Loads.Period",
			Value: loads.Period, Want: fmt.Sprintf("the period of the thresholds, %v s", q.Period)}
	}
	split, err := smp.SplitDays(space, days, opt)
	if err != nil {
		return nil, err
	}
	s := &smp.Score{
		Clock:     w.Clock,
		Steps:     w.Steps,
		TrainDays: len(split.Train),
		TestDays:  len(split.Test),
		Excluded:  split.Excluded,
	}
	h := &smp.History{Period: loads.Period}
	free := func(series []float64, date smp.Date) (float64, error) {
		if len(series) == 0 {
			return 0, nil
		}
		ahead, err := f.Forecast(series, w.Steps)
		if err != nil {
			return 0, fmt.Errorf("smp: %s: %s, %s: %w", fn, f.Name(), date, err)
		}
		if len(ahead) != w.Steps {
			return 0, &smp.DomainError{Func: fn, Arg: "len of " + f.Name() + "'s forecast",
				Value: float64(len(ahead)), Want: fmt.Sprintf("%d values", w.Steps)}
		}
		if overloaded(ahead, q) {
			return 0, nil
		}
		return 1, nil
	}
	sameClock := opt != nil && opt.SameClock
	samples := float64(w.Steps)
	if sameClock {
		samples *= float64(max(len(split.Train), 1))
	}
	if samples > maxForecast {
		return nil, &smp.DomainError{Func: fn, Arg: "Window.Steps",
			Value: float64(w.Steps), Want: fmt.Sprintf("windows of at most %d samples together", maxForecast)}
	}
	var once float64
	if sameClock && len(split.Test) > 0 {
		var series []float64
		for _, d := range split.Train {
			first := h.StepAt(c.At(d.Date, w.Clock))
			series = append(series, loads.between(first, first+int64(w.Steps)+1)...)
		}
		if once, err = free(series, split.Test[0].Date); err != nil {
			return nil, err
		}
	}
	var predicted numeric.Sum
	for _, d := range split.Test {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := once
		if !sameClock {
			first := h.StepAt(c.At(d.Date, w.Clock))
			if p, err = free(loads.between(first-int64(w.Steps), first+1), d.Date); err != nil {
				return nil, err
			}
		}
		predicted.Add(p)
		s.Observe(d, space)
	}
	s.Judge(predicted.Value())
	return s, nil
}

// overloaded reports whether a path of loads is above Heavy for longer than
// the grace time.
func overloaded(path []float64, p smp.Thresholds) bool {
	over := 0
	for _, v := range path {
		if !(v > p.Heavy) {
			over = 0
			continue
		}
		if over++; float64(over)*p.Period > p.Grace*(1+1e-9) {
			return true
		}
	}
	return false
}

// Baselines returns the models of iShare table 4 with the given order.
func Baselines(order int) []Forecaster {
	return []Forecaster{AR{Order: order}, BestMean{order}, ARMA{MA: order}, ARMA{AR: order, MA: order}, Last{}}
}

// Clocks returns the times of day 0:00, 1:00, … 23:00, the start hours of
// iShare figure 11.
func Clocks() []time.Duration {
	out := make([]time.Duration, 24)
	for h := range out {
		out[h] = time.Duration(h) * time.Hour
	}
	return out
}
