package machines

import (
	"errors"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/trace"
)

// A StateTally adds up machines whose records are samples of load: the share of
// time in each of the five states, and from it when they were there for a guest
// (S1 and S2) and when not. Memory: a few numbers a machine. A machine's stays of
// S1 and S2 that touch are one time up.
type StateTally struct {
	l          Labelling
	spells     reliability.UpDown
	machines   int
	time       []float64 // s, by state
	stays      []int
	thresholds *smp.Thresholds
	mixed      bool  // machines differ in their thresholds, by their periods
	left       int   // machines whose record cannot be used
	first      error // why the first of them
	into       *tally.UpDown
}

// NewStateTally returns a tally of machines labelled with these thresholds.
func NewStateTally(l Labelling) *StateTally {
	n := len(smp.FiveStates().Names)
	return &StateTally{l: l, time: make([]float64, n), stays: make([]int, n)}
}

// NewSampledTally returns a tally of samples that hands the times up and down on
// to another, from which lifetimes are taken.
func NewSampledTally(l Labelling, into *tally.UpDown) *StateTally {
	t := NewStateTally(l)
	t.into = into
	return t
}

// spell counts a time up or down of a machine.
func (t *StateTally) spell(name string, s reliability.Spell) error {
	if err := t.spells.Add(s); err != nil {
		return ask.FromReliability(err)
	}
	if t.into == nil {
		return nil
	}
	return t.into.Add(trace.Interval{
		Node:     s.Machine,
		Name:     name,
		Start:    s.Start,
		End:      s.End,
		Up:       s.Up,
		Cut:      s.Cut,
		Censored: s.Censored,
	})
}

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
	var s reliability.Spell
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
			if err := t.spell(r.name, s); err != nil {
				return err
			}
		}
		s = reliability.Spell{Machine: t.machines, Start: start, End: start + length, Up: up, Cut: gap}
	}
	// What is known of the last time ends with the record.
	s.Censored = true
	if err := t.spell(r.name, s); err != nil {
		return err
	}
	t.machines++
	return nil
}

// Fleet returns the figures of all machines together: up is S1 or S2. Errors:
// *ask.InputError where no machine could be used, with the reason of the first.
func (t *StateTally) Fleet() (*tally.Fleet, error) {
	if t.machines == 0 {
		if t.first != nil {
			return nil, t.first
		}
		return nil, ask.Inputf("trace", "no machine in it")
	}
	r := t.spells.Fleet()
	f := &tally.Fleet{Machines: t.machines, Intervals: r.Up.Spells + r.Down.Spells, Spells: tally.NewSpells(r)}
	f.Thresholds = new(shownThresholds(t.thresholds))
	f.States = stateShares(t.stays, t.time, r.Up.Time+r.Down.Time)
	if t.left > 0 {
		ask.Warn(&f.Warnings, "%d of %d machines are left out, the first because: %v", t.left, t.left+t.machines,
			t.first)
	}
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
