package backtest

import (
	"context"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp/baseline"
)

// enter adds a machine, and reports whether it is to be judged now. The first machines are, and all that
// would wait in too much memory; others when it is known which are drawn.
func (v *Evaluation) enter(m *evaluated) (now bool, err error) {
	bytes := recordBytes(m)
	work, noise := v.e.machineWork(m.labelled, &m.loads, bytes)
	if err := v.e.checkWork(m.name, work, noise); err != nil {
		return false, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.added = append(v.added, m)
	if v.draw == nil {
		return true, nil
	}
	early := v.draw.work < v.draw.most/30 && !v.draw.parts || v.bytes > mostWaiting
	if !early {
		m.waits = true
		v.bytes += bytes
	}
	lose := func() {
		if m.waits {
			v.bytes -= bytes
		}
		m.labelled, m.loads, m.scores, m.waits, m.lost = nil, baseline.Loads{}, nil, false, true
	}
	if !v.draw.add(m.name, &lot{work: work, lost: lose}) {
		if !m.lost {
			lose()
		}
		return false, nil
	}
	return early, nil
}

// recordBytes is what a record takes.
func recordBytes(m *evaluated) float64 {
	bytes := 24 * float64(len(m.labelled.History.Runs))
	for _, s := range m.loads.Spans {
		bytes += 48 + 8*float64(len(s.Values))
	}
	return bytes
}

// judge returns the scores of a machine by share of days to train on.
func (v *Evaluation) judge(ctx context.Context, l *machines.Labelled, loads baseline.Loads) ([][]cell, error) {
	e := *v.e
	e.forecasts = e.mostForecasts(l.History.Period)
	scores := make([][]cell, len(v.tallies))
	for i, share := range e.shares() {
		var err error
		if scores[i], err = e.machine(ctx, l, loads, share, v.tallies[i].models); err != nil {
			return nil, machines.InputError(err)
		}
	}
	return scores, nil
}

// judged takes the scores of a machine; the lock is held.
func (v *Evaluation) judged(m *evaluated, scores [][]cell) {
	if m.lost {
		return
	}
	if m.loads, m.waits = (baseline.Loads{}), false; v.e.q.Noise == nil {
		m.labelled = nil
	}
	if v.draw != nil {
		m.scores = scores
		return
	}
	for i, t := range v.tallies {
		t.add(scores[i], m.name)
	}
}

// settle ends the draw: it judges the machines that wait, and counts all of those drawn in the order of
// their places.
func (v *Evaluation) settle(ctx context.Context, period float64) error {
	v.e.forecasts = v.e.mostForecasts(period)
	if v.draw == nil {
		return nil
	}
	v.draw.cut()
	var waiting []*evaluated
	for _, m := range v.added {
		if m.waits {
			waiting = append(waiting, m)
		}
	}
	done := v.e.counter(len(waiting))
	err := each(ctx, len(waiting), func(i int) error {
		scores, err := v.judge(ctx, waiting[i].labelled, waiting[i].loads)
		if err == nil {
			v.judged(waiting[i], scores)
			done()
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		return err
	}
	v.e.drawnOf = v.draw.drawnOf()
	for i, t := range v.tallies {
		if v.e.drawnOf > 0 {
			t.part(len(v.draw.kept))
		}
		for _, m := range v.added {
			if m.scores != nil {
				t.add(m.scores[i], m.name)
			}
		}
	}
	v.draw = nil // a second Finish finds them counted
	return nil
}
