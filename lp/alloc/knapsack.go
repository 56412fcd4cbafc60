package alloc

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
)

// knapsack solves multiple-choice knapsacks in whole numbers: one level per
// job, demands within one capacity, revenue greatest. Its buffers are kept
// from call to call.
//
// The core is expanded around the break solution: alternatives in order of
// the least revenue they lose at the break price, states by dynamic
// programming with dominance, cut by the linear bound of what the steepest
// remaining upgrade (or the flattest remaining downgrade) can still add, and
// alternatives whose loss alone exceeds the distance to the bound never enter.
// Source: Pisinger, A minimal algorithm for the multiple-choice knapsack
// problem, Eur. J. Oper. Res. 83, 1995.
type knapsack struct {
	segments []segment
	ties     []segment
	core     []coreJob
	up, down []float64 // best slopes among the core jobs from here on
	states   []state   // all layers one after another
	layers   []int32   // where each layer starts in states
	a, b     []state
	base     []int32 // break solution
	price    int64   // charged for each unit of demand
	steps    int     // of all calls: states that were merged, and levels that were looked at
	limit    int     // of steps of all calls, after which a call ends unproven; 0: none

	ctx context.Context // ends early, unproven, when it is done; nil for never
}

type coreJob struct {
	job  int32 // position in the list of jobs
	loss float64
}

// state is one way to choose for the core jobs so far: the others stay at the
// break solution.
type state struct {
	weight, profit int64
	parent         int32 // in the layer before
	level          int32
}

// worth returns the revenue of level l less its charge.
func (ks *knapsack) worth(p *problem, l int32) int64 { return p.rev[l] - ks.price*p.dem[l] }

// solve returns the greatest revenue of the listed jobs within the capacity
// and sets level accordingly, by position in the list. proven is false when
// more than maxStates states were needed: the value is then only what was
// found. The least demands must fit.
func (ks *knapsack) solve(p *problem, jobs []int32, capacity int64, level []int32,
	maxStates int) (value int64, proven bool) {
	return ks.run(p, jobs, capacity, level, maxStates, math.MinInt64)
}

// explore is solve, but keeps every undominated way to earn more than
// threshold for [knapsack.alternatives].
func (ks *knapsack) explore(p *problem, jobs []int32, capacity int64, level []int32, maxStates int,
	threshold int64) (value int64, proven bool) {
	return ks.run(p, jobs, capacity, level, maxStates, threshold)
}

// alternatives returns the states found by explore that earn more than
// threshold, the most first.
func (ks *knapsack) alternatives(capacity, threshold int64) []state {
	n := len(ks.layers)
	if n < 2 {
		return nil
	}
	var found []state
	for i, s := range ks.states[ks.layers[n-2]:ks.layers[n-1]] {
		if s.weight <= capacity && s.profit > threshold {
			found = append(found, state{s.weight, s.profit, int32(i), int32(n - 2)})
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].profit > found[j].profit })
	return found
}

// unfold writes the levels of one of the alternatives.
func (ks *knapsack) unfold(s state, level []int32) {
	copy(level, ks.base)
	ks.trace(level, int(s.level), s.parent)
}

func (ks *knapsack) run(p *problem, jobs []int32, capacity int64, level []int32, maxStates int,
	threshold int64) (value int64, proven bool) {
	begun := ks.steps
	price, bound := ks.relaxed(p, jobs, capacity, level)
	var weight, profit int64
	for i := range jobs {
		weight += p.dem[level[i]]
		profit += ks.worth(p, level[i])
	}
	best, keep := profit, threshold > math.MinInt64
	enough := func() float64 {
		least := best
		if keep {
			least = threshold
		}
		return float64(least+1) - 1e-11*math.Abs(bound) - 1e-9
	}
	above := func(b float64) bool { return b >= enough() }
	spent := func() bool {
		return (ks.steps-begun)/stateSteps > maxStates || ks.limit > 0 && ks.steps > ks.limit || len(ks.a) > mostLayer
	}
	ks.base = append(ks.base[:0], level...)
	ks.states = append(ks.states[:0], state{weight, profit, -1, -1})
	ks.layers = append(ks.layers[:0], 0, 1)
	if ks.a = ks.a[:0]; price == 0 || !above(bound) {
		return best, true
	}
	if spent() {
		return best, false
	}
	ks.expand(p, jobs, level, price, bound, above)

	// Layers: layer c holds the states after core jobs 0..c-1.
	bestLayer, bestState := 0, int32(0)
	for c, cj := range ks.core {
		if !above(bound - cj.loss) {
			break // no alternative of this job or of those after it can help
		}
		job := jobs[cj.job]
		from := ks.states[ks.layers[c]:ks.layers[c+1]]
		at := level[cj.job]
		ks.a = ks.a[:0]
		for i, s := range from {
			ks.a = append(ks.a, state{s.weight, s.profit, int32(i), at})
		}
		rest := remainder{capacity, ks.up[c+1], ks.down[c+1], enough()}
		for l := p.first[job]; l < p.last[job] && !spent(); l++ {
			if l == at || !above(bound-ks.lossOf(p, at, l, price)) {
				continue
			}
			dw, dr := p.dem[l]-p.dem[at], ks.worth(p, l)-ks.worth(p, at)
			ks.merge(from, dw, dr, l, rest)
		}
		for i, s := range ks.a {
			if s.weight <= capacity && s.profit > best {
				best, bestLayer, bestState = s.profit, c+1, int32(i)
			}
		}
		start := len(ks.states)
		rest.least = enough()
		for i, s := range ks.a {
			if rest.mayDo(s.weight, s.profit) || (c+1 == bestLayer && int32(i) == bestState) {
				if c+1 == bestLayer && int32(i) == bestState {
					bestState = int32(len(ks.states) - start)
					bestLayer = -(c + 1) // position is settled
				}
				ks.states = append(ks.states, s)
			}
		}
		if bestLayer < 0 {
			bestLayer = -bestLayer
		}
		ks.layers = append(ks.layers, int32(len(ks.states)))
		if len(ks.states) > maxStates || spent() || ks.ctx != nil && ks.ctx.Err() != nil {
			ks.trace(level, bestLayer, bestState)
			return best, false
		}
		if start == len(ks.states) {
			break
		}
	}
	ks.trace(level, bestLayer, bestState)
	return best, true
}

// trace writes the levels that lead to a state.
func (ks *knapsack) trace(level []int32, layer int, at int32) {
	for c := layer; c > 0; c-- {
		s := ks.states[ks.layers[c]+at]
		level[ks.core[c-1].job] = s.level
		at = s.parent
	}
}

// stateSteps is how many steps a call makes for each state that it may keep: jobs of some hundred levels merge as
// many states for each that is kept.
const stateSteps = 100

// mostLayer is how many states a layer may have: 200 MB of them.
const mostLayer = 8_000_000

// remainder is what the core jobs from here on can still do.
type remainder struct {
	capacity int64
	up, down float64 // their best slopes
	least    float64 // that the revenue must come to
}

// mayDo reports whether a state may still come to enough.
func (r *remainder) mayDo(weight, profit int64) bool {
	ub := float64(profit)
	if slack := r.capacity - weight; slack < 0 {
		ub += float64(slack) * r.down
	} else if r.up > 0 {
		ub += float64(slack) * r.up
	}
	return ub >= r.least
}

// merge adds to the states in ks.a those of from with one level changed that may still come to enough, in rising order
// of weight, without the dominated ones. What a state that is left out would dominate comes to no more than it.
func (ks *knapsack) merge(from []state, dw, dr int64, level int32, rest remainder) {
	ks.steps += len(ks.a) + len(from)
	out := ks.b[:0]
	i, j := 0, 0
	top := int64(math.MinInt64)
	for i < len(ks.a) || j < len(from) {
		var s state
		if j == len(from) || (i < len(ks.a) && (ks.a[i].weight < from[j].weight+dw ||
			(ks.a[i].weight == from[j].weight+dw && ks.a[i].profit >= from[j].profit+dr))) {
			s = ks.a[i]
			i++
		} else {
			s = state{from[j].weight + dw, from[j].profit + dr, int32(j), level}
			if j++; !rest.mayDo(s.weight, s.profit) {
				continue
			}
		}
		if s.profit > top {
			top = s.profit
			out = append(out, s)
		}
	}
	ks.a, ks.b = out, ks.a
}

// lossOf returns what job's change from level at to level l loses at a price.
func (ks *knapsack) lossOf(p *problem, at, l int32, price float64) float64 {
	return float64(ks.worth(p, at)-ks.worth(p, l)) + price*float64(p.dem[l]-p.dem[at])
}

// relaxed sets level to the break solution and returns its price and bound.
func (ks *knapsack) relaxed(p *problem, jobs []int32, capacity int64, level []int32) (price, bound float64) {
	levels := 0
	for _, k := range jobs {
		levels += int(p.last[k] - p.first[k])
	}
	ks.steps += 4 * levels                                       // here and in expand
	ks.segments = slices.Grow(ks.segments[:0], levels-len(jobs)) // a slice that grows would take twice as much
	var profit int64
	residual := capacity
	for i, k := range jobs {
		level[i] = p.first[k]
		residual -= p.dem[level[i]]
		profit += ks.worth(p, level[i])
		start := len(ks.segments)
		ks.segments = p.hullAt(ks.segments, k, ks.price)
		for s := start; s < len(ks.segments); s++ {
			ks.segments[s].job = int32(i)
		}
	}
	b := breakOf(ks.segments, residual)
	bound = float64(profit+b.revenue) + b.price*float64(b.residual)
	if b.price == 0 {
		for _, s := range ks.segments {
			level[s.job] = max(level[s.job], s.to)
		}
		return 0, bound
	}
	// The steps of a job are in falling order of slope: those above the price
	// are its first ones. Those as steep as the price are taken as they fit.
	ks.ties = ks.ties[:0]
	for _, s := range ks.segments {
		if s.slope > b.price {
			level[s.job] = max(level[s.job], s.to)
		} else if s.slope == b.price {
			ks.ties = append(ks.ties, s)
		}
	}
	residual = b.residual
	for _, s := range ks.ties {
		if s.from == level[s.job] && s.extra <= residual {
			level[s.job] = s.to
			residual -= s.extra
		}
	}
	return b.price, bound
}

// expand lists the jobs with an alternative worth looking at, the least loss
// first, and the best slopes that remain behind each of them.
func (ks *knapsack) expand(p *problem, jobs []int32, level []int32, price, bound float64, above func(float64) bool) {
	ks.core = ks.core[:0]
	for i, k := range jobs {
		least := math.Inf(1)
		for l := p.first[k]; l < p.last[k]; l++ {
			if l != level[i] {
				least = min(least, ks.lossOf(p, level[i], l, price))
			}
		}
		if above(bound - least) {
			ks.core = append(ks.core, coreJob{int32(i), least})
		}
	}
	slices.SortFunc(ks.core, func(a, b coreJob) int {
		if c := cmp.Compare(a.loss, b.loss); c != 0 {
			return c
		}
		return cmp.Compare(a.job, b.job)
	})
	n := len(ks.core)
	ks.up = append(ks.up[:0], make([]float64, n+1)...)
	ks.down = append(ks.down[:0], make([]float64, n+1)...)
	ks.down[n] = math.Inf(1)
	for c := n - 1; c >= 0; c-- {
		up, down := ks.up[c+1], ks.down[c+1]
		k, at := jobs[ks.core[c].job], level[ks.core[c].job]
		for l := p.first[k]; l < p.last[k]; l++ {
			switch dw := p.dem[l] - p.dem[at]; {
			case dw > 0:
				up = max(up, float64(ks.worth(p, l)-ks.worth(p, at))/float64(dw))
			case dw < 0:
				down = min(down, float64(ks.worth(p, at)-ks.worth(p, l))/float64(-dw))
			}
		}
		ks.up[c], ks.down[c] = up, down
	}
}
