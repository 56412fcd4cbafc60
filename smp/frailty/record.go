package frailty

import (
	"cmp"
	"math"

	"github.com/capplan/capplan/smp"
)

// A Record is what is known of one machine: by cell of age and hour, how long
// it was at risk and how often it failed. Records of the same machine from
// different times add up.
type Record struct {
	Name  string
	Group string // of machines that share a frailty; empty: of none
	// Exposure counts half steps at risk: two for a step that the machine
	// survived, one for a step in which it failed, since it failed on average
	// in the middle of it.
	Exposure Cells
	Failures Cells
}

// Merge adds what another record knows of the same machine.
func (r *Record) Merge(o *Record) error {
	if o == nil {
		return nil
	}
	if err := r.Exposure.Merge(&o.Exposure); err != nil {
		return err
	}
	return r.Failures.Merge(&o.Failures)
}

// Add counts the steps from ≤ s < to at whose end the state is known. A
// machine is at risk while it is in no failure state. The history may begin
// before from, which the ages then know.
func (r *Record) Add(clock Clock, space smp.Space, h *smp.History, from, to int64) error {
	if err := clock.Check(); err != nil {
		return err
	}
	if h == nil || len(h.Runs) == 0 || to <= from {
		return nil
	}
	first, end := float64(max(from, h.Runs[0].First)), float64(min(to, h.Runs[len(h.Runs)-1].End()))
	if err := clock.span("Record.Add", end-first); err != nil {
		return err
	}
	for i, run := range h.Runs {
		if run.Steps < 1 || run.Steps > math.MaxInt64/2 || run.First > math.MaxInt64/2 ||
			i > 0 && run.First < h.Runs[i-1].End() {
			return &smp.DomainError{
				Func:  "Record.Add",
				Arg:   "History.Runs",
				Value: float64(i),
				Want:  "runs of at least a step, in order of time",
			}
		}
	}
	var exposure, failures tally
	week := hours{clock: clock}
	EachSpell(space, h, func(s Spell) bool {
		// Steps before the last were survived.
		if begin, last := max(s.First, from), min(s.End-1, to); begin < last {
			week.total(begin, s.Age(begin), last-begin, &exposure)
		}
		if fail := s.End - 1; s.Failed && fail >= from && fail < to {
			hour, _ := week.at(fail)
			cell := s.Age(fail).Bin()*Hours + hour
			exposure.half(cell, 1)
			failures.half(cell, 1)
		}
		return s.End < to
	})
	return cmp.Or(r.Exposure.addAll(&exposure), r.Failures.addAll(&failures))
}

// A Spell is a time without failure.
type Spell struct {
	First, End int64 // steps, First ≤ s < End
	Failed     bool  // at step End; otherwise the record is interrupted there
	Seen       bool  // the machine is seen to come free at First; otherwise the record begins there
}

// Age returns the age at a step of the spell.
func (s Spell) Age(step int64) Age { return Age{step - s.First, !s.Seen} }

// EachSpell hands out the times without failure of a record, in order, until f
// returns false.
func EachSpell(space smp.Space, h *smp.History, f func(Spell) bool) {
	if h == nil || f == nil {
		return
	}
	open := false
	var s Spell
	for i, run := range h.Runs {
		known := run.State >= 0 && run.State < len(space.Failure)
		touches := open && run.First == s.End
		if known && touches && !space.Failure[run.State] {
			s.End = run.End()
			continue
		}
		if open {
			open = false
			s.Failed = known && touches
			if !f(s) {
				return
			}
		}
		if known && !space.Failure[run.State] {
			failed := func(p smp.Run) bool {
				return p.State >= 0 && p.State < len(space.Failure) && space.Failure[p.State]
			}
			seen := i > 0 && h.Runs[i-1].End() == run.First && failed(h.Runs[i-1])
			s, open = Spell{First: run.First, End: run.End(), Seen: seen}, true
		}
	}
	if open {
		s.Failed = false
		f(s)
	}
}
