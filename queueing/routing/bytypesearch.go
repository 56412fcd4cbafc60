package routing

import (
	"container/heap"
	"context"
	"math"
)

// The budgets of [SplitByType] in operations, about a second each (BenchmarkSplitByType).
const (
	descentBudget = 5e7
	boundBudget   = 1.5e9
	priceBudget   = 2e8
	maxStarts     = 24
	maxSweeps     = 10000
)

// A box is the part of the splits in which the ratio of each cluster is within
// its span, in the terms of [relaxation].
type box struct {
	spans []span
	y     []float64 // the split that its bound was found at, of its parent at first
	bound float64   // the cost in the box is no lower
}

// boxes are open ones, the least bound first.
type boxes []*box

func (b boxes) Len() int           { return len(b) }
func (b boxes) Less(i, k int) bool { return b[i].bound < b[k].bound }
func (b boxes) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }
func (b *boxes) Push(x any)        { *b = append(*b, x.(*box)) }
func (b *boxes) Pop() any {
	old := *b
	last := len(old) - 1
	x := old[last]
	old[last] = nil
	*b = old[:last]
	return x
}

// A search looks for the least value of a [byType] problem.
type search struct {
	ctx   context.Context
	p     *byType
	q     *relaxation
	twin  []int // the next cluster that is the same, −1: none
	best  float64
	x     [][]float64 // that has it
	lower float64     // least bound of the boxes that were left as no better
	out   *TypeSplit
	spent float64
}

// search leaves the best split found in p and the bound in out.
func (p *byType) search(ctx context.Context, out *TypeSplit) error {
	s := &search{ctx: ctx, p: p, best: math.Inf(1), x: newRates(len(p.types), len(p.stations)), lower: math.Inf(1), out: out}
	out.Starts = 0
	if err := s.start(); err != nil {
		return err
	}
	if len(p.stations) == 1 { // there is one split only
		out.LowerBound = s.best
		return nil
	}
	if err := s.bound(); err != nil {
		return err
	}
	s.restore()
	var err error
	if s.best, err = p.descend(ctx, s.sweeps(1), 1e-13); err != nil {
		return err
	}
	if out.LowerBound < s.enough() {
		priced, err := s.priced()
		if err != nil {
			return err
		}
		out.LowerBound = min(s.best, max(out.LowerBound, priced))
	}
	return nil
}

// sweeps are how many of a descent are within a part of the budget.
func (s *search) sweeps(part float64) int {
	n, m := float64(len(s.p.types)), float64(len(s.p.stations))
	return int(max(3, min(maxSweeps, part*descentBudget/(n*m*(10*n+300)))))
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

// bound splits boxes, the one of the least bound first, until none is left or
// the budget is used.
func (s *search) bound() error {
	p := s.p
	n, m := float64(len(p.types)), float64(len(p.stations))
	perNode := 30 * m * (1.5*n*n*n + 20*n*n + 60*n)
	if perNode > boundBudget {
		return s.cheapest()
	}
	s.q = newRelaxation(p)
	s.twin = twins(p.stations)
	root := &box{spans: make([]span, len(p.stations)), y: append([]float64(nil), s.q.even...)}
	for j := range root.spans {
		root.spans[j] = s.q.span(j)
	}
	open := &boxes{}
	visit := func(b *box) error {
		s.spent += perNode
		if err := s.visit(b); err != nil {
			return err
		}
		if b.bound >= s.enough() {
			s.lower = min(s.lower, b.bound)
		} else {
			heap.Push(open, b)
		}
		return nil
	}
	if err := visit(root); err != nil {
		return err
	}
	for open.Len() > 0 && s.spent < boundBudget {
		b := heap.Pop(open).(*box)
		if b.bound >= s.enough() { // a better split was found meanwhile
			s.lower = min(s.lower, b.bound)
			continue
		}
		low, high, ok := s.halve(b)
		if !ok {
			s.lower = min(s.lower, b.bound)
			continue
		}
		for _, half := range []*box{low, high} {
			if half == nil {
				continue
			}
			if err := visit(half); err != nil {
				return err
			}
		}
	}
	s.out.LowerBound = min(s.lower, s.best)
	if open.Len() > 0 {
		s.out.LowerBound = min(s.out.LowerBound, (*open)[0].bound)
	}
	return nil
}

// cheapest bounds a problem that is too large for one convex solution: every
// type at its fastest cluster, without a wait.
func (s *search) cheapest() error {
	var all sum
	for i := range s.p.types {
		t, least := &s.p.types[i], math.Inf(1)
		for j := range s.p.stations {
			if j%4096 == 0 && s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			theta, _ := s.p.moments(i, j)
			least = min(least, theta/s.p.stations[j].idle)
		}
		all.add(t.Share * t.Weight * least)
	}
	s.out.LowerBound = min(all.value(), s.best)
	return nil
}

// visit finds the bound of a box, and descends from the split it is found at
// where that is better than the best or the search is young.
func (s *search) visit(b *box) error {
	s.out.Nodes++
	bound, err := s.q.solve(s.ctx, b.spans, b.y, s.enough())
	if err != nil {
		return err
	}
	b.bound = max(b.bound, bound)
	const young = 20
	s.q.normalize(b.y)
	if v := s.q.value(b.y); !(v < s.best*(1-1e-9)) && s.out.Nodes > young {
		return nil
	}
	for i := range s.p.x {
		for j := range s.p.x[i] {
			s.p.x[i][j] = b.y[j*len(s.p.types)+i] * s.p.types[i].Share * s.p.rate
		}
	}
	return s.descend(s.sweeps(0.01), 1e-9)
}

// halve splits a box at the ratio of the cluster whose part of the bound is the
// furthest below its cost. A half in which twins are in descending order is
// left out (nil): another box holds the same splits with the twins in each
// other's place. ok is false where no cluster is below, or within rounding.
func (s *search) halve(b *box) (low, high *box, ok bool) {
	at, cut, worst := -1, 0.0, 0.0
	for j := range b.spans {
		w, r, f := s.q.sums(b.y, j)
		l, h := b.spans[j].low, b.spans[j].high
		if gap := (w - l*r) * (h*r - w) / ((l + h) * f); gap > worst {
			at, cut, worst = j, w/r, gap
		}
	}
	if at < 0 {
		return nil, nil, false
	}
	l, h := b.spans[at].low, b.spans[at].high
	if l > 0 {
		cut = math.Pow(cut, 0.8) * math.Pow(l*h, 0.1)
	}
	if !(cut > l && cut < h) {
		return nil, nil, false
	}
	return s.half(b, at, span{l, cut}), s.half(b, at, span{cut, h}), true
}

func (s *search) half(b *box, at int, to span) *box {
	h := &box{spans: append([]span(nil), b.spans...), y: append([]float64(nil), b.y...), bound: b.bound}
	h.spans[at] = to
	// The ratios of twins are in ascending order.
	for j, k := range s.twin {
		if k >= 0 {
			h.spans[k].low = max(h.spans[k].low, h.spans[j].low)
		}
	}
	for j := len(s.twin) - 1; j >= 0; j-- {
		if k := s.twin[j]; k >= 0 {
			h.spans[j].high = min(h.spans[j].high, h.spans[k].high)
		}
	}
	for _, v := range h.spans {
		if v.low > v.high {
			return nil
		}
	}
	return h
}

// twins returns for each cluster the next one with the same figures, or −1.
func twins(stations []station) []int {
	next := make([]int, len(stations))
	last := map[station]int{}
	for j, s := range stations {
		next[j] = -1
		if k, ok := last[s]; ok {
			next[k] = j
		}
		last[s] = j
	}
	return next
}
