package smp

// A Spell is a time without failure between two failures, or one stay in
// one failure state.
type Spell struct {
	State int   // the failure state; Up for a time without failure
	First int64 // step at which it begins
	Steps int64
	// Cut marks an interval that the record begins or ends in: it was longer
	// than is seen.
	Cut bool
}

// Up is the State of an interval without failure.
const Up = -1

// End returns the first step after the interval.
func (v Spell) End() int64 { return v.First + v.Steps }

// Spells divides a record into times without failure, which end at the first
// failure whatever the states before it, and stays in each failure state. Runs
// that do not touch are parted by unknown time, which cuts the intervals beside
// it, as does a run in no state of the space. Runs are in order of time.
func Spells(space Space, runs []Run) []Spell {
	var out []Spell
	known := func(r Run) bool { return r.State >= 0 && r.State < len(space.Failure) }
	for i, r := range runs {
		if !known(r) {
			continue
		}
		state := Up
		if space.Failure[r.State] {
			state = r.State
		}
		touches := i > 0 && known(runs[i-1]) && runs[i-1].End() == r.First
		if last := len(out) - 1; touches && out[last].State == state {
			out[last].Steps += r.Steps
			continue
		}
		if len(out) > 0 && !touches {
			out[len(out)-1].Cut = true
		}
		out = append(out, Spell{State: state, First: r.First, Steps: r.Steps, Cut: !touches})
	}
	if len(out) > 0 {
		out[len(out)-1].Cut = true
	}
	return out
}
