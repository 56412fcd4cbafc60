package smp

import (
	"fmt"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/numeric"
	"math"
	"sort"
)

// An Atom is one entry q_ij(l) of a semi-Markov kernel: the probability that
// the process, having entered From, makes its next transition after exactly
// Steps steps and goes to To.
type Atom struct {
	From, To int
	Steps    int     // l ≥ 1
	Prob     float64 // 0 < q ≤ 1; atoms of probability 0 are dropped
}

// A Kernel is a discrete-time semi-Markov kernel
//
//	q_ij(l) = P(next state j after l steps | entered i),   l = 1, 2, …
//
// on a [Space]. A row may sum to less than 1: the rest, the tail, is the
// chance that the sojourn is longer than every listed atom, and is kept as it
// is — a row is never renormalised. A row without atoms is a state that is
// never left. Failure states may have rows (repair) or none. Transitions from
// a state to itself are allowed; they restart the sojourn.
//
// A Kernel does not change after it is made and may be used by many
// goroutines.
type Kernel struct {
	space Space
	rows  [][]arc  // by state, ordered by lag, then target
	risks [][]risk // of an estimated kernel: what is known age by age
	tail  []float64
	atoms int
	last  int // greatest lag
}

// An arc is an atom seen from its row.
type arc struct {
	to   int32
	lag  int32
	prob float64
}

// maxSteps bounds lags and horizons.
const maxSteps = 1 << 30

// NewKernel makes a kernel from its atoms; several atoms with the same
// (From, To, Steps) add up. The tail of row i is 1 − Σ q_ij(l), summed with
// compensation; a rest below 1e-15 is the rounding of the entries and counts
// as 0, and a sum that exceeds 1 by no more than 1e-12 counts as 1 (nothing
// is rescaled). Use [NewKernelTails] where the tail is known.
//
// A state out of range, a lag below 1, a probability outside 0..1 or a row
// above 1 return a *KernelError.
func NewKernel(space Space, atoms []Atom) (*Kernel, error) {
	return newKernel(space, atoms, nil)
}

// NewKernelTails is [NewKernel] with the tail of each row given, so that a
// small one keeps its digits. Row and tail must sum to 1 within 1e-9.
func NewKernelTails(space Space, atoms []Atom, tail []float64) (*Kernel, error) {
	if len(tail) != len(space.Names) {
		return nil, &DomainError{"NewKernelTails", "len(tail)", float64(len(tail)), "one tail per state"}
	}
	return newKernel(space, atoms, tail)
}

// NewDenseKernel makes a kernel from f[i][j][l−1] = q_ij(l). f[i] may be nil
// (never left), f[i][j] may be nil, and lengths may differ.
func NewDenseKernel(space Space, f [][][]float64) (*Kernel, error) {
	if len(f) > len(space.Names) {
		return nil, &DomainError{"NewDenseKernel", "len(f)", float64(len(f)), "at most one row per state"}
	}
	n := 0
	for _, row := range f {
		for _, col := range row {
			n += len(col)
		}
	}
	atoms := make([]Atom, 0, n)
	for i, row := range f {
		for j, col := range row {
			for l, p := range col {
				if p != 0 {
					atoms = append(atoms, Atom{i, j, l + 1, p})
				}
			}
		}
	}
	return newKernel(space, atoms, nil)
}

func newKernel(space Space, atoms []Atom, tail []float64) (*Kernel, error) {
	if err := space.Validate(); err != nil {
		return nil, err
	}
	n := len(space.Names)
	k := &Kernel{space: space.clone(), rows: make([][]arc, n), tail: make([]float64, n)}
	sizes := make([]int, n)
	for _, a := range atoms {
		if err := checkAtom(space, a); err != nil {
			return nil, err
		}
		sizes[a.From]++
	}
	for i, s := range sizes {
		k.rows[i] = make([]arc, 0, s)
	}
	for _, a := range atoms {
		if a.Prob > 0 {
			k.rows[a.From] = append(k.rows[a.From], arc{int32(a.To), int32(a.Steps), a.Prob})
			k.last = max(k.last, a.Steps)
		}
	}
	for i := range k.rows {
		k.rows[i] = tidy(k.rows[i])
		k.atoms += len(k.rows[i])
		var given *float64
		if tail != nil {
			given = &tail[i]
		}
		t, err := rowTail(k.rows[i], given)
		if err != nil {
			return nil, &KernelError{space.Names[i], err.Error()}
		}
		k.tail[i] = t
	}
	return k, nil
}

func checkAtom(space Space, a Atom) error {
	n := len(space.Names)
	switch {
	case a.From < 0 || a.From >= n:
		return &KernelError{fmt.Sprint(a.From), fmt.Sprintf("no such state, want 0..%d", n-1)}
	case a.To < 0 || a.To >= n:
		return &KernelError{space.Names[a.From], fmt.Sprintf("to = %d, want a state 0..%d", a.To, n-1)}
	case a.Steps < 1 || a.Steps > maxSteps:
		return &KernelError{space.Names[a.From],
			fmt.Sprintf("steps = %d to %s, want 1..%d", a.Steps, space.Names[a.To], maxSteps)}
	case !(a.Prob >= 0 && a.Prob <= 1):
		return &KernelError{space.Names[a.From],
			fmt.Sprintf("probability = %v to %s after %s, want within 0..1", a.Prob, space.Names[a.To],
				fault.Count(a.Steps, "step"))}
	}
	return nil
}

// tidy orders a row and merges atoms of the same target and lag.
func tidy(row []arc) []arc {
	sooner := func(i, j int) bool {
		return row[i].lag < row[j].lag || row[i].lag == row[j].lag && row[i].to < row[j].to
	}
	if !sort.SliceIsSorted(row, sooner) {
		sort.SliceStable(row, sooner)
	}
	out := row[:0]
	for _, a := range row {
		if m := len(out); m > 0 && out[m-1].to == a.to && out[m-1].lag == a.lag {
			out[m-1].prob += a.prob
			continue
		}
		out = append(out, a)
	}
	return out
}

// Rounding allowances of row sums; see [NewKernel].
const (
	roundedRest = 1e-15
	allowedOver = 1e-12
	tailSlack   = 1e-9
)

func rowTail(row []arc, given *float64) (float64, error) {
	var s numeric.Sum
	s.Add(1)
	for _, a := range row {
		s.Add(-a.prob)
	}
	rest := s.Value()
	if given != nil {
		switch t := *given; {
		case !(t >= 0 && t <= 1):
			return 0, fmt.Errorf("tail = %v, want within 0..1", t)
		case math.Abs(rest-t) > tailSlack:
			return 0, fmt.Errorf("atoms and tail sum to %.12g, want 1", 1-rest+t)
		default:
			return t, nil
		}
	}
	switch {
	case rest < -allowedOver:
		return 0, fmt.Errorf("sums to %.15g, want at most 1", 1-rest)
	case rest < roundedRest:
		return 0, nil
	}
	return rest, nil
}

// made returns an error for a kernel without states, which no function of this
// package returns.
func (k *Kernel) made(fn string) error {
	if len(k.rows) == 0 {
		return &DomainError{fn, "states", 0, "a kernel that NewKernel returned"}
	}
	return nil
}

// Space returns the states of the kernel.
func (k *Kernel) Space() Space { return k.space.clone() }

// Len returns the number of atoms, and Last the greatest lag among them.
func (k *Kernel) Len() int { return k.atoms }

// Last returns the greatest lag of any atom, 0 for a kernel without atoms.
func (k *Kernel) Last() int { return k.last }

// Tail returns the chance that a sojourn in the state is longer than every
// atom of its row; 1 for a state that is never left.
func (k *Kernel) Tail(state int) float64 {
	if state < 0 || state >= len(k.tail) {
		return 0
	}
	return k.tail[state]
}

// Atoms returns the atoms of the kernel ordered by From, Steps, To.
func (k *Kernel) Atoms() []Atom {
	out := make([]Atom, 0, k.atoms)
	for i, row := range k.rows {
		for _, a := range row {
			out = append(out, Atom{i, int(a.to), int(a.lag), a.prob})
		}
	}
	return out
}

// Exit returns p_ij = Σ_l q_ij(l), the law of the next state. Its rows sum to
// 1 minus the tail.
func (k *Kernel) Exit() [][]float64 {
	p := make([][]float64, len(k.rows))
	for i, row := range k.rows {
		sums := make([]numeric.Sum, len(k.rows))
		for _, a := range row {
			sums[a.to].Add(a.prob)
		}
		p[i] = make([]float64, len(k.rows))
		for j := range sums {
			p[i][j] = sums[j].Value()
		}
	}
	return p
}

// Complement returns the same kernel with up and failure states exchanged:
// its reliability is the chance not yet to be repaired.
func (k *Kernel) Complement() *Kernel {
	c := *k
	c.space = k.space.clone()
	for i, f := range c.space.Failure {
		c.space.Failure[i] = !f
	}
	return &c
}
