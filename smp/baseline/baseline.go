package baseline

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/smp"
)

// EvaluateForecaster scores a time-series baseline on the same test days as
// [smp.Evaluate] with the same options: for each of them the model is fitted to
// the samples of the window of the same length just before (with SameClock,
// once for all of them, to those of the same window on the training days),
// continued through the window, and the forecast loads are labelled by the
// thresholds; the predicted reliability is the share of days on which no
// forecast sample fails. A day without a sample before it counts as predicted
// to fail (the host is gone). MA and ARMA of orders up to 3 are fitted no better
// than it takes to compare their forecast with Heavy: the best fit takes a hundred
// passes over the series.
// Source: iShare 8.2.1.
func EvaluateForecaster(ctx context.Context, f Forecaster, days []smp.Day, loads Loads, c smp.Calendar, w smp.Window, p smp.Thresholds,
	opt *smp.EvaluateOptions) (*smp.Score, error) {
	scores, err := EvaluateForecasters(ctx, []Forecaster{f}, days, loads, c, w, p, opt)
	if err != nil {
		return nil, err
	}
	return scores[0], nil
}

// EvaluateForecasters scores several baselines as [EvaluateForecaster] does each, in their order.
func EvaluateForecasters(ctx context.Context, models []Forecaster, days []smp.Day, loads Loads, c smp.Calendar,
	w smp.Window, p smp.Thresholds, opt *smp.EvaluateOptions) ([]*smp.Score, error) {
	ctx = given.Context(ctx)
	const fn = "EvaluateForecaster"
	space := smp.FiveStates()
	for _, f := range models {
		if f == nil {
			return nil, &smp.DomainError{Func: fn, Arg: "Forecaster", Value: math.NaN(), Want: "a forecaster"}
		}
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
	scores := make([]*smp.Score, len(models))
	for m := range scores {
		scores[m] = &smp.Score{
			Clock:     w.Clock,
			Steps:     w.Steps,
			TrainDays: len(split.Train),
			TestDays:  len(split.Test),
			Excluded:  split.Excluded,
		}
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
	h := &smp.History{Period: loads.Period}
	var series []float64
	var once []bool // of SameClock
	all := 0
	if opt != nil && !sameClock {
		all = opt.Forecasts
	}
	drawn := drawDays(split.Test, space, len(models), all)
	for i, d := range split.Test {
		if drawn.not(i) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch first := h.StepAt(c.At(d.Date, w.Clock)); {
		case !sameClock:
			series = loads.between(series[:0], first-int64(w.Steps), first+1)
		case once == nil:
			for _, d := range split.Train {
				first := h.StepAt(c.At(d.Date, w.Clock))
				series = loads.between(series, first, first+int64(w.Steps)+1)
			}
		}
		for m, f := range models {
			var free bool
			if sameClock && len(once) == len(models) {
				free = once[m]
			} else if free, err = staysFree(f, series, w.Steps, q); err != nil {
				return nil, fmt.Errorf("smp: %s: %s, %s: %w", fn, f.Name(), d.Date, err)
			}
			if sameClock && len(once) < len(models) {
				once = append(once, free)
			}
			if free {
				drawn.stays(m, i)
			}
		}
	}
	for m := range scores {
		scores[m].Free = int(drawn.days[1])
		total, err := drawn.total(m)
		scores[m].Judge(total)
		scores[m].PredictedError = err / math.Max(1, float64(len(split.Test)))
	}
	return scores, nil
}

// staysFree reports whether no failure is forecast in the n steps after a series.
func staysFree(f Forecaster, series []float64, n int, p smp.Thresholds) (bool, error) {
	if len(series) == 0 {
		return false, nil
	}
	if s, ok := f.(stayer); ok && checkSeries("", series, n) == nil {
		if free, sure := s.stays(series, n, p); sure {
			return free, nil
		}
	}
	ahead, err := f.Forecast(series, n)
	if err != nil {
		return false, err
	}
	if len(ahead) != n {
		return false, &smp.DomainError{Func: "EvaluateForecaster", Arg: "len of " + f.Name() + "'s forecast",
			Value: float64(len(ahead)), Want: fmt.Sprintf("%d values", n)}
	}
	return !overloaded(ahead, p), nil
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
		if over++; lasts(over, p) {
			return true
		}
	}
	return false
}

// lasts reports whether so many steps above Heavy are longer than the grace time.
func lasts(steps int, p smp.Thresholds) bool { return float64(steps)*p.Period > p.Grace*(1+1e-9) }

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
