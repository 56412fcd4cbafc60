package reliability

import (
	"fmt"
	"math"
)

// A Block is a part of a reliability block diagram: [Unit], [Series],
// [Parallel] or [KOutOf]. Blocks are independent: a component may appear once.
type Block interface {
	figures(fn, path string) (Figures, error)
}

// Figures are the long-run figures of a block.
type Figures struct {
	Availability     float64 // fraction of time up, 0..1
	Unavailability   float64 // fraction of time down, summed by itself
	FailureFrequency float64 // failures per unit of time, up and down time together
}

// MTTF returns the mean up period, Availability / FailureFrequency; +Inf if
// the block never fails.
func (f Figures) MTTF() float64 { return period(f.Availability, f.FailureFrequency) }

// MTTR returns the mean down period, Unavailability / FailureFrequency; 0 if
// the block never fails.
func (f Figures) MTTR() float64 {
	if f.Unavailability == 0 {
		return 0
	}
	return period(f.Unavailability, f.FailureFrequency)
}

func period(share, frequency float64) float64 {
	switch {
	case share == 0:
		return 0
	case frequency == 0:
		return math.Inf(1)
	}
	return share / frequency
}

// Unit is a block of one component.
type Unit Component

// Series is up while all of its blocks are up.
type Series []Block

// Parallel is up while at least one of its blocks is up.
type Parallel []Block

// KOutOf is up while at least K of its Blocks are up, k-out-of-n:G.
type KOutOf struct {
	K      int // 1 <= K <= len(Blocks)
	Blocks []Block
}

// Structure returns the long-run figures of a block diagram:
//
//	series    A = Π A_i,          ν = Σ ν_i Π_{j≠i} A_j
//	parallel  U = Π U_i,          ν = Σ ν_i Π_{j≠i} U_j
//	k of n    A = P(at least k),  ν = Σ ν_i P(k-1 of the others)
//
// where ν is the failure frequency, 1/(MTTF+MTTR) for a unit. Availability
// and Unavailability are both sums of positive terms. Time O(n k) for
// k-out-of-n with n blocks, O(n) besides. Source: Barlow & Proschan 1975,
// ch. 2; the frequencies, Birnbaum importance.
func Structure(b Block) (Figures, error) {
	if b == nil {
		return Figures{}, &DomainError{"Structure", "block", 0, "a block"}
	}
	return b.figures("Structure", "block")
}

func (u Unit) figures(fn, path string) (Figures, error) {
	c := Component(u)
	if err := all(positive(fn, path+".MTTF", c.MTTF), positive(fn, path+".MTTR", c.MTTR)); err != nil {
		return Figures{}, err
	}
	return Figures{c.up(), c.down(), c.up() / c.MTTF}, nil
}

func (s Series) figures(fn, path string) (Figures, error) {
	return combine(fn, path+".series", len(s), s)
}

func (p Parallel) figures(fn, path string) (Figures, error) {
	return combine(fn, path+".parallel", 1, p)
}

func (k KOutOf) figures(fn, path string) (Figures, error) {
	return combine(fn, path+".kOutOf", k.K, k.Blocks)
}

// combine returns the figures of k-out-of-n:G over the blocks.
func combine(fn, path string, k int, blocks []Block) (Figures, error) {
	if len(blocks) == 0 {
		return Figures{}, &DomainError{fn, path, 0, "at least one block"}
	}
	if k < 1 || k > len(blocks) {
		return Figures{}, &DomainError{fn, path + ".K", float64(k), fmt.Sprintf("1 <= K <= %d", len(blocks))}
	}
	parts := make([]Figures, len(blocks))
	for i, b := range blocks {
		name := fmt.Sprintf("%s[%d]", path, i)
		if b == nil {
			return Figures{}, &DomainError{fn, name, 0, "a block"}
		}
		f, err := b.figures(fn, name)
		if err != nil {
			return Figures{}, err
		}
		parts[i] = f
	}
	return kOfFigures(k, parts), nil
}

// kOfFigures needs the law of the number up for the two sums and, per block,
// the chance that just k-1 of the others are up (n-k of them down), which it
// takes from the laws of the blocks before and after, counting ups or downs,
// whichever needs the shorter count.
func kOfFigures(k int, parts []Figures) Figures {
	n := len(parts)
	var f Figures
	for _, p := range upCounts(parts, k) { // P(j up), j < k
		f.Unavailability += p
	}
	swapped := make([]Figures, n)
	for i, p := range parts {
		swapped[i] = Figures{p.Unavailability, p.Availability, 0}
	}
	for _, p := range upCounts(swapped, n-k+1) { // P(j down), j <= n-k
		f.Availability += p
	}
	count, m := parts, k
	if n-k+1 < k {
		count, m = swapped, n-k+1
	}
	after := make([][]float64, n+1)
	after[n] = countsStart(m)
	for i := n - 1; i >= 0; i-- {
		after[i] = addUnit(after[i+1], count[i])
	}
	before := countsStart(m)
	for i, p := range count {
		critical := 0.0
		for j, b := range before {
			critical += b * after[i+1][m-1-j]
		}
		f.FailureFrequency += parts[i].FailureFrequency * critical
		before = addUnit(before, p)
	}
	return f
}

// upCounts returns P(j of the parts are up) for j < k.
func upCounts(parts []Figures, k int) []float64 {
	c := countsStart(k)
	for i, p := range parts {
		for j := min(i+1, k-1); j > 0; j-- {
			c[j] = c[j]*p.Unavailability + c[j-1]*p.Availability
		}
		c[0] *= p.Unavailability
	}
	return c
}

func countsStart(k int) []float64 {
	c := make([]float64, k)
	c[0] = 1
	return c
}

// addUnit returns the law of the number up, below len(c), with one part more.
func addUnit(c []float64, p Figures) []float64 {
	out := make([]float64, len(c))
	for j, x := range c {
		out[j] += x * p.Unavailability
		if j+1 < len(c) {
			out[j+1] += x * p.Availability
		}
	}
	return out
}
