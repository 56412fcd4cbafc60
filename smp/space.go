package smp

import (
	"fmt"
	"slices"
)

// A Space is a finite set of states. States are numbered from 0 in the order
// of Names; a state is either up or a failure state.
type Space struct {
	Names   []string // distinct, not empty
	Failure []bool   // Failure[i]: state i is a failure state; same length
}

// Validate returns a *DomainError or a *KernelError when the space is empty,
// its slices differ in length or a name is missing or given twice.
func (s Space) Validate() error {
	if len(s.Names) == 0 || len(s.Names) != len(s.Failure) {
		return &DomainError{"Space.Validate", "len(Failure)",
			float64(len(s.Failure)), fmt.Sprintf("one per state, of %d >= 1 states", len(s.Names))}
	}
	seen := make(map[string]bool, len(s.Names))
	for i, n := range s.Names {
		if n == "" || seen[n] {
			return &KernelError{From: fmt.Sprintf("%d (%q)", i, n),
				Reason: "state names must be distinct and not empty"}
		}
		seen[n] = true
	}
	return nil
}

// Index returns the number of the named state, or −1.
func (s Space) Index(name string) int {
	return slices.Index(s.Names, name)
}

// Up returns the numbers of the up states, Down those of the failure states.
func (s Space) Up() []int { return s.where(false) }

// Down returns the numbers of the failure states.
func (s Space) Down() []int { return s.where(true) }

func (s Space) where(failure bool) []int {
	var out []int
	for i, f := range s.Failure {
		if f == failure {
			out = append(out, i)
		}
	}
	return out
}

func (s Space) clone() Space {
	return Space{append([]string(nil), s.Names...), append([]bool(nil), s.Failure...)}
}

func (s Space) check(fn, arg string, state int) error {
	if state < 0 || state >= min(len(s.Names), len(s.Failure)) {
		return &DomainError{fn, arg, float64(state), fmt.Sprintf("a state 0..%d", len(s.Names)-1)}
	}
	return nil
}

// The five states of the iShare model, as numbered in [FiveStates].
const (
	S1 = iota // light load: the guest runs at default priority
	S2        // heavy load: the guest runs at lowest priority
	S3        // load above the second threshold for longer than the grace time
	S4        // too little free memory for the guest's working set
	S5        // the host is gone
)

// FiveStates is the space of the iShare model (section 4): S1 and S2 up, S3,
// S4 and S5 failure states.
func FiveStates() Space {
	return Space{
		Names:   []string{"S1", "S2", "S3", "S4", "S5"},
		Failure: []bool{false, false, true, true, true},
	}
}
