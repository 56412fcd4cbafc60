package routing

import (
	"context"
	"math"
)

// The budgets of [SplitByType] in operations, about a second each
// (BenchmarkSplitByType).
const (
	descentBudget = 5e7
	priceBudget   = 1e9 // before the first box is split; an operation takes less here
	boundBudget   = 2e8 // after that
	maxStarts     = 24
	maxSweeps     = 10000
	fewSweeps     = 3      // of a descent, whatever the size
	longDescent   = 50_000 // rates of which a sweep takes long
)

// A search looks for the least value of a [byType] problem.
type search struct {
	ctx    context.Context
	p      *byType
	q      *shareForm
	prices *prices
	limit  float64 // on what prices may spend
	twin   []int   // the next cluster that is the same, −1: none
	best   float64
	x      [][]float64 // that has it
	out    *TypeSplit
}

// search leaves the best split found in p and the bound in out.
func (p *byType) search(ctx context.Context, out *TypeSplit) error {
	s := &search{ctx: ctx, p: p, best: math.Inf(1), x: newRates(len(p.types), len(p.stations)), out: out}
	out.Starts, out.LowerBound = 0, 0
	if err := s.start(); err != nil {
		return err
	}
	if len(p.stations) == 1 { // there is one split only
		out.LowerBound = s.best
		return nil
	}
	s.q = newShareForm(p)
	s.prices = newPrices(s.q)
	if err := s.bound(); err != nil {
		return err
	}
	s.restore()
	var err error
	if s.best, err = p.descend(ctx, s.sweeps(1), 1e-13); err != nil {
		return err
	}
	out.LowerBound = min(s.best, out.LowerBound)
	return nil
}

// sweeps are how many of a descent are within a part of the budget.
func (s *search) sweeps(part float64) int {
	n, m := float64(len(s.p.types)), float64(len(s.p.stations))
	return int(max(fewSweeps, min(maxSweeps, part*descentBudget/(n*m*(10*n+300)))))
}

// start descends from the best split with the same mix everywhere, where p
// stands, and from others as far as the budget allows.
func (s *search) start() error {
	n := min(maxStarts, s.sweeps(1)/20)
	if err := s.descend(s.sweeps(1/float64(n+1)), 1e-10); err != nil {
		return err
	}
	for _, from := range s.p.starts(n) {
		s.p.pour(from)
		if !(s.p.value() > 0) || math.IsInf(s.p.value(), 1) {
			continue // rounding next to saturation
		}
		if err := s.descend(s.sweeps(1/float64(n+1)), 1e-10); err != nil {
			return err
		}
	}
	s.restore()
	return nil
}

// descend from where p stands, and keep what is better.
func (s *search) descend(sweeps int, gain float64) error {
	v, err := s.p.descend(s.ctx, sweeps, gain)
	if err != nil {
		return err
	}
	if s.out.Starts++; v < s.best {
		s.best = v
		for i := range s.x {
			copy(s.x[i], s.p.x[i])
		}
	}
	return nil
}

func (s *search) restore() {
	for i := range s.x {
		copy(s.p.x[i], s.x[i])
	}
}

// enough is the bound from which on a box holds nothing better.
func (s *search) enough() float64 { return s.best * (1 - ProofGap/2) }
