package alloc

import (
	"context"
	"math/rand/v2"
	"slices"
)

// exchange improves a complete packing two bins at a time: the jobs of both,
// with those left out, choose their levels anew for the two capacities as one
// (a multiple-choice knapsack), and are then divided between the bins by
// subset sums. An improving division of two bins stands for many chained
// moves, swaps and changes of level at once.
type exchange struct {
	a       *packing
	e       effort
	rng     *rand.Rand
	source  *rand.PCG // of rng, where it is begun anew for each pair
	rounds  uint64    // of such pairs
	ks      knapsack
	members [][]int32
	out     []int32
	version []int32 // by bin, counts changes
	halves  subsets
	work    int // jobs that may still be looked at

	jobs, level, trial []int32
	chosen             []int32 // of level and trial, what look found
	shaken             []int32
	mayA, mayB         []bool // by place in jobs, whether it may use the bins of the pair
	side               []bool // true: the second bin
}

func newExchange(p *problem, s solution, e effort) *exchange {
	x := &exchange{a: newPacking(p), e: e, rng: rand.New(rand.NewPCG(e.seed, 0x9e3779b97f4a7c15))}
	x.a.restore(s)
	x.work = e.stint.most(pairWork*e.sweeps, stepsOfWork)
	x.ks.limit = max(1, mergesOfWork*x.work/max(1, e.parts))
	x.members = make([][]int32, len(p.cap))
	x.version = make([]int32, len(p.cap))
	for k, j := range x.a.bin {
		if j >= 0 {
			x.members[j] = append(x.members[j], int32(k))
		} else {
			x.out = append(x.out, int32(k))
		}
	}
	return x
}

// pairWork limits the jobs that are looked at, for each sweep that is allowed: what the search of a
// hundred thousand jobs to a bin would do else takes minutes. All sweeps together take some seconds.
const pairWork = 20_000_000

// stepsOfWork are the steps of a [stint] that a job takes which is looked at. Steps that grow with other things count
// only where there is a stint.
const stepsOfWork = 4

// stepsOfMerge are the merges of states, or sums of subsets, that take as long as a step of a stint; mergesOfWork those
// that take as long as a job that is looked at. Jobs of some hundred levels take millions of them for each pair.
const (
	stepsOfMerge = 4
	mergesOfWork = 3
)

// merged notes what knapsacks took since so many steps, and sums of subsets.
func (x *exchange) merged(since, sums int) {
	x.work -= (x.ks.steps - since + sums) * max(1, x.e.parts) / mergesOfWork
}

func (x *exchange) took(steps int) {
	if x.e.stint != nil {
		x.work -= steps / stepsOfWork
	}
}

// run improves the packing by pairs, then by kicks.
func (x *exchange) run(ctx context.Context, target int64) {
	begun, m := x.work, len(x.members)
	defer func() { x.e.stint.take((begun - x.work) * stepsOfWork) }()
	if m <= memory {
		x.took(m * m) // to lay out the pairs
	}
	if x.work < 0 {
		return
	}
	pairs := newPairing(m)
	x.improve(ctx, target, pairs)
	if x.e.kicks > 0 && len(x.members) > 1 && len(x.members) <= memory {
		x.kick(ctx, target, pairs)
	}
}

// improve looks at pairs of bins until none improves, the sweeps are used up,
// ctx is done or the target is reached.
func (x *exchange) improve(ctx context.Context, target int64, pairs *pairing) {
	m := len(x.members)
	value := x.a.p.value(x.a.level, x.a.bin)
	for range x.e.sweeps {
		if m > memory {
			// Too many pairs: each bin meets one other, drawn at random.
			if value = x.meet(ctx, x.draw(), value, target); x.work < 0 || ctx.Err() != nil || value >= target {
				return
			}
			continue
		}
		improved := false
		order := pairs.order
		x.took(2 * len(order))
		x.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			a, b := pairs.bins[i][0], pairs.bins[i][1]
			if pairs.tried[i] == [2]int32{x.version[a], x.version[b]} {
				continue
			}
			if x.work < 0 || ctx.Err() != nil || value >= target {
				return
			}
			gain := x.pair(a, b)
			value += gain
			improved = improved || gain > 0
			pairs.tried[i] = [2]int32{x.version[a], x.version[b]}
		}
		if !improved {
			return
		}
	}
}

// pair reorganizes two bins and returns the revenue gained, at least 0.
func (x *exchange) pair(a, b int32) int64 {
	a, b = x.cheaper(a, b)
	gain := x.look(a, b)
	if gain > 0 {
		x.apply(a, b, x.chosen)
	}
	return gain
}

// cheaper puts the cheaper of two bins first.
func (x *exchange) cheaper(a, b int32) (int32, int32) {
	if x.a.p.unitCost(a) > x.a.p.unitCost(b) {
		return b, a
	}
	return a, b
}

// look finds a better division of two bins, and leaves it in jobs, side and chosen; it returns what that gains, 0 for
// none.
//
// Where prices differ, a is the cheaper bin. With all demand charged at
// the price of b the levels are a knapsack as before, and each unit in a
// brings back the difference: the division must put enough there.
func (x *exchange) look(a, b int32) int64 {
	p := x.a.p
	x.ks.price = p.unitCost(b)
	back := x.ks.price - p.unitCost(a)
	x.jobs = append(append(x.jobs[:0], x.members[a]...), x.members[b]...)
	const most = 48 // jobs left out that are tried at once
	if len(x.out) > most {
		x.rng.Shuffle(len(x.out), func(i, j int) { x.out[i], x.out[j] = x.out[j], x.out[i] })
	}
	for _, k := range x.out[:min(most, len(x.out))] {
		if p.allowed(k, a) || p.allowed(k, b) {
			x.jobs = append(x.jobs, k)
		}
	}
	if len(x.jobs) == 0 {
		return 0
	}
	var now int64
	x.mayA, x.mayB = x.mayA[:0], x.mayB[:0]
	for _, k := range x.jobs {
		now += p.worth(x.a.level[k], x.a.bin[k])
		x.mayA, x.mayB = append(x.mayA, p.allowed(k, a)), append(x.mayB, p.allowed(k, b))
	}
	least := func(profit int64) int64 { // demand in a that makes it more than now
		if back == 0 || profit > now {
			return 0
		}
		return (now-profit)/back + 1
	}
	x.level = append(x.level[:0], make([]int32, len(x.jobs))...)
	x.work -= 10 * len(x.jobs)
	x.took(len(x.out))
	capacity := p.cap[a] + p.cap[b]
	begun := x.ks.steps
	value, _ := x.ks.explore(p, x.jobs, capacity, x.level, 20_000, now-back*p.cap[a])
	x.merged(begun, 0)
	x.took(len(x.ks.states))
	if value <= now-back*p.cap[a] {
		return 0
	}
	if x.divide(a, b, x.level, least(value)) {
		x.chosen = x.level
		return value + back*x.filled(x.level) - now
	}
	x.trial = append(x.trial[:0], x.level...)
	const tries = 60
	for i, s := range x.ks.alternatives(capacity, now-back*p.cap[a]) {
		if i == tries {
			break
		}
		x.ks.unfold(s, x.trial)
		if x.divide(a, b, x.trial, least(s.profit)) {
			x.chosen = x.trial
			return s.profit + back*x.filled(x.trial) - now
		}
	}
	return 0
}

// divide looks for a division of the jobs at the given levels between the two bins, with at least a
// given amount in the first, and leaves it in side.
func (x *exchange) divide(a, b int32, level []int32, least int64) bool {
	p := x.a.p
	x.side = append(x.side[:0], make([]bool, len(x.jobs))...)
	x.work -= len(x.jobs)
	var total, fixed int64 // fixed: in the first bin for good
	free := make([]int32, 0, len(x.jobs))
	for i, k := range x.jobs {
		d := p.dem[level[i]]
		if p.isOut(k, level[i]) || d == 0 {
			x.side[i] = !x.mayA[i]
			continue
		}
		total += d
		inA, inB := d <= p.cap[a] && x.mayA[i], d <= p.cap[b] && x.mayB[i]
		switch {
		case inA && inB:
			free = append(free, int32(i))
		case inA:
			fixed += d
		case inB:
			x.side[i] = true
		default:
			return false
		}
	}
	lo, hi := max(total-p.cap[b], least)-fixed, p.cap[a]-fixed
	if lo > hi || hi < 0 {
		return false
	}
	rounds := 1
	if len(free) > 2*half {
		rounds = 4
	}
	for range rounds {
		rest := free
		var pinned int64
		if len(free) > 2*half {
			x.rng.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
			rest = free[:2*half]
			pinned = x.pin(free[2*half:], rest, lo, hi, level)
		}
		x.merged(x.ks.steps, 4<<(len(rest)/2))
		if x.halves.find(rest, func(i int32) int64 { return p.dem[level[i]] }, lo-pinned, hi-pinned) {
			for n, i := range rest {
				x.side[i] = !x.halves.chosen(n)
			}
			return true
		}
	}
	return false
}

// filled returns the demand that a division puts in the first bin.
func (x *exchange) filled(level []int32) int64 {
	var t int64
	for i, k := range x.jobs {
		if !x.side[i] && !x.a.p.isOut(k, level[i]) {
			t += x.a.p.dem[level[i]]
		}
	}
	return t
}

// pin gives the jobs beyond those that are searched a side, so that the middle
// of the window stays within reach, and returns the demand in the first bin.
func (x *exchange) pin(jobs, rest []int32, lo, hi int64, level []int32) int64 {
	p := x.a.p
	var reach, pinned int64
	for _, i := range rest {
		reach += p.dem[level[i]]
	}
	// Aim at half of the searched demand in the first bin.
	aim := (lo+hi)/2 - reach/2
	for _, i := range jobs {
		d := p.dem[level[i]]
		x.side[i] = true
		if pinned+d/2 <= aim {
			pinned += d
			x.side[i] = false
		}
	}
	return pinned
}

// apply carries out a division.
func (x *exchange) apply(a, b int32, level []int32) {
	p := x.a.p
	for _, k := range x.jobs {
		x.a.remove(k)
	}
	x.members[a], x.members[b] = x.members[a][:0], x.members[b][:0]
	for i, k := range x.jobs {
		switch {
		case p.isOut(k, level[i]):
		case x.side[i]:
			x.a.put(k, b, level[i])
			x.members[b] = append(x.members[b], k)
		default:
			x.a.put(k, a, level[i])
			x.members[a] = append(x.members[a], k)
		}
	}
	if p.skip {
		moved := make(map[int32]bool)
		for _, k := range x.jobs {
			moved[k] = true
		}
		x.out = slices.DeleteFunc(x.out, func(k int32) bool { return moved[k] })
		for i, k := range x.jobs {
			if p.isOut(k, level[i]) {
				x.out = append(x.out, k)
			}
		}
	}
	x.version[a]++
	x.version[b]++
}

// half is the number of items in each half of the subset search.
const half = 11

// subsets finds a subset of at most 2·half items whose sum lies in a window,
// by meeting in the middle: the sums of each half in rising order, one walked
// up while the other is walked down. Source: Horowitz, Sahni, Computing
// partitions with applications to the knapsack problem, J. ACM 21, 1974.
type subsets struct {
	low, high, spare []subset
	split            int
	choice           uint32
}

type subset struct {
	sum  int64
	mask uint32
}

func (h *subsets) chosen(n int) bool { return h.choice>>n&1 == 1 }

func (h *subsets) find(items []int32, weight func(i int32) int64, lo, hi int64) bool {
	h.split = len(items) / 2
	h.low = h.sums(h.low, items[:h.split], weight, 0)
	h.high = h.sums(h.high, items[h.split:], weight, h.split)
	j := len(h.high) - 1
	for _, s := range h.low {
		for j >= 0 && s.sum+h.high[j].sum > hi {
			j--
		}
		if j < 0 {
			return false
		}
		if s.sum+h.high[j].sum >= lo {
			h.choice = s.mask | h.high[j].mask
			return true
		}
	}
	return false
}

// sums returns all subset sums of the items in rising order.
func (h *subsets) sums(into []subset, items []int32, weight func(i int32) int64, shift int) []subset {
	into = append(into[:0], subset{})
	for n, i := range items {
		w, bit := weight(i), uint32(1)<<(shift+n)
		h.spare = h.spare[:0]
		// Merge the list with itself raised by w.
		x, y := 0, 0
		for x < len(into) || y < len(into) {
			if y == len(into) || (x < len(into) && into[x].sum <= into[y].sum+w) {
				h.spare = append(h.spare, into[x])
				x++
			} else {
				h.spare = append(h.spare, subset{into[y].sum + w, into[y].mask | bit})
				y++
			}
		}
		into, h.spare = h.spare, into
	}
	return into
}
