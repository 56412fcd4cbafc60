package backtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/baseline"
	"github.com/capplan/capplan/smp/ranking"
)

// An outlook is what is foreseen of a machine at a moment. It serves all jobs of that moment.
type outlook struct {
	loads     []float64          // see meanLoads
	candidate *ranking.Candidate // without a curve: nothing is known of it; nil: not yet predicted
	loaded    bool               // loads are known
}

// proactive returns the scheduler for one moment.
func (r *replay) proactive(fleet []ranking.Host) ranking.Proactive {
	known := make([]outlook, len(fleet))
	f, _ := smp.NewForesight(smp.FiveStates()) // which are valid
	var m *moment
	at := func(host int, step int64) *outlook {
		if m == nil || step != m.step {
			m = r.moment(step)
			clear(known)
		}
		return &known[host]
	}
	return ranking.Proactive{Predict: func(ctx context.Context, host int, step int64,
		_ float64) (ranking.Candidate, error) {
		o := at(host, step)
		if o.candidate == nil {
			c, err := r.foresee(ctx, f, host, m, o)
			if err != nil && !errors.Is(err, smp.ErrNoData) {
				return c, err
			}
			// The speed is that of the submission; all else is the machine's.
			c.Rate = fleet[host].Rate
			o.candidate = &c
		}
		if o.candidate.Reliability == nil {
			return *o.candidate, smp.ErrNoData
		}
		return *o.candidate, nil
	}, Soonest: func(_ context.Context, host int, step int64, length float64) (float64, error) {
		o := at(host, step)
		r.load(m, host, o)
		return soonest(o.loads, fleet[host].Rate, r.horizon, r.hosts[host].History.Period, length), nil
	}}
}

// load finds the loads of a machine for all jobs of the moment.
func (r *replay) load(m *moment, host int, o *outlook) {
	if !o.loaded {
		_, loads := m.known(r.hosts[host], r.horizon, r.q.Days)
		o.loads, o.loaded = r.meanLoads(host, loads), true
	}
}

// soonest is about when a job is done if the machine does not fail, and no later: work is done at the speed
// that the mean load leaves. It is +Inf for more than can be done within the horizon.
func soonest(loads []float64, rate float64, horizon int, period, length float64) float64 {
	const rounding = 1e-9
	if loads == nil {
		return length / rate * (1 - rounding)
	}
	for k := range horizon + 1 {
		speed := rate * (1 - loads[min(k+1, horizon)])
		if speed*float64(k+1)*period*(1+rounding) >= length {
			return math.Max(float64(k)*period, length/speed) * (1 - rounding)
		}
	}
	return math.Inf(1)
}

// foresee predicts a machine from what lies before a moment: the same clock
// window on the days of the same kind, or on days of any other kind where
// there is none.
func (r *replay) foresee(ctx context.Context, f *smp.Foresight, host int, m *moment,
	o *outlook) (ranking.Candidate, error) {
	l := r.hosts[host]
	// Records that no calendar holds are refused.
	if span := float64(m.step-l.History.Runs[0].First) * l.History.Period; span > mostDaysBefore*86400 {
		if _, err := r.daysBefore(l, m.step); err != nil {
			return ranking.Candidate{}, err
		}
	}
	r.load(m, host, o)
	load := r.meanLoad(host, o.loads)
	if r.model != "" && !slices.Contains(processes, r.model) {
		return r.byFleet(ctx, host, m.step, load)
	}
	firsts, _ := m.known(l, r.horizon, r.q.Days)
	if len(firsts) == 0 {
		return ranking.Candidate{}, fmt.Errorf("no day before: %w", smp.ErrNoData)
	}
	f.LearnWindows(l.History, firsts, r.horizon)
	// The state at the window's beginning counts as just entered.
	at, _ := l.History.At(m.step)
	curve, steps, err := f.Curve(ctx, at.State, r.q.Counts, r.q.Censored)
	if err != nil {
		return ranking.Candidate{}, err
	}
	return ranking.Candidate{
		Name:        r.q.Hosts[host].Name,
		Reliability: curve,
		Step:        l.History.Period,
		MTTF:        steps * l.History.Period,
		Load:        load,
	}, nil
}

// daysBefore returns the window that begins at the step's time of day on the days before of the
// same kind, or of any other kind where there is none.
func (r *replay) daysBefore(l *machines.Labelled, step int64) (days []smp.Day, err error) {
	now := l.Moment(step)
	date := l.Calendar.Date(now)
	w := smp.Window{Clock: min(now.Sub(l.Calendar.At(date, 0)), longestClock), Steps: r.horizon}
	for _, k := range []smp.DayKind{l.Calendar.Kind(date), smp.Weekday, smp.Weekend} {
		if days, _, err = l.History.Days(l.Calendar, w, k, now, r.q.Days); err != nil || len(days) > 0 {
			break
		}
	}
	return days, err
}

// loaded reports whether a machine has loads; records of times up and down have none at all.
func (r *replay) loaded(host int) bool {
	return slices.ContainsFunc(r.loads[host].Spans, func(s baseline.LoadSpan) bool {
		return s.Values != nil || s.Load != 0
	})
}

// meanLoads returns the load averaged over the windows that begin at the steps, by how many steps from their
// beginning on; nil where it is 0.
func (r *replay) meanLoads(host int, firsts []int64) []float64 {
	if !r.loaded(host) {
		return nil
	}
	mean := make([]float64, r.horizon+1) // mean[k]: over the first k steps
	counts := make([]int, r.horizon+1)   // of the samples at step k−1
	for _, first := range firsts {
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
	return mean
}

// meanLoad is the load of a machine by the time from the moment on.
func (r *replay) meanLoad(host int, mean []float64) ranking.MeanLoad {
	if mean == nil {
		return ranking.ConstantLoad(0)
	}
	period := r.hosts[host].History.Period
	return func(t float64) float64 {
		return mean[max(1, int(min(math.Ceil(t/period), float64(r.horizon))))]
	}
}
