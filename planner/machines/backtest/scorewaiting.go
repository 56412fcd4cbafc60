package backtest

import (
	"context"
	"math"
	"sort"
	"sync"

	"github.com/capplan/capplan/planner/machines"
)

// mostScoreWork is mostWork of scores.
const mostScoreWork = 12e9

// A waiter is a machine of a draw: how it is scored, or its record, until it is known whether it is drawn.
type waiter struct {
	name  string
	l     *machines.Labelled
	bytes float64 // of the record
	k     *keptScored
	lost  bool
}

// machineWork is about how many nanoseconds it takes to score a machine; none where it has no record.
func (s *Scoring) machineWork(l *machines.Labelled) float64 {
	if l == nil || len(l.History.Runs) == 0 {
		return 0
	}
	days, stays := knownDays(l)
	cells := float64(len(s.kinds) * len(s.starts))
	days /= float64(len(s.kinds))
	if s.inner != nil {
		cells *= 2 // and within the older days
	}
	runs, total := l.History.Runs, 0.0
	steps := float64(runs[len(runs)-1].End() - runs[0].First)
	for _, length := range s.windows {
		n := math.Min(length/l.History.Period, steps)
		total += 600 + days*(150+60*float64(len(s.models))+stayWork*stays*n)
	}
	return math.Max(total*cells, byteWork*stateBytes(l))
}

// stateBytes is what the states of a record take.
func stateBytes(l *machines.Labelled) float64 { return 24 * float64(len(l.History.Runs)) }

// enter adds a machine by its states, or by the error that it has none. It is scored when it is known which
// machines are drawn, or now if records take too much memory.
func (s *Scoring) enter(ctx context.Context, name string, l *machines.Labelled, err error) error {
	if s.draw == nil {
		return s.add(ctx, name, l, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, length := range s.windows {
		if err == nil && len(l.History.Runs) > 0 {
			if _, short := horizon(length, l.History.Period); short != nil {
				return short
			}
		}
	}
	w := &waiter{name: name, l: l}
	s.mu.Lock()
	now := err != nil || s.bytes > mostWaiting
	if err == nil {
		w.bytes = stateBytes(l)
	}
	kept := s.hold(w, s.machineWork(l))
	s.mu.Unlock()
	if !kept || !now {
		return nil
	}
	k, err := s.keep(ctx, name, l, err)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scored(w, k)
	return nil
}

// hold puts a machine into the draw, and reports whether it is among those drawn so far; the lock is held.
func (s *Scoring) hold(w *waiter, work float64) bool {
	s.waiting = append(s.waiting, w)
	s.bytes += w.bytes
	lose := func() {
		w.lost = true
		s.scored(w, nil)
	}
	kept := s.draw.add(w.name, &lot{work: work, lost: lose})
	if !kept && !w.lost {
		lose()
	}
	return kept
}

// scored takes how a machine is scored in place of its record; the lock is held.
func (s *Scoring) scored(w *waiter, k *keptScored) {
	s.bytes -= w.bytes
	w.l, w.bytes = nil, 0
	if w.k = k; w.lost {
		w.k = nil
	}
}

// settle ends the draw: it scores the machines that wait, and counts those drawn in the order of their
// names. Errors: those of keep and of count.
func (s *Scoring) settle(ctx context.Context) error {
	if s.waiting == nil {
		return nil
	}
	s.draw.cut()
	all := s.waiting[:0]
	for _, w := range s.waiting {
		if !w.lost {
			all = append(all, w)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	s.waiting = nil
	var mu sync.Mutex
	done := 0
	return each(ctx, len(all), func(i int) error {
		w := all[i]
		if w.k == nil {
			var err error
			if w.k, err = s.keep(ctx, w.name, w.l, nil); err != nil {
				return err
			}
		}
		k := w.k
		w.k, w.l = nil, nil
		if err := s.count(k); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if done++; s.q.Done != nil {
			s.q.Done(done, len(all))
		}
		return nil
	})
}
