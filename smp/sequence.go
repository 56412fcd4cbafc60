package smp

import "fmt"

// A Sojourn is one stay in a state as seen through a window.
type Sojourn struct {
	State   int
	Steps   int // steps seen inside the window, ≥ 1
	Elapsed int // steps spent in the state before the window, ≥ 0
	Next    int // the state entered next, or Cut
	// Undated marks a first sojourn whose entry is not known: the record
	// itself begins in it. Its age says nothing and it is only counted.
	Undated bool
}

// Cut is the Next of a sojourn that the end of the window (or of the record)
// interrupts. Seen for c steps in all, it is known to last at least c: that it
// ends at c is not excluded, because the next sample is not there.
const Cut = -1

// A Sequence is what one window shows: sojourns one after the other. All but
// the last have a Next, which is the state of the one that follows.
type Sequence []Sojourn

// SequenceOf gathers equal neighbours of a sampled path into sojourns. The
// first is taken as entered at its first sample, the last is cut.
func SequenceOf(path []int) Sequence {
	var s Sequence
	for _, state := range path {
		if m := len(s); m > 0 && s[m-1].State == state {
			s[m-1].Steps++
			continue
		}
		if m := len(s); m > 0 {
			s[m-1].Next = state
		}
		s = append(s, Sojourn{State: state, Steps: 1, Next: Cut})
	}
	return s
}

// check returns an error for a sequence that cannot be one.
func (s Sequence) check(fn string, space Space) error {
	for m, v := range s {
		if err := space.check(fn, "Sojourn.State", v.State); err != nil {
			return err
		}
		switch {
		case v.Steps < 1:
			return &DomainError{fn, "Sojourn.Steps", float64(v.Steps), "steps >= 1"}
		case v.Elapsed < 0 || v.Elapsed > maxSteps || v.Steps > maxSteps:
			return &DomainError{fn, "Sojourn.Elapsed", float64(v.Elapsed), fmt.Sprintf("0..%d", maxSteps)}
		case v.Next == Cut:
		case v.Next < 0 || v.Next >= len(space.Names):
			return &DomainError{fn, "Sojourn.Next", float64(v.Next), "Cut or a state"}
		case m+1 < len(s) && s[m+1].State != v.Next:
			return &DomainError{fn, "Sojourn.Next",
				float64(v.Next), fmt.Sprintf("the state that follows, %d", s[m+1].State)}
		}
	}
	return nil
}

// Failed returns the step within the window, counted from its first sample,
// at which the sequence first shows a failure state, and whether it does.
func (s Sequence) Failed(space Space) (step int, failed bool) {
	for _, v := range s {
		if v.State >= 0 && v.State < len(space.Failure) && space.Failure[v.State] {
			return step, true
		}
		step += v.Steps
	}
	return 0, false
}

// Start returns the state and age in which the window begins; ok is false for
// an empty sequence. The age of an undated sojourn is what is seen of it.
func (s Sequence) Start() (start Start, ok bool) {
	if len(s) == 0 {
		return Start{}, false
	}
	return Start{State: s[0].State, Elapsed: s[0].Elapsed}, true
}

// Samples returns the number of samples in the sequence.
func (s Sequence) Samples() int {
	n := 0
	for _, v := range s {
		n += v.Steps
	}
	return n
}

// Ageless returns copies of the sequences in which every window begins with a
// state just entered, as the iShare paper reads them. A kernel estimated from
// them belongs to a start with no elapsed sojourn at the window's clock time;
// one estimated with ages belongs to the age that the host has.
func Ageless(windows []Sequence) []Sequence {
	out := make([]Sequence, len(windows))
	for w, s := range windows {
		out[w] = append(Sequence(nil), s...)
		if len(s) > 0 {
			out[w][0].Elapsed, out[w][0].Undated = 0, false
		}
	}
	return out
}
