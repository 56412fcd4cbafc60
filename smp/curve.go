package smp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
)

// A Start is what a scheduler knows of a host: the state it is in and the
// number of steps it has already spent there. Elapsed 0 is a state just
// entered.
type Start struct {
	State   int
	Elapsed int // u ≥ 0 steps; the sojourn is known to be longer than u
}

// A Curve is the reliability from one start (or a mixture of starts) for all
// horizons 0..N.
type Curve struct {
	Reliability []float64 // R(k), chance that no failure state is entered in k steps
	Failure     []float64 // F(k) = 1 − R(k), added up from its own positive terms
	Density     []float64 // F(k) − F(k−1); Density[0] is the chance to start failed
	// ByState[d][k]: F(k) split by first failure state, in the order of Down; nil without
	// [Options].ByState
	ByState   [][]float64
	Down      []int   // the failure states
	MeanSteps float64 // Σ_{k=0..N} R(k), the mean time to failure cut at N+1 steps
}

// From returns the curve of one start. With an elapsed sojourn u the kernel
// row of the state is conditioned on a sojourn longer than u:
//
//	R(k) = [S_i(u+k) + Σ_j Σ_{l≤k} q_ij(u+l) R_j(k−l)] / S_i(u)
//
// A start in a failure state has R = 0. A start that the kernel says is
// impossible, S_i(u) = 0, wraps [ErrImpossible]; an estimated kernel says so
// only where no sojourn was seen to last longer than u.
func (r *Reliability) From(ctx context.Context, start Start) (*Curve, error) {
	ctx = given.Context(ctx)
	c, err := r.from(ctx, start)
	if err != nil {
		return nil, err
	}
	return r.curve(c), nil
}

func (r *Reliability) from(ctx context.Context, start Start) (*densities, error) {
	const fn = "Reliability.From"
	if r.kernel == nil {
		return nil, &DomainError{fn, "N", float64(r.N), "what Kernel.Reliability returned"}
	}
	if err := r.kernel.space.check(fn, "start.State", start.State); err != nil {
		return nil, err
	}
	if start.Elapsed < 0 || start.Elapsed > maxSteps {
		return nil, &DomainError{fn, "start.Elapsed", float64(start.Elapsed), fmt.Sprintf("0..%d steps", maxSteps)}
	}
	c := r.blank()
	a := r.number[start.State]
	switch {
	case a < 0:
		c.enter[r.cause[start.State]][0] = 1
	case start.Elapsed == 0:
		copy(c.survive, r.survive[a])
		for d := range c.enter {
			copy(c.enter[d], r.enter[d][a])
		}
	default:
		if err := r.aged(ctx, c, start); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Mix returns the curve of a random start: starts[m] with probability
// weights[m]. The weights must sum to 1 within 1e-9. Starts that agree share
// their work.
func (r *Reliability) Mix(ctx context.Context, starts []Start, weights []float64) (*Curve, error) {
	ctx = given.Context(ctx)
	const fn = "Reliability.Mix"
	if r.kernel == nil {
		return nil, &DomainError{fn, "N", float64(r.N), "what Kernel.Reliability returned"}
	}
	if len(starts) == 0 || len(weights) != len(starts) {
		return nil, &DomainError{fn, "len(weights)", float64(len(weights)), "one per start, at least one"}
	}
	gathered := map[Start]float64{}
	var order []Start
	var total numeric.Sum
	for m, s := range starts {
		if err := within01(fn, "weight", weights[m]); err != nil {
			return nil, err
		}
		if _, ok := gathered[s]; !ok {
			order = append(order, s)
		}
		gathered[s] += weights[m]
		total.Add(weights[m])
	}
	if math.Abs(total.Value()-1) > 1e-9 {
		return nil, &DomainError{fn, "sum of weights", total.Value(), "1"}
	}
	c := r.blank()
	for _, s := range order {
		one, err := r.from(ctx, s)
		if err != nil {
			return nil, err
		}
		w := gathered[s]
		floats.AddScaled(c.survive, w, one.survive)
		for d, f := range one.enter {
			floats.AddScaled(c.enter[d], w, f)
		}
	}
	return r.curve(c), nil
}

// densities is a curve before it is added up.
type densities struct {
	survive []float64
	enter   [][]float64 // by cause
}

func (r *Reliability) blank() *densities {
	c := &densities{survive: make([]float64, r.N+1), enter: make([][]float64, len(r.enter))}
	for d := range c.enter {
		c.enter[d] = make([]float64, r.N+1)
	}
	return c
}

// curve adds up densities, which become part of it.
func (r *Reliability) curve(from *densities) *Curve {
	c := &Curve{
		Reliability: from.survive,
		Failure:     make([]float64, r.N+1),
		Density:     make([]float64, r.N+1),
		Down:        slices.Clone(r.down),
	}
	for _, f := range from.enter {
		floats.Add(c.Density, f)
	}
	if r.byState {
		c.ByState = from.enter
		for _, f := range c.ByState {
			var s numeric.Sum
			for k, v := range f {
				s.Add(v)
				f[k] = unround(s.Value())
			}
		}
	}
	var s, mean numeric.Sum
	for k, v := range c.Density {
		s.Add(v)
		c.Failure[k] = unround(s.Value())
		c.Reliability[k] = unround(c.Reliability[k])
		mean.Add(c.Reliability[k])
	}
	c.MeanSteps = mean.Value()
	return c
}

// unround takes the rounding off a probability that is 1: additions of many
// terms end a few units in the last place above it. Anything further above
// stays as it is, to be seen.
func unround(p float64) float64 {
	if p > 1 && p < 1+1e-12 {
		return 1
	}
	return p
}

// Hazard returns the failure rate at step k ≥ 1, the chance to fail at step k
// given no failure before:
//
//	r(k) = [F(k) − F(k−1)] / R(k−1) = 1 − R(k)/R(k−1)
//
// from the density, without subtraction. ok is false where R(k−1) = 0 or k is
// outside 1..N.
func (c *Curve) Hazard(k int) (rate float64, ok bool) {
	if k < 1 || k >= len(c.Density) || k > len(c.Reliability) || c.Reliability[k-1] == 0 {
		return 0, false
	}
	return c.Density[k] / c.Reliability[k-1], true
}

// aged fills in the densities of a start with an elapsed sojourn.
func (r *Reliability) aged(ctx context.Context, c *densities, start Start) error {
	row, tail, ok := r.kernel.agedRow(start.State, start.Elapsed)
	if !ok {
		return fault.New("smp", "Reliability.From", fmt.Sprintf("%s for more than %d steps is an impossible start",
			r.kernel.space.Names[start.State], start.Elapsed), ErrImpossible)
	}
	var on []arc // arcs to up states, renumbered
	for _, e := range row {
		if int(e.lag) > r.N {
			break
		}
		if a := r.number[e.to]; a >= 0 {
			on = append(on, arc{int32(a), e.lag, e.prob})
			continue
		}
		c.enter[r.cause[e.to]][e.lag] += e.prob
	}
	copy(c.survive, survivals(row, tail, 0, r.N))
	if err := r.passOn(ctx, on, r.survive, c.survive); err != nil {
		return err
	}
	for d := range c.enter {
		if err := r.passOn(ctx, on, r.enter[d], c.enter[d]); err != nil {
			return err
		}
	}
	return nil
}
