package cover

import (
	"container/heap"
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"
)

// A Limit is a condition on a choice beside the need: what a link carries, say. Relax may be
// generous, but never leaves out a choice that Admits would take.
type Limit interface {
	// Admits reports whether the counts, by item, keep the condition.
	Admits(counts []int64) bool
	// Relax bounds the admitted choices between least and most.
	Relax(least, most []int64) Relaxed
}

// Relaxed is what holds of every admitted choice of a box.
type Relaxed struct {
	// OK is false only where no choice of the box is admitted. Where the box is
	// a single choice it is not wrong about it.
	OK      bool
	Worth   float64   // of all items at least
	Counted int64     // counted items at most; negative: any number
	Weight  []float64 // by item: Σ Weightᵢ nᵢ ≤ Most; nil: no such bound
	Most    float64
}

// mostBoxes is the default bound on the boxes of a search within a limit, and
// nodesPerBox how many nodes of [Problem.MaxNodes] stand for one box. A box takes some hundred
// times as long as a node.
const (
	mostBoxes   = 20_000
	nodesPerBox = 100
	boxNodes    = 2000 // of the search in one box
)

// SolveWithin returns the cheapest choice that a limit admits, by branch and
// bound over boxes of counts. In each box the limit is relaxed to a linear
// bound; the multiplier of that bound gives a bound on the cost, and the
// relaxed choice, rounded down where items are not counted and completed by
// solve (nil: [Solve]), a choice to start from. It is exact as far as solve is;
// at the end of the budget, MaxNodes/100 boxes (at least 20), it returns the best found, its
// bound, and Proven false. A nil limit admits all.
//
// Errors: *DomainError; *InfeasibleError, with Limited set where there would be
// a choice without the limit; that of the context.
func SolveWithin(ctx context.Context, p *Problem, limit Limit,
	solve func(*Problem) (*Solution, error)) (*Solution, error) {
	if solve == nil {
		solve = Solve
	}
	first, err := solve(p)
	if err != nil || limit == nil || limit.Admits(first.Counts) {
		return first, err
	}
	s := &boxes{p: p, limit: limit, solve: solve, bound: first.Bound}
	if p.Shortfall == 0 {
		s.grain = grainOf(p.Items)
	}
	// Both budgets come from one number, so that a caller bounds time by one field.
	budget := mostBoxes
	if p.MaxNodes > 0 {
		budget = max(p.MaxNodes/nodesPerBox, 20)
	}
	least, most := make([]int64, len(p.Items)), make([]int64, len(p.Items))
	for i, it := range p.Items {
		least[i], most[i] = it.Least, it.Most
	}
	// With as few as can be of what is not counted there is a choice to begin
	// with, or none that is limited by the counts alone.
	if _, err := s.complete(least, least, most); err != nil {
		return nil, err
	}
	if err := s.add(least, most); err != nil {
		return nil, err
	}
	// The box of least bound is looked at first: when it is beaten, all are.
	for len(s.open) > 0 && !s.beaten(s.open[0].bound) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if budget--; budget < 0 || p.Ends != nil && p.Ends(s.best != nil) {
			break
		}
		if err := s.split(heap.Pop(&s.open).(*box)); err != nil {
			return nil, err
		}
	}
	// Without the limit there is a choice, so that it is the limit that binds.
	if s.best == nil {
		none := &InfeasibleError{Need: p.Need, Reach: first.Worth, Limited: true}
		if len(s.open) > 0 {
			none.Bound = math.Max(s.bound, s.open[0].bound)
		}
		return nil, none
	}
	out := *s.best
	out.Proven, out.Bound = true, out.Cost
	if len(s.open) > 0 && !s.beaten(s.open[0].bound) {
		out.Proven, out.Bound = false, math.Max(s.bound, s.open[0].bound)
	}
	return &out, nil
}

// A box is a range of counts with a bound on its cost and the relaxed choice.
type box struct {
	least, most []int64
	bound       float64
	relaxed     []float64
	admitted    bool // the relaxed choice, made whole
}

// boxes is the state of the search; open is a heap, the least bound first. begun says that a choice
// to start from has been looked for.
type boxes struct {
	p     *Problem
	limit Limit
	solve func(*Problem) (*Solution, error)
	grain grain
	open  boxHeap
	best  *Solution
	bound float64 // of the problem without the limit
	begun bool
}

// beaten reports whether no choice of such a bound costs less than the best.
func (s *boxes) beaten(bound float64) bool {
	return s.best != nil && bound >= s.best.Cost*(1-1e-10)
}

// within states the problem of a box. r may add a need and a limit on counts that hold of all
// admitted choices.
func (s *boxes) within(least, most []int64, r *Relaxed) *Problem {
	sub := *s.p
	sub.Items = slices.Clone(s.p.Items)
	for i := range sub.Items {
		sub.Items[i].Least, sub.Items[i].Most = least[i], most[i]
	}
	if r.Counted >= 0 && (sub.MostCounted < 0 || r.Counted < sub.MostCounted) {
		sub.MostCounted = r.Counted
	}
	if r.Worth > sub.Need { // so much there must be, at any price of a shortfall
		sub.Need, sub.Shortfall = math.Min(r.Worth, 1e15), 0
	}
	sub.MaxNodes = boxNodes
	if s.p.MaxNodes > 0 {
		sub.MaxNodes = min(sub.MaxNodes, s.p.MaxNodes)
	}
	return &sub
}

// offer takes a choice for the best if it is. It reports whether the limit admits the choice.
func (s *boxes) offer(x *Solution) bool {
	if !s.limit.Admits(x.Counts) {
		return false
	}
	if s.best == nil || x.Cost < s.best.Cost*(1-1e-12) {
		s.best = x
	}
	return true
}

// complete offers the choice with given counts of what is not counted, and the
// cheapest counts of the rest in the box.
func (s *boxes) complete(fixed, least, most []int64) (admitted bool, err error) {
	low, high := slices.Clone(least), slices.Clone(most)
	for i, it := range s.p.Items {
		if !it.Counted {
			low[i], high[i] = fixed[i], fixed[i]
		}
	}
	r := s.limit.Relax(low, high)
	if !r.OK {
		return false, nil
	}
	x, err := s.solve(s.within(low, high, &r))
	if errors.As(err, new(*InfeasibleError)) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return s.offer(x), nil
}

// descend looks for a choice between the least counts and those of a relaxed
// choice that the limit does not admit, by halving what lies between. The number of halvings is
// that of the digits of the widest range.
func (s *boxes) descend(top []int64, least, most []int64) error {
	from, to := 0.0, 1.0
	counts, widest := slices.Clone(least), int64(1)
	for i := range top {
		widest = max(widest, top[i]-least[i])
	}
	for range 2 + bits.Len64(uint64(widest)) {
		middle := (from + to) / 2
		for i := range counts {
			counts[i] = least[i] + int64(middle*float64(top[i]-least[i]))
		}
		ok, err := s.complete(counts, least, most)
		if err != nil {
			return err
		}
		if ok {
			from = middle
		} else {
			to = middle
		}
	}
	return nil
}

// add bounds a box and keeps it where something better may be in it. A box is dropped where it
// holds no admitted choice, none within reach, or none that is cheaper.
func (s *boxes) add(least, most []int64) error {
	most, ok := s.affordable(least, most)
	if !ok {
		return nil
	}
	r := s.limit.Relax(least, most)
	if !r.OK {
		return nil
	}
	sub := s.within(least, most, &r)
	b := &box{least: least, most: most}
	if b.bound, b.relaxed, ok = sub.relax(&r); !ok {
		return nil
	}
	if b.bound = s.grain.round(b.bound); s.beaten(b.bound) {
		return nil
	}
	x, err := s.solve(sub)
	if errors.As(err, new(*InfeasibleError)) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.offer(x) && x.Proven {
		return nil // nothing in the box is cheaper
	}
	if b.bound = math.Max(b.bound, x.Bound); s.beaten(b.bound) || slices.Equal(least, most) {
		return nil
	}
	// The relaxed choice is rounded down, and what is counted makes up for it.
	floor := slices.Clone(least)
	for i := range floor {
		floor[i] = max(least[i], min(most[i], int64(b.relaxed[i]*(1+1e-12))))
	}
	if b.admitted, err = s.complete(floor, least, most); err != nil {
		return err
	}
	if !b.admitted && !s.begun {
		if err := s.descend(floor, least, most); err != nil {
			return err
		}
	}
	s.begun = true
	if !s.beaten(b.bound) {
		heap.Push(&s.open, b)
	}
	return nil
}

// affordable leaves out counts that alone cost more than the best choice. ok is false where even
// the least counts cost more.
func (s *boxes) affordable(least, most []int64) ([]int64, bool) {
	if s.best == nil {
		return most, true
	}
	left := s.best.Cost
	for i, it := range s.p.Items {
		left -= it.Price * float64(least[i])
	}
	if left < -1e-10*s.best.Cost {
		return nil, false
	}
	out := slices.Clone(most)
	for i, it := range s.p.Items {
		if more := math.Max(left, 0) / it.Price * (1 + 1e-9); it.Price > 0 && more < float64(most[i]-least[i]) {
			out[i] = least[i] + int64(more)
		}
	}
	return out, true
}

// split cuts a box in two, along an item that is not counted where one can be
// cut. Where the relaxed choice is admitted once made whole, parts of machines
// are what is left to decide: it is cut at the item farthest from whole. Else
// the linear bound is too loose, and narrower boxes make it tighter: the widest
// item is cut between its middle and the relaxed choice. Both halves are bounded at once.
func (s *boxes) split(b *box) error {
	at, rank, most := -1, 0, 0.0
	for i, it := range s.p.Items {
		if b.most[i] == b.least[i] {
			continue
		}
		_, part := math.Modf(b.relaxed[i])
		from, order := math.Min(part, 1-part), 2
		if !b.admitted || from < 1e-7 {
			from, order = it.Worth*float64(b.most[i]-b.least[i]), 1
		}
		if !it.Counted {
			order += 2
		}
		if at < 0 || order > rank || order == rank && from > most {
			at, rank, most = i, order, from
		}
	}
	cut := b.relaxed[at] * (1 + 1e-12)
	if !b.admitted || cut >= float64(b.most[at]) || cut < float64(b.least[at]) {
		cut = (cut + float64(b.least[at]) + float64(b.most[at]-b.least[at])/2) / 2
	}
	middle := max(b.least[at], min(b.most[at]-1, int64(cut)))
	low, high := slices.Clone(b.most), slices.Clone(b.least)
	low[at], high[at] = middle, middle+1
	if err := s.add(b.least, low); err != nil {
		return err
	}
	return s.add(high, b.most)
}

// boxHeap holds the boxes that are open, the one of the least bound first. It is a heap of package
// container/heap.
type boxHeap []*box

func (h boxHeap) Len() int           { return len(h) }
func (h boxHeap) Less(i, j int) bool { return h[i].bound < h[j].bound }
func (h boxHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *boxHeap) Push(x any)        { *h = append(*h, x.(*box)) }
func (h *boxHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
