package alloc

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// branch is a depth-first search through a small problem: jobs in falling
// order of demand, levels by what they are worth at the shadow price, bins
// with equal room only once. A branch ends when what it has, and what the
// other jobs could earn on all the room left as one,
//
//	value + Σ_j (λ − π_j)⁺·room_j + Σ max_l (R_l − λD_l),
//
// is no more than the best solution known.
type branch struct {
	p      *problem
	ctx    context.Context
	price  float64
	order  []int32
	levels [][]int32 // by place in order, levels in falling order of R − λD
	worth  []float64 // by place in order, the sum over this job and those after it
	room   []int64
	rest   float64   // what the room left is worth
	saving []float64 // by bin, what a unit of its room is worth
	at     solution
	best   solution
	nodes  int
}

// Sizes up to which the exact search is tried.
const (
	exactJobs  = 32
	exactBins  = 64
	exactNodes = 300_000
)

// exact improves a solution (or looks for one, when its levels are nil) until
// it is proven optimal or the nodes are used up. A nil result with proven set
// proves that there is none.
func (p *problem) exact(ctx context.Context, known solution, e effort) (s solution, proven bool) {
	n := p.jobs()
	if n > exactJobs || len(p.cap) > exactBins {
		return known, false
	}
	nodes := e.stint.most(e.nodes, len(p.cap)+1) // a node looks at each bin
	b := &branch{
		p:      p,
		ctx:    ctx,
		room:   slices.Clone(p.cap),
		saving: make([]float64, len(p.cap)),
		best:   known,
		nodes:  nodes,
	}
	if known.level == nil {
		b.best.value = math.MinInt64 / 2
	}
	if total := sum(p.cap); total >= p.least() {
		b.price = p.relax(total).price
	}
	for j, c := range p.cap {
		b.saving[j] = math.Max(0, b.price-float64(p.unitCost(int32(j))))
		b.rest += float64(c) * b.saving[j]
	}
	b.at = solution{make([]int32, n), unplaced(n), 0}
	for k := range p.first {
		b.order = append(b.order, int32(k))
	}
	demand := func(k int32) int64 {
		l := p.first[k]
		if p.isOut(k, l) && l+1 < p.last[k] {
			l++
		}
		return p.dem[l]
	}
	slices.SortStableFunc(b.order, func(x, y int32) int { return cmp.Compare(demand(y), demand(x)) })
	b.worth = make([]float64, n+1)
	b.levels = make([][]int32, n)
	for i := n - 1; i >= 0; i-- {
		k := b.order[i]
		for l := p.first[k]; l < p.last[k]; l++ {
			b.levels[i] = append(b.levels[i], l)
		}
		slices.SortStableFunc(b.levels[i], func(x, y int32) int { return cmp.Compare(b.reduced(y), b.reduced(x)) })
		b.worth[i] = b.worth[i+1] + b.reduced(b.levels[i][0])
	}
	proven = b.descend(0)
	e.stint.take((nodes - max(b.nodes, 0)) * (len(p.cap) + 1))
	return b.best, proven
}

func (b *branch) reduced(l int32) float64 { return float64(b.p.rev[l]) - b.price*float64(b.p.dem[l]) }

// descend places the i-th job and those after it; false when it was cut short.
func (b *branch) descend(i int) bool {
	if i == len(b.order) {
		if b.at.value > b.best.value {
			b.best = solution{slices.Clone(b.at.level), slices.Clone(b.at.bin), b.at.value}
		}
		return true
	}
	if b.nodes--; b.nodes < 0 || (b.nodes&1023 == 0 && b.ctx.Err() != nil) {
		return false
	}
	p, k := b.p, b.order[i]
	for _, l := range b.levels[i] {
		above := float64(b.at.value) + b.rest + b.worth[i+1] + b.reduced(l)
		if above+1e-9*math.Abs(above) < float64(b.best.value+1) {
			break // levels are in falling order
		}
		d := p.dem[l]
		b.at.level[k] = l
		if p.isOut(k, l) {
			b.at.bin[k] = -1
			b.at.value += p.rev[l]
			if !b.descend(i + 1) {
				return false
			}
			b.at.value -= p.rev[l]
			continue
		}
		for j := range b.room {
			if b.room[j] < d || !p.allowed(k, int32(j)) ||
				(p.free() && p.cost == nil && slices.Contains(b.room[:j], b.room[j])) {
				continue
			}
			worth, rest := p.worth(l, int32(j)), b.rest
			b.room[j] -= d
			b.rest -= float64(d) * b.saving[j]
			b.at.value += worth
			b.at.bin[k] = int32(j)
			done := b.descend(i + 1)
			b.room[j] += d
			b.rest = rest
			b.at.value -= worth
			if !done {
				return false
			}
		}
	}
	return true
}
