package smp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
)

// KnownWindows appends to a slice which of the windows of n steps that begin at the given steps, in order, show
// something of the record: their places among the given ones, in order, the last ones if there are more than
// most, or all of them where that is 0. It is where [History.Cut] returns something.
func (h *History) KnownWindows(to []int, firsts []int64, n, most int) []int {
	if h == nil || len(firsts) == 0 {
		return to
	}
	old := len(to)
	m := h.runsAfter(firsts[len(firsts)-1])
	for i := len(firsts) - 1; i >= 0 && (most <= 0 || len(to)-old < most); i-- {
		for m > 0 && h.Runs[m-1].End() > firsts[i] {
			m--
		}
		if m < len(h.Runs) && h.Runs[m].First <= firsts[i]+int64(n) {
			to = append(to, i)
		}
	}
	slices.Reverse(to[old:])
	return to
}

// runsAfter returns the first run that ends behind a step.
func (h *History) runsAfter(step int64) int {
	return sort.Search(len(h.Runs), func(m int) bool { return h.Runs[m].End() > step })
}

// LearnWindows takes the windows of n steps that begin at the given steps of a history, in order, in place of
// days. It is Learn of what [History.Cut] returns of each, which it does not make.
func (f *Foresight) LearnWindows(h *History, firsts []int64, n int) {
	if f == nil {
		return
	}
	f.days, f.history, f.firsts = nil, h, firsts
	f.begin(n)
	if h == nil || len(firsts) == 0 {
		f.firsts, f.plain = nil, false
		return
	}
	m := h.runsAfter(firsts[0])
	for _, first := range firsts {
		for m < len(h.Runs) && h.Runs[m].End() <= first {
			m++
		}
		if !f.plain {
			return
		}
		f.plain = f.countRuns(h.Runs[m:], first)
	}
}

// countRuns counts the stays of a window that begins at the step first, within the first of the runs or before
// it; false where they are none of the states.
func (f *Foresight) countRuns(runs []Run, first int64) bool {
	states, after := len(f.space.Names), 0
	until := first + int64(f.n) + 1
	for m, r := range runs {
		if r.First >= until {
			break
		}
		if m > 0 && runs[m-1].End() != r.First {
			after = 0 // what is not known parts the window
		}
		steps, next := min(r.End(), until)-max(r.First, first), Cut
		if m+1 < len(runs) && r.End() < until && runs[m+1].First == r.End() {
			next = runs[m+1].State
		}
		if r.State < 0 || r.State >= states || next >= states || next < Cut || steps < 1 || steps > int64(f.n)+1 {
			return false
		}
		if i := f.number[r.State]; i < 0 {
			after = 1
		} else {
			f.counts[i].add(after, int(steps), next, states)
		}
	}
	return true
}

// sequences are what was learned.
func (f *Foresight) sequences() (out []Sequence) {
	for _, first := range f.firsts {
		parts, _ := f.history.Cut(first, f.n)
		out = append(out, parts...)
	}
	return append(out, Sequences(f.days)...)
}

// Curve returns the chance to stay free for 0..n steps from an up state just entered, and the mean number of
// steps to a failure, +Inf where none is certain; see [Kernel.MTTF]. Estimators and errors are those of Free;
// a state that was never seen wraps [ErrNoData].
func (f *Foresight) Curve(ctx context.Context, state int, counts, censored bool) ([]float64, float64, error) {
	ctx = given.Context(ctx)
	const fn = "Foresight.Curve"
	if f == nil || state < 0 || state >= len(f.number) || f.number[state] < 0 {
		return nil, 0, &DomainError{fn, "state", float64(state), "an up state of what NewForesight returned"}
	}
	by := chosen(counts, censored)
	plain, err := f.solve(ctx, by)
	if err != nil {
		return nil, 0, err
	}
	never := fault.New("smp", fn, f.space.Names[state]+" was never seen", ErrNoData)
	k, x := &Kernel{space: f.space, rows: make([][]arc, len(f.number)), tail: make([]float64, len(f.number))},
		[]float64(nil)
	if plain {
		a := f.number[state]
		if f.counts[a].seen == 0 {
			return nil, 0, never
		}
		x = make([]float64, f.n+1)
		for step, p := range f.x[a] {
			x[step] = unround(p)
		}
		if f.tails[a] > 0 {
			return x, math.Inf(1), nil
		}
		// A way to failure goes through up states only, so that the rows of others play no part.
		for a, i := range f.up {
			k.rows[i], k.tail[i] = f.rows[a], f.tails[a]
		}
	} else {
		fit, rel, err := f.general(ctx, by)
		if err != nil {
			return nil, 0, err
		}
		if fit.States[state].Visits == 0 {
			return nil, 0, never
		}
		c, err := rel.From(ctx, Start{State: state})
		if err != nil {
			return nil, 0, fmt.Errorf("from %s: %w", f.space.Names[state], err)
		}
		k, x = fit.Kernel, c.Reliability
	}
	mean, err := k.MTTF(Start{State: state})
	if errors.Is(err, ErrInfinite) {
		mean, err = math.Inf(1), nil
	}
	return x, mean, err
}
