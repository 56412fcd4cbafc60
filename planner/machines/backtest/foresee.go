package backtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/ranking"
)

// proactive returns the scheduler for one moment; what it foresees of a
// machine serves all jobs of that moment.
func (r *replay) proactive(fleet []ranking.Host) ranking.Proactive {
	known := make([]*ranking.Candidate, len(fleet)) // at the step; without a curve: nothing is
	var at int64
	return ranking.Proactive{Predict: func(ctx context.Context, host int, step int64,
		_ float64) (ranking.Candidate, error) {
		if step != at {
			at = step
			clear(known)
		}
		if c := known[host]; c != nil {
			if c.Reliability == nil {
				return *c, smp.ErrNoData
			}
			return *c, nil
		}
		c, err := r.foresee(ctx, host, step)
		// The speed is that of the submission; all else is the machine's.
		c.Rate = fleet[host].Rate
		// A machine of which nothing is known is unknown to all jobs of the moment.
		if err == nil || errors.Is(err, smp.ErrNoData) {
			known[host] = &c
		}
		return c, err
	}}
}

// foresee predicts a machine from what lies before the step: the same clock
// window on the days of the same kind, or on days of any other kind where
// there is none.
func (r *replay) foresee(ctx context.Context, host int, step int64) (ranking.Candidate, error) {
	if r.model != "" && !slices.Contains(processes, r.model) {
		return r.byFleet(ctx, host, step)
	}
	l := r.hosts[host]
	days, clock, err := r.daysBefore(l, step)
	if err != nil {
		return ranking.Candidate{}, err
	}
	if len(days) == 0 {
		return ranking.Candidate{}, fmt.Errorf("no day before: %w", smp.ErrNoData)
	}
	space := smp.FiveStates()
	// The state at the window's beginning counts as just entered.
	fit, err := machines.EstimateDays(space, machines.Ageless(days), r.q.Counts, r.q.Censored)
	if err != nil {
		return ranking.Candidate{}, err
	}
	rel, err := fit.Kernel.Reliability(ctx, r.horizon, &smp.Options{Workers: 1}) // submissions run beside each other
	if err != nil {
		return ranking.Candidate{}, err
	}
	at, _ := l.History.At(step)
	start := smp.Start{State: at.State}
	if fit.States[start.State].Visits == 0 {
		return ranking.Candidate{}, fmt.Errorf("never seen in %s: %w", space.Names[start.State], smp.ErrNoData)
	}
	c, err := rel.From(ctx, start)
	if err != nil {
		return ranking.Candidate{}, err
	}
	period := l.History.Period
	out := ranking.Candidate{
		Name:        r.q.Hosts[host].Name,
		Reliability: c.Reliability,
		Step:        period,
		MTTF:        math.Inf(1),
		Load:        r.meanLoad(host, days, clock),
	}
	m, err := fit.Kernel.MTTF(start)
	// A process that never fails has an infinite MTTF, which is what the answer
	// says by default.
	switch {
	case err == nil:
		out.MTTF = m * period
	case !errors.Is(err, smp.ErrInfinite):
		return out, err
	}
	return out, nil
}

// daysBefore returns the window that begins at the step's time of day on the days before of the
// same kind, or of any other kind where there is none, and that time of day.
func (r *replay) daysBefore(l *machines.Labelled, step int64) (days []smp.Day, clock time.Duration, err error) {
	now := l.Moment(step)
	date := l.Calendar.Date(now)
	clock = now.Sub(l.Calendar.At(date, 0))
	// A day on which clocks are set back is longer than 24 h, but a window has to begin within 24
	// h.
	w := smp.Window{Clock: min(clock, 24*time.Hour-time.Second), Steps: r.horizon}
	for _, k := range []smp.DayKind{l.Calendar.Kind(date), smp.Weekday, smp.Weekend} {
		if days, _, err = l.History.Days(l.Calendar, w, k, now, r.q.Days); err != nil || len(days) > 0 {
			break
		}
	}
	return days, clock, err
}

// meanLoad returns the load averaged over the days and from the window's
// beginning on.
func (r *replay) meanLoad(host int, days []smp.Day, clock time.Duration) ranking.MeanLoad {
	l := r.hosts[host]
	// Records of times up and down have no load at all.
	if !slices.ContainsFunc(days, func(d smp.Day) bool {
		first := l.History.StepAt(l.Calendar.At(d.Date, clock))
		total, _ := r.loads[host].Sum(first, first+int64(r.horizon))
		return total != 0
	}) {
		return func(float64) float64 { return 0 }
	}
	mean := make([]float64, r.horizon+1) // mean[k]: over the first k steps
	counts := make([]int, r.horizon+1)   // of the samples at step k−1
	for _, d := range days {
		first := l.History.StepAt(l.Calendar.At(d.Date, clock))
		r.loads[host].Each(first, first+int64(r.horizon), func(step int64, load float64) bool {
			mean[step-first+1] += load
			counts[step-first+1]++
			return true
		})
	}
	total, count := 0.0, 0
	for k := 1; k <= r.horizon; k++ {
		total, count = total+mean[k], count+counts[k]
		if mean[k] = 0; count > 0 {
			mean[k] = total / float64(count)
		}
	}
	// A job of no length meets the load of the first step.
	mean[0] = mean[1]
	return func(t float64) float64 {
		return mean[max(1, int(min(math.Ceil(t/l.History.Period), float64(r.horizon))))]
	}
}
