package tally

import (
	"errors"
	"fmt"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/trace"
)

// An UpDown adds up the up and down intervals of a trace as they come: the
// figures of the fleet and of each machine, and the lengths that laws of
// lifetimes are fitted to. Memory: a few numbers a machine, and a number an
// interval of the kept state.
type UpDown struct {
	spells    reliability.UpDown
	names     map[int]string
	figures   bool // no lengths are kept
	keep      bool // the state whose lengths are kept
	durations []float64
	censored  []bool
	cut       int // intervals begun before the watch: counted, not kept
	heard     func(trace.Interval)
}

// NewUpDown returns a tally that keeps the lengths of up intervals, or of
// down ones.
func NewUpDown(up bool) *UpDown { return &UpDown{keep: up} }

// NewFigures returns a tally that keeps no lengths, for the figures alone.
func NewFigures() *UpDown { return &UpDown{figures: true} }

// Hear hands each interval that is counted from now on to a function too.
func (t *UpDown) Hear(f func(trace.Interval)) { t.heard = f }

// Add counts an interval. Those of one machine must come in order of time; an
// interval that runs backward or overlaps is an *ask.InputError that names machine
// and line.
func (t *UpDown) Add(i trace.Interval) error {
	if err := t.spells.Add(reliability.Spell{
		Machine:  i.Node,
		Start:    i.Start,
		End:      i.End,
		Up:       i.Up,
		Censored: i.Censored,
		Cut:      i.Cut,
	}); err != nil {
		var spell *reliability.SpellError
		switch {
		case !errors.As(err, &spell):
			return ask.FromReliability(err)
		case spell.End < spell.Start:
			return ask.Inputf("", "node %q, line %d: the interval runs backward, from %.15g s to %.15g s",
				i.Name, i.Line, i.Start, i.End)
		}
		return ask.Inputf("",
			"node %q, line %d: the interval from %.15g s overlaps the one before it, which ends at %.15g s", i.Name,
			i.Line, i.Start, spell.Before)
	}
	if t.names == nil {
		t.names = map[int]string{}
	}
	t.names[i.Node] = i.Name
	if t.heard != nil {
		t.heard(i)
	}
	if t.figures || i.Up != t.keep {
		return nil
	}
	if i.Cut {
		t.cut++
		return nil
	}
	if len(t.durations) == source.MaxKept {
		return &source.FileError{
			Problem: fmt.Sprintf("more than %d million intervals to keep", source.MaxKept/1_000_000),
			Want:    "a part of the trace, or fewer machines", Err: source.ErrMemory,
		}
	}
	t.durations = append(t.durations, i.End-i.Start)
	t.censored = append(t.censored, i.Censored)
	return nil
}

// Lengths returns the kept lengths, for a fit of laws. They are the tally's own
// and must not be changed.
func (t *UpDown) Lengths() law.Observations {
	return law.Observations{Durations: t.durations, Censored: t.censored}
}

// Cut returns the number of intervals of the kept state that had begun before
// the watch, whose lengths are not kept.
func (t *UpDown) Cut() int { return t.cut }

// Spells are those of one machine or of a fleet.
type Spells struct {
	UpSpells     int      `json:"up_intervals"`
	DownSpells   int      `json:"down_intervals"`
	Failures     int      `json:"failures"` // ends of up intervals that were seen
	Repairs      int      `json:"repairs"`
	MeanUp       *float64 `json:"mean_up_s"` // of all intervals as they stand, cut off ones included
	MeanDown     *float64 `json:"mean_down_s"`
	MTTF         *float64 `json:"mttf_s"` // time up over failures seen: unbiased where intervals are cut off
	MTTR         *float64 `json:"mttr_s"`
	Availability *float64 `json:"availability"` // share of the time watched
	UpTime       float64  `json:"up_time_s"`
	DownTime     float64  `json:"down_time_s"`
}

// Fleet are what a trace says of its machines together.
type Fleet struct {
	Machines  int `json:"machines"`
	Intervals int `json:"intervals"`
	Spells
	// Of a trace of samples, where up is S1 or S2: the share of time in each
	// state, and the thresholds in effect.
	States     []StateShare `json:"states,omitempty"`
	Thresholds *Thresholds  `json:"thresholds,omitempty"`
	Warnings   []string     `json:"warnings,omitempty"`
}

// A Machine is what a trace says of one machine.
type Machine struct {
	Machine string `json:"machine"`
	Spells
}

// Fleet returns the figures of all machines together.
func (t *UpDown) Fleet() *Fleet {
	r := t.spells.Fleet()
	f := &Fleet{Machines: r.Machine, Intervals: r.Up.Spells + r.Down.Spells, Spells: NewSpells(r)}
	if f.MTTF == nil {
		f.Warnings = append(f.Warnings, "no mean time to failure: no failure was seen")
	}
	if f.MTTR == nil {
		f.Warnings = append(f.Warnings, "no mean time to repair: no repair was seen")
	}
	return f
}

// PerMachine returns the figures of each machine, in order of first appearance.
func (t *UpDown) PerMachine() []Machine {
	var out []Machine
	for _, r := range t.spells.Machines() {
		out = append(out, Machine{t.names[r.Machine], NewSpells(r)})
	}
	return out
}

// NewSpells returns the figures of a record.
func NewSpells(r reliability.MachineRecord) Spells {
	f := Spells{UpSpells: r.Up.Spells, DownSpells: r.Down.Spells, Failures: r.Up.Ended, Repairs: r.Down.Ended,
		UpTime: r.Up.Time, DownTime: r.Down.Time}
	if r.Up.Spells > 0 {
		f.MeanUp = ask.Figure(r.Up.Mean)
	}
	if r.Down.Spells > 0 {
		f.MeanDown = ask.Figure(r.Down.Mean)
	}
	if r.Up.Ended > 0 {
		f.MTTF = ask.Figure(r.MTTF())
	}
	if r.Down.Ended > 0 {
		f.MTTR = ask.Figure(r.MTTR())
	}
	if r.Up.Time+r.Down.Time > 0 {
		f.Availability = ask.Figure(r.Availability)
	}
	return f
}

// Thresholds are those in effect.
type Thresholds struct {
	Light      float64 `json:"light"`
	Heavy      float64 `json:"heavy"`
	Grace      float64 `json:"grace_s"`
	WorkingSet float64 `json:"working_set_bytes"`
	Gap        float64 `json:"gap_s"`
}

// A StateShare says how much of the record is in a state.
type StateShare struct {
	State string  `json:"state"`
	Stays int     `json:"stays"`
	Time  float64 `json:"time_s"`
	Share float64 `json:"share"`
	Mean  float64 `json:"mean_stay_s"` // 0 without a stay
}
