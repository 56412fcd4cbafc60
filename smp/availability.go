package smp

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
)

// An Availability holds, for every state and all horizons 0..N, the chance to
// be up at step k of a process that has just entered the state,
//
//	A_i(k) = [i up] S_i(k) + Σ_j Σ_{l≤k} q_ij(l) A_j(k−l)
//
// over all states, failed ones included, and the chance to be down by the
// same recursion.
type Availability struct {
	N        int
	Residual float64
	up, down [][]float64
	k        *Kernel
}

// Availability solves for all horizons 0..n; see [Kernel.Reliability] for
// time, memory and errors. Failure states without a row are never left.
func (k *Kernel) Availability(ctx context.Context, n int, opt *Options) (*Availability, error) {
	ctx = given.Context(ctx)
	const fn = "Kernel.Availability"
	o, err := k.upTo(fn, n, opt)
	if err != nil {
		return nil, err
	}
	states := numeric.Indices[int](len(k.rows))
	answer := 16 * float64(len(states)) * float64(n+1)
	if answer > o.MaxMemory {
		return nil, &SizeError{fn, answer, o.MaxMemory}
	}
	build := func() [][][]float64 {
		sides := [][][]float64{make([][]float64, len(states)), make([][]float64, len(states))}
		for i := range states {
			here, there := sides[0], sides[1]
			if k.space.Failure[i] {
				here, there = there, here
			}
			here[i] = survivals(k.rows[i], k.tail[i], 0, n)
			there[i] = make([]float64, n+1)
		}
		return sides
	}
	sides, how, err := solveBalanced(ctx, fn, newRenewal(k, states, n, o.Workers), build, upAndDown, false, o, answer)
	if err != nil {
		return nil, err
	}
	return &Availability{N: n, k: k, up: sides[0], down: sides[1], Residual: how.residual}, nil
}

// upAndDown returns the greatest defect of up + down = 1, +Inf where a figure is
// none.
func upAndDown(sides [][][]float64) float64 {
	worst := 0.0
	for i, up := range sides[0] {
		for k := range up {
			lost := math.Abs(up[k] + sides[1][i][k] - 1)
			if math.IsNaN(lost) {
				return math.Inf(1)
			}
			worst = math.Max(worst, lost)
		}
	}
	return worst
}

// From returns the chance to be up, and to be down, at each step 0..N for a
// start in the given law over the states, all just entered. Mass that starts
// in a failure state is kept: it is down at step 0 and may be repaired.
func (a *Availability) From(law []float64) (up, down []float64, err error) {
	const fn = "Availability.From"
	if a.k == nil {
		return nil, nil, &DomainError{fn, "N", float64(a.N), "what Kernel.Availability returned"}
	}
	if len(law) != len(a.up) {
		return nil, nil, &DomainError{fn, "len(law)", float64(len(law)), "one probability per state"}
	}
	var total numeric.Sum
	for _, p := range law {
		if err := within01(fn, "probability", p); err != nil {
			return nil, nil, err
		}
		total.Add(p)
	}
	if t := total.Value(); t < 1-1e-9 || t > 1+1e-9 {
		return nil, nil, &DomainError{fn, "sum of law", t, "1"}
	}
	up, down = make([]float64, a.N+1), make([]float64, a.N+1)
	for i, p := range law {
		if p == 0 {
			continue
		}
		for k := range up {
			up[k] += p * a.up[i][k]
			down[k] += p * a.down[i][k]
		}
	}
	for k := range up {
		up[k], down[k] = unround(up[k]), unround(down[k])
	}
	return up, down, nil
}

// Interval returns the interval availability, the expected share of steps
// 0..k−1 that is spent up, for k = 1..len(up), from the curve of [Availability.From]:
//
//	IA(k) = (1/k) Σ_{s<k} A(s)
func Interval(up []float64) []float64 {
	out := make([]float64, len(up))
	var s numeric.Sum
	for k, v := range up {
		s.Add(v)
		out[k] = s.Value() / float64(k+1)
	}
	return out
}
