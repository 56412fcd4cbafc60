package machines

import (
	"context"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// A lesson says how a window is learned from.
type lesson struct {
	state            string   // at the window's beginning; empty: the up state in which most days begin
	elapsed          *float64 // the time spent in it by then; nil: not known
	aged             bool     // stays keep their ages; without it each window begins with a state just entered
	counts, censored bool     // the estimator, see [EstimateDays]
}

// A fittedWindow is what a record says about a window: the days, the start and the kernel
// from which predictions, rankings and kernel files go on.
type fittedWindow struct {
	space    smp.Space
	step     float64 // s
	steps    int     // of the window
	days     []smp.Day
	begins   map[string]int // days by the state in which the window begins
	start    smp.Start
	fit      *smp.Fit
	warnings []string
}

// learn takes the window out of a labelled record. Errors: *ask.InputError.
func (d *DayWindow) learn(l *Labelled, by *lesson) (*fittedWindow, error) {
	days, n, warnings, err := d.Seen(l)
	if err != nil {
		return nil, err
	}
	if !by.aged { // nobody knows then for how long the state has lasted
		days = Ageless(days)
	}
	w := &fittedWindow{
		space:    smp.FiveStates(),
		step:     l.History.Period,
		steps:    n,
		days:     days,
		begins:   map[string]int{},
		warnings: append(l.Warnings, warnings...),
	}
	for _, d := range days {
		w.begins[w.space.Names[d.Parts[0][0].State]]++
	}
	if w.start, err = w.initial(by); err != nil {
		return nil, err
	}
	if w.fit, err = EstimateDays(w.space, days, by.counts, by.censored); err != nil {
		return nil, err
	}
	// Stays in failure states do not matter here, and neither do warnings of them.
	w.warnings = warned(w.warnings, slices.DeleteFunc(slices.Clone(w.fit.Warnings),
		func(about smp.Warning) bool { return about.State >= 0 && w.space.Failure[about.State] }))
	return w, nil
}

// figures solves the kernel over the window.
func (w *fittedWindow) figures(ctx context.Context) (*Figures, *smp.Reliability, error) {
	return figures(ctx, w.fit.Kernel, w.start, w.steps, w.step, nil)
}

// initial returns the start of the window. It is the state that was asked for,
// else the one of S1 and S2 in which more days begin.
func (w *fittedWindow) initial(by *lesson) (smp.Start, error) {
	state := smp.S1
	switch {
	case by.state != "":
		if state = w.space.Index(by.state); state < 0 {
			return smp.Start{}, ask.Inputf("state", "no state %q, want S1 or S2", by.state)
		}
		if w.space.Failure[state] {
			return smp.Start{}, &ask.InputError{Field: "state", Reason: by.state + " is a failure state, want S1 or S2"}
		}
	case w.begins["S2"] > w.begins["S1"]:
		state = smp.S2
	case w.begins["S1"] == 0:
		w.warnings = append(w.warnings, "the window begins in a failure state on every day; a start in S1 is assumed")
	}
	start := smp.Start{State: state}
	if by.elapsed == nil {
		return start, nil
	}
	if !(*by.elapsed >= 0) {
		return start, ask.Inputf("elapsed", "is negative, want a time such as 10min")
	}
	var err error
	start.Elapsed, err = steps("elapsed", *by.elapsed, w.step)
	return start, err
}

// EstimateDays estimates the kernel of a window's days: by counts, as the iShare
// paper; censored, where stays that the window's end cuts off count as such; or, by
// neither, where moreover the stays after a failure weigh as one. Errors:
// *ask.InputError.
func EstimateDays(space smp.Space, days []smp.Day, counts, censored bool) (*smp.Fit, error) {
	estimate := smp.EstimateToFailure
	switch {
	case counts:
		estimate = smp.EstimateCounts
	case censored:
		estimate = smp.EstimateCensored
	}
	f, err := estimate(space, smp.Sequences(days))
	if err != nil {
		return nil, InputError(err)
	}
	return f, nil
}
