package machines

import (
	"errors"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/trace"
)

// A StateTally adds up machines whose records are samples of load: the share of
// time in each of the five states, and from it when they were there for a guest
// (S1 and S2) and when not. Memory: a few numbers a machine. A machine's stays of
// S1 and S2 that touch are one time up. Machines whose records are times up and
// down count as they are, see [StateTally.AddInterval].
type StateTally struct {
	l          Labelling
	into       *tally.UpDown
	machines   int
	sampled    int       // of these, those with samples
	time       []float64 // s, by state
	stays      []int
	thresholds *smp.Thresholds
	mixed      bool  // machines differ in their thresholds, by their periods
	left       int   // machines whose record cannot be used
	first      error // why the first of them
}

// NewStateTally returns a tally of machines labelled with these thresholds.
func NewStateTally(l Labelling) *StateTally { return NewSampledTally(l, tally.NewFigures()) }

// NewSampledTally returns a tally of samples that hands the times up and down on
// to another, from which lifetimes are taken.
func NewSampledTally(l Labelling, into *tally.UpDown) *StateTally {
	n := len(smp.FiveStates().Names)
	return &StateTally{l: l, into: into, time: make([]float64, n), stays: make([]int, n)}
}

// spells is where times up and down go, for a tally that was given nothing for them too.
func (t *StateTally) spells() *tally.UpDown {
	if t.into == nil {
		t.into = tally.NewFigures()
	}
	return t.into
}

// NewMachine returns the number of a machine whose record is times up and down.
func (t *StateTally) NewMachine() int {
	t.machines++
	return t.machines - 1
}

// AddInterval counts a time up or down of a machine of [StateTally.NewMachine]. It is not labelled: on
// the grid of a labelled record times shorter than a step would be lost. Errors: those of
// [tally.UpDown.Add].
func (t *StateTally) AddInterval(i trace.Interval) error { return t.spells().Add(i) }

// Sampled is the number of machines whose records are samples.
func (t *StateTally) Sampled() int { return t.sampled }

// NewRecorder starts the record of a machine for the tally.
func (t *StateTally) NewRecorder(name string) *Recorder { return t.l.NewRecorder(name) }

// Add counts a machine, whose recorder is used up. A record that holds nothing
// to go by is left out, and said to be by the figures' warnings.
func (t *StateTally) Add(r *Recorder) error {
	l, err := r.Labelled()
	var input *ask.InputError
	if err == nil && len(l.History.Runs) == 0 {
		err = &ask.InputError{Field: "trace", Reason: "machine " + r.name + ": no usable sample"}
	}
	if errors.As(err, &input) {
		if t.left++; t.first == nil {
			t.first = err
		}
		return nil
	}
	if err != nil {
		return err
	}
	// The thresholds shown are those of the first machine; others may have other
	// periods, and so other gaps.
	switch {
	case t.thresholds == nil:
		t.thresholds = &l.Thresholds
	case *t.thresholds != l.Thresholds:
		t.mixed = true
	}
	period, failure := l.History.Period, smp.FiveStates().Failure
	var s trace.Interval
	for i, run := range l.History.Runs {
		length := float64(run.Steps) * period
		t.time[run.State] += length
		t.stays[run.State]++
		start, up := float64(run.First)*period, !failure[run.State]
		// A gap before a run cuts the time that ends there and the one that
		// begins.
		gap := i == 0 || run.First > l.History.Runs[i-1].End()
		if i > 0 && !gap && up == s.Up {
			s.End = start + length
			continue
		}
		if i > 0 {
			s.Censored = gap
			if err := t.spells().Add(s); err != nil {
				return err
			}
		}
		s = trace.Interval{Node: t.machines, Name: r.name, Start: start, End: start + length, Up: up, Cut: gap}
	}
	// What is known of the last time ends with the record.
	s.Censored = true
	if err := t.spells().Add(s); err != nil {
		return err
	}
	t.machines++
	t.sampled++
	return nil
}

// Fleet returns the figures of all machines together: up is S1 or S2. States and thresholds are of the
// machines with samples. Errors: *ask.InputError where no machine could be used, with the reason of the
// first.
func (t *StateTally) Fleet() (*tally.Fleet, error) {
	if t.machines == 0 {
		if t.first != nil {
			return nil, t.first
		}
		return nil, ask.Inputf("trace", "no machine in it")
	}
	f := t.spells().Fleet()
	if t.sampled == 0 {
		t.warnOfLeft(f)
		return f, nil
	}
	// What tally says of no failure, it says of machines that are up or down.
	f.Warnings = nil
	t.warnOfLeft(f)
	f.Thresholds = new(shownThresholds(t.thresholds))
	total := 0.0
	for _, v := range t.time {
		total += v
	}
	f.States = stateShares(t.stays, t.time, total)
	if t.mixed {
		f.Warnings = append(f.Warnings,
			"machines are sampled at different periods, so that their gaps and grace times differ; the thresholds "+
				"shown are those of the first machine")
	}
	if f.MTTF == nil {
		f.Warnings = append(f.Warnings, "no mean time to failure: no machine was seen to leave S1 and S2")
	}
	if f.MTTR == nil {
		f.Warnings = append(f.Warnings, "no mean time to repair: no machine was seen to come back to S1 or S2")
	}
	return f, nil
}

// warnOfLeft warns of machines whose record cannot be used.
func (t *StateTally) warnOfLeft(f *tally.Fleet) {
	if t.left > 0 {
		ask.Warn(&f.Warnings, "%d of %d machines are left out, the first because: %v", t.left, t.left+t.machines,
			t.first)
	}
}

// shownThresholds are those of the model, whose memory is in megabytes, as answers have them.
func shownThresholds(p *smp.Thresholds) tally.Thresholds {
	return tally.Thresholds{Light: p.Light, Heavy: p.Heavy, Grace: p.Grace, WorkingSet: p.WorkingSet * megabyte, Gap: p.Gap}
}

// stateShares says how much of a time was spent in each of the five states.
func stateShares(stays []int, spent []float64, total float64) []tally.StateShare {
	var out []tally.StateShare
	for i, name := range smp.FiveStates().Names {
		s := tally.StateShare{State: name, Stays: stays[i], Time: spent[i], Share: spent[i] / total}
		if s.Stays > 0 {
			s.Mean = s.Time / float64(s.Stays)
		}
		out = append(out, s)
	}
	return out
}
