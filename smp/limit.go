package smp

import (
	"fmt"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
)

// A Limit holds the stationary laws of a repairable process and what follows
// from them.
type Limit struct {
	Embedded     []float64 // π: share of the transitions that enter each state
	Stationary   []float64 // share of the time spent in each state, π_i m_i / Σ π_j m_j
	Availability float64   // share of the time in up states
	// MeanUp and MeanDown are the mean lengths of a stay in the up and in the
	// failure states, in steps; 0 where there are none. A cycle is their sum.
	MeanUp, MeanDown float64
	FailureRate      float64 // entries into failure states from up states, per step
}

// Limit returns the long-run laws of the process,
//
//	π = π P,   A = Σ_{i up} π_i m_i / Σ_i π_i m_i,
//
// where P is the law of the next state and m_i the mean sojourn in steps. The
// process must settle in one closed class of states whatever the start, and
// leave every state of it; otherwise the error wraps [ErrNoLimit]. States
// outside that class have share 0.
func (k *Kernel) Limit() (*Limit, error) {
	if err := k.made("Kernel.Limit"); err != nil {
		return nil, err
	}
	p := k.Exit()
	n := len(p)
	always := func(int) bool { return true }
	back := transposed(p)
	// Whatever leads to the class that the process settles in was met with it, walking backwards; what
	// was not leads to another.
	class := closedClass(p, back, make([]bool, n))
	leads := reach(back, class, always)
	if slices.Contains(leads, false) {
		other := closedClass(p, back, leads)
		return nil, fmt.Errorf("smp: Kernel.Limit: %s and %s lie in different closed classes: %w",
			k.space.Names[class[0]], k.space.Names[other[0]], ErrNoLimit)
	}
	for i := range n {
		if k.tail[i] > 0 {
			return nil, fmt.Errorf("smp: Kernel.Limit: %s %s: %w", k.space.Names[i], neverLeft(k.tail[i]), ErrNoLimit)
		}
	}
	q := make([][]float64, len(class))
	for a, i := range class {
		q[a] = make([]float64, len(class))
		for b, j := range class {
			q[a][b] = p[i][j]
		}
	}
	l := &Limit{Embedded: make([]float64, n), Stationary: make([]float64, n)}
	for a, v := range stationary(q) {
		l.Embedded[class[a]] = v
	}
	var total, up, down, fails numeric.Sum
	for i, v := range l.Embedded {
		if v == 0 {
			continue
		}
		l.Stationary[i] = v * k.meanSojourn(i)
		total.Add(l.Stationary[i])
		if k.space.Failure[i] {
			down.Add(l.Stationary[i])
			continue
		}
		up.Add(l.Stationary[i])
		for j, w := range p[i] {
			if k.space.Failure[j] {
				fails.Add(v * w)
			}
		}
	}
	for i := range l.Stationary {
		l.Stationary[i] /= total.Value()
	}
	l.Availability = up.Value() / total.Value()
	if f := fails.Value(); f > 0 {
		l.MeanUp, l.MeanDown = up.Value()/f, down.Value()/f
		l.FailureRate = f / total.Value()
	}
	return l, nil
}

// closedClass returns a closed class of states among those that are not left out: the last state from
// which a walk backwards finds new ones is in one, since its class is met by no walk from elsewhere.
func closedClass(p, back [][]float64, out []bool) (class []int) {
	always := func(int) bool { return true }
	seen, last := slices.Clone(out), -1
	for i := range seen {
		if seen[i] {
			continue
		}
		last = i
		for j, met := range reach(back, []int{i}, func(j int) bool { return !seen[j] }) {
			seen[j] = seen[j] || met
		}
	}
	for i, in := range reach(p, []int{last}, always) {
		if in {
			class = append(class, i)
		}
	}
	return class
}
