package routing

import (
	"container/heap"
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A box is the part of the splits in which the ratio of each cluster is within
// its span, in the terms of [shareForm].
type box struct {
	spans []span
	z     []float64 // the prices of its bound, of its parent's at first
	bound float64   // the cost in the box is no lower
	at    int       // the cluster whose span is to be cut, −1: none can be
	cut   float64
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

// whole is the box of all splits, its spans as wide as can be or as the shares
// can reach; the second bound is the better one and, with pairs of types among
// the modes, takes longer.
func (s *search) whole(reach bool) *box {
	b := &box{spans: make([]span, s.q.clusters), z: make([]float64, s.q.types)}
	for j := range b.spans {
		b.spans[j] = span{0, math.Inf(1)}
		if reach {
			b.spans[j] = s.q.span(j)
		}
	}
	return b
}

// bound raises the prices of all splits, then splits boxes, the one of the least
// bound first, until none is left or the budget is used.
func (s *search) bound() error {
	n, m := float64(s.q.types), float64(s.q.clusters)
	s.out.LowerBound = s.floor()
	root := s.whole(false)
	for i := range root.z {
		price, _ := s.p.stationarity(i)
		root.z[i] = price * s.p.types[i].Share
	}
	s.limit = priceBudget
	if err := s.raise(root, 1, 8); err != nil {
		return err
	}
	s.out.LowerBound = max(s.out.LowerBound, root.bound)
	if s.out.LowerBound >= s.enough() || 200*m*n*n > boundBudget {
		return nil
	}
	s.limit = s.prices.spent + boundBudget
	s.twin = twins(s.p.stations)
	bounded := s.whole(true)
	copy(bounded.z, root.z)
	bounded.bound = s.out.LowerBound
	if err := s.raise(bounded, 0.1, 4); err != nil {
		return err
	}
	lower := math.Inf(1) // of what is left as no better
	open := &boxes{}
	keep := func(b *box) {
		if b.bound >= s.enough() || b.at < 0 {
			lower = min(lower, b.bound)
		} else {
			heap.Push(open, b)
		}
	}
	keep(bounded)
	for open.Len() > 0 && s.prices.spent < s.limit {
		b := heap.Pop(open).(*box)
		if b.bound >= s.enough() { // a better split was found meanwhile
			lower = min(lower, b.bound)
			continue
		}
		for _, to := range [2]span{{b.spans[b.at].low, b.cut}, {b.cut, b.spans[b.at].high}} {
			half := s.half(b, to)
			if half == nil {
				continue
			}
			first := max(0.3*(1-half.bound/s.best), 1e-8)
			if err := s.raise(half, min(first, 0.1), 1); err != nil {
				return err
			}
			keep(half)
		}
	}
	if open.Len() > 0 {
		lower = min(lower, (*open)[0].bound)
	}
	s.out.LowerBound = max(s.out.LowerBound, lower)
	return nil
}

// floor is what every split costs at least, whatever its types wait for each
// other: every type at the cluster where it waits and is served the shortest.
func (s *search) floor() float64 {
	var all numeric.Sum
	for _, v := range s.q.leastPrices() {
		all.Add(v)
	}
	return all.Value()
}

// raise raises the prices of a box with less and less smoothing, from first of
// the mean cost of a cluster on, as far as it pays, and descends from the splits
// that they lead to where those are better than the best or the first few.
func (s *search) raise(b *box, first float64, descents int) error {
	p := s.prices
	p.spans = b.spans
	copy(p.z, b.z)
	p.damping = min(p.damping, 1)
	s.out.Nodes++
	share := s.best / float64(s.q.clusters)
	b.at = -1
	for p.tau = first * share; ; p.tau /= 4 {
		for range 60 {
			exact, rise, err := p.climb(s.ctx)
			if err != nil {
				return err
			}
			if exact > b.bound {
				b.bound = exact
			}
			if b.bound >= s.enough() {
				return nil
			}
			// A step that is damped much gains little, whatever is left to gain.
			if rise == 0 || rise < 0.1*p.tau && p.damping <= 1 || p.spent > s.limit {
				break
			}
		}
		if _, _, err := p.expand(s.ctx); err != nil {
			return err
		}
		descents--
		if err := s.mixed(descents >= 0); err != nil {
			return err
		}
		// The smoothing is small beside what the bound leaves open.
		if p.tau < max(0.02*(1-b.bound/s.best), 1e-9)*share || p.spent > s.limit {
			break
		}
	}
	exact, _, err := p.bounds(s.ctx, p.z)
	if err != nil {
		return err
	}
	b.bound = max(b.bound, exact)
	copy(b.z, p.z)
	s.choose(b)
	return nil
}

// mixed descends from the split in which every cluster has of each type what it
// has in the mean of its modes, if that is better than the best or in any case.
func (s *search) mixed(always bool) error {
	y := append([]float64(nil), s.prices.y...)
	for k := range y {
		y[k] += 1e-12 * s.q.even[k]
	}
	s.q.normalize(y)
	v := s.q.value(y)
	if math.IsInf(v, 1) || !always && !(v < s.best*(1-ProofGap/10)) {
		return nil
	}
	for i := range s.p.x {
		for j := range s.p.x[i] {
			s.p.x[i][j] = y[j*s.q.types+i] * s.p.types[i].Share * s.p.rate
		}
	}
	sweeps := s.sweeps(0.02)
	if len(y) > longDescent {
		sweeps = 0 // the last descent has to do where each takes long
	}
	return s.descend(sweeps, 1e-9)
}

// choose finds the cluster whose modes cost the least of what their mean does,
// and where to cut its span: at the ratio of that mean, drawn to the middle.
func (s *search) choose(b *box) {
	b.at = -1
	worst := 0.0
	for j, gap := range s.prices.open {
		if !(gap > worst) {
			continue
		}
		w, r, _ := s.q.sums(s.prices.y, j)
		l, h := b.spans[j].low, b.spans[j].high
		cut := w / r
		if l > 0 {
			cut = math.Pow(cut, 0.8) * math.Pow(l*h, 0.1)
		}
		cut = max(cut, l+0.05*(h-l))
		cut = min(cut, h-0.05*(h-l))
		if cut > l && cut < h {
			b.at, b.cut, worst = j, cut, gap
		}
	}
}

// half is the part of a box with another span of the cluster that is cut. One in
// which twins are in descending order is left out (nil): another box holds the
// same splits with the twins in each other's place.
func (s *search) half(b *box, to span) *box {
	h := &box{spans: append([]span(nil), b.spans...), z: append([]float64(nil), b.z...), bound: b.bound}
	h.spans[b.at] = to
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
