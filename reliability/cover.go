package reliability

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// A cover is a covering knapsack: least cost with weights summing to need.
type cover struct {
	weights []float64 // <= need
	costs   []float64
	need    float64
}

// scale returns the factor that comparableCosts applied.
func (c cover) scale(pool []Machine) float64 {
	best := 0
	for i, m := range pool {
		if m.Cost > pool[best].Cost {
			best = i
		}
	}
	if pool[best].Cost == 0 {
		return 1
	}
	return c.costs[best] / pool[best].Cost
}

// A half is one subset of half the items.
type half struct {
	weight, cost float64
	set          uint32 // bit j: item j of the half
}

// before orders by cost, then fewer items, then the earliest items: of two
// sets of one size the one that holds the first item they differ in.
func (a half) before(b half) bool {
	if a.cost != b.cost {
		return a.cost < b.cost
	}
	if n, m := bits.OnesCount32(a.set), bits.OnesCount32(b.set); n != m {
		return n < m
	}
	return earlier(a.set, b.set)
}

func earlier(a, b uint32) bool {
	d := a ^ b
	return d != 0 && a&(d&-d) != 0
}

// exact returns the cheapest subset of items (at most exactPool of them) that
// together with the given ones covers the need; nil if none does.
func (c cover) exact(items, given []int) []int {
	have := 0.0
	for _, i := range given {
		have += c.weights[i]
	}
	mid := len(items) / 2
	left, right := c.subsets(items[:mid]), c.subsets(items[mid:])
	// bestFrom[j] is the best of right[j:], which all weigh at least right[j].
	sort.Slice(right, func(i, j int) bool {
		if right[i].weight != right[j].weight {
			return right[i].weight < right[j].weight
		}
		return right[i].before(right[j])
	})
	bestFrom := make([]half, len(right))
	for j := len(right) - 1; j >= 0; j-- {
		bestFrom[j] = right[j]
		if j+1 < len(right) && bestFrom[j+1].before(right[j]) {
			bestFrom[j] = bestFrom[j+1]
		}
	}
	found := false
	var bestL, bestR half
	for _, l := range left {
		j := sort.Search(len(right), func(j int) bool { return have+l.weight+right[j].weight >= c.need })
		if j == len(right) {
			continue
		}
		r := bestFrom[j]
		if !found || pairBefore(l, r, bestL, bestR) {
			found, bestL, bestR = true, l, r
		}
	}
	if !found {
		return nil
	}
	out := make([]int, 0, len(items))
	for j, i := range items {
		if j < mid && bestL.set>>j&1 == 1 || j >= mid && bestR.set>>(j-mid)&1 == 1 {
			out = append(out, i)
		}
	}
	return out
}

func pairBefore(l, r, l2, r2 half) bool {
	if a, b := l.cost+r.cost, l2.cost+r2.cost; a != b {
		return a < b
	}
	n := bits.OnesCount32(l.set) + bits.OnesCount32(r.set)
	m := bits.OnesCount32(l2.set) + bits.OnesCount32(r2.set)
	if n != m {
		return n < m
	}
	if l.set != l2.set {
		return earlier(l.set, l2.set)
	}
	return earlier(r.set, r2.set)
}

// subsets lists all subsets of the items.
func (c cover) subsets(items []int) []half {
	out := make([]half, 1, 1<<len(items))
	for j, i := range items {
		for _, h := range out {
			out = append(out, half{h.weight + c.weights[i], h.cost + c.costs[i], h.set | 1<<j})
		}
	}
	return out
}

// bounded returns a good cover of a large pool: by falling weight per cost,
// with the exactPool items about the break settled exactly.
func (c cover) bounded(items []int) []int {
	order := c.byRatio(items)
	sum, brk := 0.0, 0
	for brk < len(order) && sum < c.need {
		sum += c.weights[order[brk]]
		brk++
	}
	greedy := c.dropSpare(order[:brk])
	lo := max(0, min(brk-exactPool/2, len(order)-exactPool))
	core := c.exact(order[lo:lo+exactPool], order[:lo])
	if core == nil {
		return greedy
	}
	refined := c.dropSpare(append(slices.Clone(order[:lo]), core...))
	if c.cost(refined) <= c.cost(greedy) {
		return refined
	}
	return greedy
}

func (c cover) cost(set []int) float64 {
	sum := 0.0
	for _, i := range set {
		sum += c.costs[i]
	}
	return sum
}

// byRatio orders items by falling weight per cost, then cost, then index.
func (c cover) byRatio(items []int) []int {
	order := slices.Clone(items)
	ratio := func(i int) float64 {
		if c.weights[i] == 0 {
			return 0
		}
		return c.weights[i] / c.costs[i] // +Inf where it costs nothing
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(ratio(j), ratio(i)), cmp.Compare(c.costs[i], c.costs[j]), cmp.Compare(i, j))
	})
	return order
}

// dropSpare leaves out, dearest first, what the cover does not need.
func (c cover) dropSpare(set []int) []int {
	sum := 0.0
	for _, i := range set {
		sum += c.weights[i]
	}
	order := slices.Clone(set)
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(c.costs[j], c.costs[i]), cmp.Compare(i, j))
	})
	var kept []int
	for _, i := range order {
		if rest := sum - c.weights[i]; rest >= c.need {
			sum = rest
		} else {
			kept = append(kept, i)
		}
	}
	return kept
}

// relaxation returns the cost of the linear relaxation 0 <= x <= 1, less a
// rounding: no cover costs less.
func (c cover) relaxation(items []int) float64 {
	need, cost := c.need, 0.0
	for _, i := range c.byRatio(items) {
		if c.weights[i] >= need {
			if c.weights[i] > 0 {
				cost += c.costs[i] * need / c.weights[i]
			}
			break
		}
		need -= c.weights[i]
		cost += c.costs[i]
	}
	return math.Max(0, cost*(1-1e-12))
}
