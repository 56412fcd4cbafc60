package backtest

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/baseline"
)

// fold does pieces of work and takes their results in order. Its errors are those of the record,
// and that of the context if it has ended, even if all pieces were done by then.
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

// counter returns a function that counts finished parts for the progress bar.
func (e *evaluation) counter(all int) func() {
	if e.q.Done == nil {
		return func() {}
	}
	// Parts run on several cores, but Done is called for one at a time.
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
		if err := e.heard(e.q.Hosts[i].Name, l.History.Period, l.Warnings, len(e.hosts)); err != nil {
			return err
		}
	}
	e.fewWarnings(len(e.hosts) > 1)
	return nil
}

// heard keeps the warnings of the next of some machines, and refuses a machine whose period differs
// from that of the first.
func (e *evaluation) heard(name string, period float64, warnings []string, machines int) error {
	for _, w := range warnings {
		if machines > 1 {
			w = name + ": " + w
		}
		e.warnings = append(e.warnings, w)
	}
	if e.first == "" {
		e.first, e.period = name, period
	}
	if period != e.period {
		return ask.Inputf("period", "machine %s has a sample every %s, machine %s every %s: give the period",
			e.first, ask.Time(e.period), name, ask.Time(period))
	}
	return nil
}

// fewWarnings keeps the first warnings alone if there are several machines.
func (e *evaluation) fewWarnings(several bool) {
	if several {
		e.warnings = machines.FirstWarnings(e.warnings, 5)
	}
}

// A cell is one machine, one window and one model.
type cell struct {
	predicted   float64
	expected    float64 // error if the prediction is right, where there is one
	apart       float64 // standard error of predicted, where some test days alone were forecast
	free        int32
	test, train int32 // test 0: no score
}

// newCell adds the expected error, which follows from the others.
func newCell(predicted float64, free, test, train int32) cell {
	c := cell{predicted: predicted, free: free, test: test, train: train}
	if free > 0 {
		c.expected = expectedError(predicted, int(test))
	}
	return c
}

func cellOf(s *smp.Score) cell {
	c := newCell(s.Predicted, int32(s.Free), int32(s.TestDays), int32(s.TrainDays))
	c.apart = s.PredictedError
	return c
}

// mostCells bounds the cells of a machine, some 100 bytes each in all.
const mostCells = 2e6

// checkCells refuses a question with more than mostCells cells for a machine.
func (e *evaluation) checkCells() error {
	n := float64(len(e.kinds)) * float64(len(e.starts)) * float64(len(e.windows)) * float64(len(e.titles))
	if n > mostCells {
		return ask.Inputf("starts", "%d starts, %d windows and %d models are %s scores of a machine, "+
			"want at most %s: take fewer",
			len(e.starts), len(e.windows), len(e.titles), ask.Digits(n), ask.Digits(mostCells))
	}
	return nil
}

// all scores every machine, start and window with one share of training days.
// Stopped by its context, it returns the sums of the machines that are done, if
// any is, with the error.
func (e *evaluation) all(ctx context.Context, train float64, baselines bool, done func()) (*errorTally, error) {
	t := e.newErrorTally(baselines)
	if e.drawnOf > 0 {
		t.part(len(e.hosts))
	}
	// The work goes machine by machine, so that a run that is stopped has some machines whole.
	perHost := len(e.kinds) * len(e.starts)
	work := pieces.Work{Name: "machines, days and starts", Count: len(e.hosts) * perHost}
	one := func(ctx context.Context, i int) ([]cell, error) {
		host, at := i/perHost, i%perHost
		return e.begins(ctx, e.hosts[host], e.loads[host], at/len(e.starts), at%len(e.starts), train, t.models)
	}
	machine := make([]cell, 0, t.size())
	err := fold(ctx, work, cellsForm, one, func(i int, cells []cell) error {
		if len(cells) != len(e.windows)*t.models {
			return errCells
		}
		if machine = append(machine, cells...); len(machine) == t.size() {
			t.add(machine, e.names[i/perHost])
			machine = machine[:0]
		}
		done()
		return nil
	})
	if t.machines == 0 {
		t = nil
	}
	return t, err
}

// begins scores the windows of a machine that begin at one time of day.
func (e *evaluation) begins(ctx context.Context, l *machines.Labelled, loads baseline.Loads, kind, start int,
	train float64, models int) ([]cell, error) {
	cells := make([]cell, len(e.windows)*models)
	for w := range e.windows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.score(ctx, cells[w*models:][:models], l, loads, kind, start, w, train); err != nil {
			return nil, err
		}
	}
	return cells, nil
}

// horizon is [machines.Horizon] with errors that name the field of a list of windows.
func horizon(window, step float64) (int, error) {
	n, err := machines.Horizon(window, step)
	if input, ok := errors.AsType[*ask.InputError](err); ok {
		err = &ask.InputError{Field: windowsField, Reason: input.Reason}
	}
	return n, err
}

// windowsField is the field of lengths of windows.
const windowsField = "windows"

// window returns the days of a window of a machine.
func (e *evaluation) window(l *machines.Labelled, kind, start, window int) ([]smp.Day, smp.Window, error) {
	n, err := horizon(e.windows[window], l.History.Period)
	if err != nil {
		return nil, smp.Window{}, err
	}
	w := smp.Window{Clock: time.Duration(e.starts[start] * float64(time.Second)), Steps: n}
	days, _, err := l.History.Days(l.Calendar, w, kindOfDay(e.kinds[kind]), l.End(), 0)
	return days, w, err
}

// options are those of the question, with the share of days to train on.
func (e *evaluation) options(train float64) *smp.EvaluateOptions {
	return &smp.EvaluateOptions{
		Forecasts: e.forecasts,
		Train:     train,
		Counts:    e.q.Counts,
		Censored:  e.q.Censored,
		Ageless:   !e.q.Ages,
		SameClock: e.q.SameClock,
	}
}

// process scores the semi-Markov process. Without ages it is [smp.Evaluate] without making a kernel.
func (e *evaluation) process(ctx context.Context, days []smp.Day, w smp.Window,
	o *smp.EvaluateOptions) (*smp.Score, error) {
	if !o.Ageless {
		return smp.Evaluate(ctx, smp.FiveStates(), days, w, o)
	}
	space := smp.FiveStates()
	split, err := smp.SplitDays(space, days, o)
	if err != nil {
		return nil, err
	}
	s := &smp.Score{Steps: w.Steps, TrainDays: len(split.Train), TestDays: len(split.Test)}
	switch {
	case len(split.Train) == 0:
		return nil, smp.ErrNoData
	case len(split.Test) == 0:
		return s, nil
	}
	f, _ := e.foresights.Get().(*smp.Foresight)
	defer e.foresights.Put(f)
	f.Learn(split.Train, w.Steps)
	free, err := f.Free(ctx, o.Counts, o.Censored)
	if err != nil {
		return nil, err
	}
	var predicted numeric.Sum
	for _, d := range split.Test {
		predicted.Add(free[d.Parts[0][0].State])
		s.Observe(d, space)
	}
	s.Judge(predicted.Value())
	return s, nil
}

// newForesights holds memory for predictions, which a foresight uses again.
func newForesights() *sync.Pool {
	return &sync.Pool{New: func() any {
		f, _ := smp.NewForesight(smp.FiveStates()) // which are valid
		return f
	}}
}

// score fills the cells of a machine and one window, by model.
func (e *evaluation) score(ctx context.Context, into []cell, l *machines.Labelled, loads baseline.Loads,
	kind, start, window int, train float64) error {
	days, w, err := e.window(l, kind, start, window)
	if err != nil {
		return err
	}
	o := e.options(train)
	s, err := e.process(ctx, days, w, o)
	// Where SMP has no day to learn from or to be judged by, no model is judged.
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
	scores, err := baseline.EvaluateForecasters(ctx, e.models, days, loads, l.Calendar, w, l.Thresholds, o)
	if err != nil {
		return err
	}
	for m, s := range scores {
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
