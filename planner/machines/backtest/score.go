package backtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/baseline"
)

// fold does pieces and takes them in order; its errors are those of the record, and
// that of a context which has ended even where all was done by then.
func fold[P any](ctx context.Context, w pieces.Work, form pieces.Form[P],
	do func(ctx context.Context, i int) (P, error), take func(i int, p P) error) error {
	err := pieces.Fold(ctx, w, form, do, take)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return machines.InputError(err)
	}
	return nil
}

// each runs f for 0..n−1 on all cores and returns the error of the least
// index.
func each(ctx context.Context, n int, f func(i int) error) error {
	if err := parallel.All(ctx, n, f); err != nil {
		return machines.InputError(err)
	}
	return nil
}

// counter returns what counts finished parts for the progress bar.
func (e *evaluation) counter(all int) func() {
	if e.q.Done == nil {
		return func() {}
	}
	var mu sync.Mutex
	n := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		n++
		e.q.Done(n, all)
	}
}

// labelAll labels the machines, in their order.
func (e *evaluation) labelAll(ctx context.Context) error {
	e.hosts, e.loads = make([]*machines.Labelled, len(e.q.Hosts)), make([]baseline.Loads, len(e.q.Hosts))
	err := each(ctx, len(e.hosts), func(i int) error {
		l, err := e.q.Label(&e.q.Hosts[i])
		if err != nil {
			return err
		}
		e.hosts[i], e.loads[i] = l, l.Loads(&e.q.Hosts[i])
		return nil
	})
	if err != nil {
		return err
	}
	for i, l := range e.hosts {
		for _, w := range l.Warnings {
			if len(e.hosts) > 1 {
				w = e.q.Hosts[i].Name + ": " + w
			}
			e.warnings = append(e.warnings, w)
		}
		if l.History.Period != e.hosts[0].History.Period {
			return ask.Inputf("period", "machine %s has a sample every %s s, machine %s every %s s: give the period",
				e.q.Hosts[0].Name, ask.Digits(e.hosts[0].History.Period), e.q.Hosts[i].Name,
				ask.Digits(l.History.Period))
		}
	}
	const most = 5
	if extra := len(e.warnings) - most; len(e.hosts) > 1 && extra > 0 {
		e.warnings = append(e.warnings[:most:most], fmt.Sprintf("%d more warnings of the same kinds", extra))
	}
	return nil
}

// A cell is one machine, one window and one model.
type cell struct {
	predicted   float64
	free        int32
	test, train int32 // test 0: no score
}

func cellOf(s *smp.Score) cell {
	return cell{s.Predicted, int32(s.Free), int32(s.TestDays), int32(s.TrainDays)}
}

// grid holds cells by kind of day, machine, start, window and model.
type grid struct {
	e      *evaluation
	models int
	cells  []cell
}

func (g *grid) at(kind, host, start, window int) []cell {
	i := g.first(kind, host, start, window)
	return g.cells[i : i+g.models]
}

// first is where the cells of a window begin; those of the next window follow.
func (g *grid) first(kind, host, start, window int) int {
	e := g.e
	return (((kind*len(e.hosts)+host)*len(e.starts)+start)*len(e.windows) + window) * g.models
}

// mostCells bounds the memory, some 24 bytes each.
const mostCells = 2e7

// all scores every machine, start and window with one share of training days.
// Stopped by its context, it returns the grid of the machines that are done, if
// any is, with the error.
func (e *evaluation) all(ctx context.Context, train float64, baselines bool, done func()) (*grid, error) {
	g := &grid{e: e, models: 1}
	if baselines {
		g.models = len(e.titles)
	}
	n := float64(len(e.kinds)) * float64(len(e.hosts)) * float64(len(e.starts)) * float64(len(e.windows)) * float64(g.models)
	if n > mostCells {
		return nil, ask.Inputf("trace",
			"%d machines, %d starts, %d windows and %d models are %s scores, want at most %s: take fewer", len(e.hosts),
			len(e.starts), len(e.windows), g.models, ask.Digits(n), ask.Digits(mostCells))
	}
	g.cells = make([]cell, int(n))
	// Machine by machine, so that a run that is stopped has some of them whole.
	perHost := len(e.kinds) * len(e.starts)
	place := func(i int) (host, kind, start int) {
		return i / perHost, i % perHost / len(e.starts), i % len(e.starts)
	}
	taken := 0
	work := pieces.Work{Name: "machines, days and starts", Count: len(e.hosts) * perHost}
	one := func(ctx context.Context, i int) ([]cell, error) {
		host, kind, start := place(i)
		cells := make([]cell, len(e.windows)*g.models)
		for w := range e.windows {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := e.score(ctx, cells[w*g.models:][:g.models], kind, host, start, w, train); err != nil {
				return nil, err
			}
		}
		return cells, nil
	}
	err := fold(ctx, work, cellsForm, one, func(i int, cells []cell) error {
		host, kind, start := place(i)
		if copy(g.cells[g.first(kind, host, start, 0):], cells) != len(e.windows)*g.models {
			return errCells
		}
		taken++
		done()
		return nil
	})
	if err == nil || ctx.Err() == nil {
		return g, err
	}
	return g.only(taken / perHost), err
}

// only returns the grid of the first machines, nil for none.
func (g *grid) only(hosts int) *grid {
	if hosts == 0 {
		return nil
	}
	e := *g.e
	e.hosts = e.hosts[:hosts]
	out := &grid{e: &e, models: g.models, cells: make([]cell, len(g.cells)/len(g.e.hosts)*hosts)}
	for host := range e.hosts {
		for kind := range e.kinds {
			for start := range e.starts {
				for window := range e.windows {
					copy(out.at(kind, host, start, window), g.at(kind, host, start, window))
				}
			}
		}
	}
	return out
}

// window returns the days of a window of a machine.
func (e *evaluation) window(l *machines.Labelled, kind, start, window int) ([]smp.Day, smp.Window, error) {
	n, err := machines.Horizon(e.windows[window], l.History.Period)
	if err != nil {
		return nil, smp.Window{}, err
	}
	k, err := (&machines.DayWindow{Day: e.kinds[kind]}).Kind()
	if err != nil {
		return nil, smp.Window{}, err
	}
	w := smp.Window{Clock: time.Duration(e.starts[start] * float64(time.Second)), Steps: n}
	days, _, err := l.History.Days(l.Calendar, w, k, l.End(), 0)
	return days, w, err
}

func (e *evaluation) options(train float64) *smp.EvaluateOptions {
	return &smp.EvaluateOptions{
		Train:     train,
		Counts:    e.q.Counts,
		Censored:  e.q.Censored,
		Ageless:   !e.q.Ages,
		SameClock: e.q.SameClock,
	}
}

func (e *evaluation) score(ctx context.Context, into []cell, kind, host, start, window int, train float64) error {
	l := e.hosts[host]
	days, w, err := e.window(l, kind, start, window)
	if err != nil {
		return err
	}
	o := e.options(train)
	s, err := smp.Evaluate(ctx, smp.FiveStates(), days, w, o)
	if errors.Is(err, smp.ErrNoData) || err == nil && s.TestDays == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	into[0] = cellOf(s)
	if len(into) == 1 {
		return nil
	}
	for m, f := range e.models {
		s, err := baseline.EvaluateForecaster(ctx, f, days, e.loads[host], l.Calendar, w, l.Thresholds, o)
		if err != nil {
			return err
		}
		into[m+1] = cellOf(s)
	}
	if e.share {
		s, err := smp.EvaluateShare(smp.FiveStates(), days, w, o)
		if err != nil {
			return err
		}
		into[len(into)-1] = cellOf(s)
	}
	return nil
}
