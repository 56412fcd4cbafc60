package reliability

import (
	"fmt"
	"math"
	"slices"
)

// A Spell is a time that a machine spent in one state.
type Spell struct {
	Machine    int // any number that names the machine
	Start, End float64
	Up         bool
	// Censored says that the spell was still going on at End: the machine did
	// not change state then, the watch ended.
	Censored bool
	// Cut says that the spell had begun before Start, when the watch began.
	Cut bool
}

// A SpellError reports a spell that runs backward or overlaps the one before
// it on the same machine.
type SpellError struct {
	Spell
	Before float64 // end of the spell before; -Inf if there was none
}

func (e *SpellError) Error() string {
	if e.End < e.Start {
		return fmt.Sprintf("reliability: UpDown.Add: machine %d: spell runs backward, from %.10g to %.10g",
			e.Machine, e.Start, e.End)
	}
	return fmt.Sprintf("reliability: UpDown.Add: machine %d: spell from %.10g overlaps the one that ended at %.10g",
		e.Machine, e.Start, e.Before)
}

// StateTotals add up the spells in one state.
type StateTotals struct {
	Spells   int     // all spells
	Complete int     // seen from beginning to end
	Ended    int     // end seen: not Censored
	Time     float64 // of all spells
	// Mean of all spells as they stand, censored and cut ones included; the
	// figure that trace archives print. Short if many are cut off.
	Mean float64
	// MeanComplete is the mean of the complete spells, biased towards short
	// ones; 0 if there is none.
	MeanComplete float64
	// MeanLife is Time/Ended, the maximum-likelihood mean for exponential
	// spells, which uses censored and cut ones without bias; 0 if none ended.
	MeanLife float64
	// StdDev of all spells about Mean; 0 for fewer than two.
	StdDev float64
}

// A MachineRecord holds the figures of one machine, or of a fleet.
type MachineRecord struct {
	Machine      int // number of the machine; of the fleet, how many there are
	Up, Down     StateTotals
	Availability float64 // Up.Time / (Up.Time + Down.Time), 0..1; 0 if no time was watched
}

// MTTF returns Up.MeanLife, time up over failures seen.
func (r MachineRecord) MTTF() float64 { return r.Up.MeanLife }

// MTTR returns Down.MeanLife, time down over repairs seen.
func (r MachineRecord) MTTR() float64 { return r.Down.MeanLife }

// tally is the constant memory of one state.
type tally struct {
	spells, complete, ended int
	time, completeTime      float64
	mean, squares           float64 // Welford
}

func (t *tally) add(length float64, s Spell) {
	t.spells++
	t.time += length
	if !s.Censored {
		t.ended++
		if !s.Cut {
			t.complete++
			t.completeTime += length
		}
	}
	d := length - t.mean
	t.mean += d / float64(t.spells)
	t.squares += d * (length - t.mean)
}

// merge adds the other tally (Chan, Golub & LeVeque 1979).
func (t *tally) merge(o tally) {
	if o.spells == 0 {
		return
	}
	n, m := float64(t.spells), float64(o.spells)
	d := o.mean - t.mean
	t.mean += d * (m / (n + m))
	t.squares += o.squares + d*d*(n*(m/(n+m)))
	t.spells += o.spells
	t.complete += o.complete
	t.ended += o.ended
	t.time += o.time
	t.completeTime += o.completeTime
}

func (t tally) totals() StateTotals {
	s := StateTotals{Spells: t.spells, Complete: t.complete, Ended: t.ended, Time: t.time}
	if t.spells > 0 {
		s.Mean = t.time / float64(t.spells)
	}
	if t.spells > 1 {
		s.StdDev = math.Sqrt(t.squares / float64(t.spells-1))
	}
	if t.complete > 0 {
		s.MeanComplete = t.completeTime / float64(t.complete)
	}
	if t.ended > 0 {
		s.MeanLife = t.time / float64(t.ended)
	}
	return s
}

type machineTally struct {
	up, down tally
	end      float64
}

func (m machineTally) record(id int) MachineRecord {
	r := MachineRecord{Machine: id, Up: m.up.totals(), Down: m.down.totals()}
	if total := m.up.time + m.down.time; total > 0 {
		r.Availability = m.up.time / total
	}
	return r
}

// UpDown adds up the up and down spells of a fleet as they come, in constant
// memory per machine. The zero value is ready for use.
//
// Each spell fed is one spell; a gap between two of a machine is time that was
// not watched and counts for nothing. The first and last spell of a trace are
// usually cut off by the watch; the caller says so by Cut and Censored, and
// [StateTotals] says what each of its means does with them. For a cut spell
// the part after Start is counted, which is unbiased for exponential spells
// and for availability whatever the law.
type UpDown struct {
	machines map[int]*machineTally
}

// Add counts a spell. The spells of one machine must come in order of time;
// one that runs backward or begins before the end of the last returns a
// *SpellError and is not counted, a time that is not finite a *DomainError.
func (u *UpDown) Add(s Spell) error {
	for _, v := range []struct {
		name string
		time float64
	}{{"Start", s.Start}, {"End", s.End}, {"End - Start", s.End - s.Start}} {
		if math.IsNaN(v.time) || math.IsInf(v.time, 0) {
			return &DomainError{"UpDown.Add", v.name, v.time, "a finite time"}
		}
	}
	m := u.machines[s.Machine]
	before := math.Inf(-1)
	if m != nil {
		before = m.end
	}
	if s.End < s.Start || s.Start < before {
		return &SpellError{s, before}
	}
	if m == nil {
		if u.machines == nil {
			u.machines = make(map[int]*machineTally)
		}
		m = &machineTally{}
		u.machines[s.Machine] = m
	}
	m.end = s.End
	if s.Up {
		m.up.add(s.End-s.Start, s)
	} else {
		m.down.add(s.End-s.Start, s)
	}
	return nil
}

// Machines returns the record of each machine, by growing number.
func (u *UpDown) Machines() []MachineRecord {
	ids := u.ids()
	out := make([]MachineRecord, len(ids))
	for i, id := range ids {
		out[i] = u.machines[id].record(id)
	}
	return out
}

// Fleet returns the figures of all machines together: every spell counts
// alike, and the availability is that of machine time.
func (u *UpDown) Fleet() MachineRecord {
	var all machineTally
	ids := u.ids()
	for _, id := range ids {
		all.up.merge(u.machines[id].up)
		all.down.merge(u.machines[id].down)
	}
	return all.record(len(ids))
}

func (u *UpDown) ids() []int {
	ids := make([]int, 0, len(u.machines))
	for id := range u.machines {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
