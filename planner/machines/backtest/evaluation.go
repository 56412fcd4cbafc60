package backtest

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp/baseline"
)

// An Evaluation answers an [EvaluateQuestion] for machines whose records come one by
// one: of each it keeps its name and its warnings, with a [NoiseQuestion] its stays too,
// and adds its scores to sums. The answer is that of [Evaluate], whatever the order in
// which the machines come. They may be added from several goroutines.
type Evaluation struct {
	e       *evaluation
	mu      sync.Mutex
	tallies []*errorTally // by share of days to train on
	added   []*evaluated
	draw    *draw   // nil: none, and the tallies have all scores
	bytes   float64 // of the records that wait
}

// An evaluated is a machine that was added, without its scores, which are in the tallies.
type evaluated struct {
	file, machine int // its place
	name          string
	period        float64
	warnings      []string
	labelled      *machines.Labelled // for noise, or until it is judged
	loads         baseline.Loads     // until it is judged
	waits, lost   bool               // to be judged; not drawn
	scores        [][]cell           // by share of days to train on; nil: they are counted
}

// mostWaiting bounds the bytes of records that wait for the end of a draw.
const mostWaiting = 256e6

// NewEvaluation checks the question, whose Hosts and Done are not read.
func NewEvaluation(q *EvaluateQuestion) (*Evaluation, error) {
	if q == nil {
		return nil, ask.NoQuestion()
	}
	e, err := q.plan()
	if err != nil {
		return nil, err
	}
	// How many machines come is not known; Finish checks noise for all of them.
	if _, err := e.noisePlan(1); err != nil {
		return nil, err
	}
	v := &Evaluation{e: e}
	// With the other shares SMP is judged alone.
	for i := range e.shares() {
		v.tallies = append(v.tallies, e.newErrorTally(i == 0))
	}
	if !q.Whole {
		v.draw = &draw{most: mostWork}
	}
	return v, nil
}

// NeedsLoads reports whether the recorders have to keep loads, see
// [machines.Labelling].
func (v *Evaluation) NeedsLoads() bool { return v != nil && v.e != nil && len(v.e.models) > 0 }

// Add counts the machine of a recorder and consumes it. Warnings are put in order by the number of
// the file and that of the machine in it. Errors: *ask.InputError, and that of the context.
func (v *Evaluation) Add(ctx context.Context, file, machine int, r *machines.Recorder) error {
	ctx = given.Context(ctx)
	if v == nil || v.e == nil {
		return ask.NoQuestion()
	}
	l, err := r.Labelled()
	if err != nil {
		return machines.InputError(err)
	}
	m := &evaluated{file: file, machine: machine, name: r.Name(), period: l.History.Period, warnings: l.Warnings}
	loads := r.Loads(l)
	m.labelled, m.loads = l, loads
	now, err := v.enter(m)
	if err != nil || !now {
		return err
	}
	// All that takes time is done without the lock. Meanwhile the draw may let the machine go.
	scores, err := v.judge(ctx, l, loads)
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.judged(m, scores)
	return nil
}

// machine returns the cells of a machine, by kind of day, start, window and model.
func (e *evaluation) machine(ctx context.Context, l *machines.Labelled, loads baseline.Loads, train float64,
	models int) ([]cell, error) {
	out := make([]cell, 0, len(e.kinds)*len(e.starts)*len(e.windows)*models)
	for k := range e.kinds {
		for s := range e.starts {
			cells, err := e.begins(ctx, l, loads, k, s, train, models)
			if err != nil {
				return nil, err
			}
			out = append(out, cells...)
		}
	}
	return out, nil
}

// Finish answers. Where the context has ended, the answer is that of the machines that
// were added, without noise, if any was.
func (v *Evaluation) Finish(ctx context.Context) (*EvaluateAnswer, error) {
	ctx = given.Context(ctx)
	if v == nil || v.e == nil {
		return nil, ask.NoQuestion()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.added) == 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, ask.Missing("trace", "a trace of a machine")
	}
	// The warnings shown depend on the order, so use that of the files.
	slices.SortFunc(v.added, func(a, b *evaluated) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.machine, b.machine))
	})
	// The warnings are added to a copy, so that a second Finish does not have them twice.
	e, all := *v.e, len(v.added)
	names := make(map[string]bool, all)
	for _, m := range v.added {
		if names[m.name] {
			return nil, ask.Inputf("trace", "two machines are named %q", m.name)
		}
		names[m.name] = true
		if err := e.heard(m.name, m.period, m.warnings, all); err != nil {
			return nil, err
		}
	}
	e.fewWarnings(all > 1)
	if err := v.settle(ctx, e.period); err != nil {
		return nil, err
	}
	e.drawnOf, e.forecasts = v.e.drawnOf, v.e.forecasts
	for _, m := range v.added {
		if m.labelled != nil {
			e.hosts = append(e.hosts, m.labelled)
		}
	}
	judged := v.tallies[0].machines
	if judged == 0 {
		return nil, ctx.Err()
	}
	a := e.answer(judged)
	a.interrupted(ctx, ctx.Err(), "covers only the machines that were finished")
	if err := v.tallies[0].fill(a); err != nil {
		return nil, err
	}
	for i, share := range e.q.Ratios {
		a.Ratios = append(a.Ratios, v.tallies[1+i].ratio(share)...)
	}
	noise, err := e.noisePlan(judged)
	if err != nil {
		return nil, err
	}
	if a.Stopped {
		return a, nil
	}
	if err := e.end(ctx, a, noise, func() {}); err != nil {
		return nil, err
	}
	return a, nil
}
