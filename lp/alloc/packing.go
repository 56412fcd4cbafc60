package alloc

import (
	"cmp"
	"context"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
)

// packing is an assignment under construction. Jobs without a bin have bin −1:
// either left out for good (level 0 of a problem with skip) or still waiting.
type packing struct {
	p     *problem
	level []int32
	bin   []int32
	*shelf
	ctx context.Context // upgrade and relevel end early when it is done; nil for never
}

func (a *packing) stopped() bool { return a.ctx != nil && a.ctx.Err() != nil }

func newPacking(p *problem) *packing {
	return &packing{p: p, level: slices.Clone(p.first), bin: unplaced(p.jobs()), shelf: newShelf(p.cap, p.byRoom())}
}

// bestFit returns the allowed bin with the least room of at least d, −1 for
// none; where bins have prices, that with the least price.
func (a *packing) bestFit(k int32, d int64) int32 {
	if a.p.cost != nil {
		return a.cheapest(k, d)
	}
	for j := range a.from(d) {
		if a.p.free() || a.p.allowed(k, j) {
			return j
		}
	}
	return -1
}

// cheapest is bestFit by price, then by room.
func (a *packing) cheapest(k int32, d int64) int32 {
	best := int32(-1)
	for _, j := range a.p.line {
		if best >= 0 && a.p.cost[j] > a.p.cost[best] {
			break
		}
		if a.room[j] >= d && (best < 0 || a.room[j] < a.room[best]) && a.p.allowed(k, j) {
			best = j
		}
	}
	return best
}

// roomiest returns the allowed bin with the most room, −1 for none.
func (a *packing) roomiest(k int32) int32 {
	for j := range a.down() {
		if a.p.free() || a.p.allowed(k, j) {
			return j
		}
	}
	return -1
}

func (a *packing) put(k, j, l int32) {
	a.bin[k], a.level[k] = j, l
	a.take(j, a.p.dem[l])
}

func (a *packing) remove(k int32) {
	if j := a.bin[k]; j >= 0 {
		a.take(j, -a.p.dem[a.level[k]])
		a.bin[k] = -1
	}
	a.level[k] = a.p.first[k]
}

func (a *packing) setLevel(k, l int32) {
	a.take(a.bin[k], a.p.dem[l]-a.p.dem[a.level[k]])
	a.level[k] = l
}

// fit puts a waiting job at the highest level up to l that fits somewhere.
func (a *packing) fit(k, l int32) bool {
	for ; l >= a.p.first[k]; l-- {
		if a.p.isOut(k, l) {
			a.level[k] = l
			return true
		}
		if j := a.bestFit(k, a.p.dem[l]); j >= 0 {
			a.put(k, j, l)
			return true
		}
	}
	return false
}

// fitDecreasing packs jobs at the wanted levels, the most demanding first,
// each where it fits best; those that fit nowhere are lowered. It returns the
// jobs that are left waiting; when ctx is done it stops in the middle.
func (a *packing) fitDecreasing(ctx context.Context, want []int32) []int32 {
	p := a.p
	// A comparison of demands next to each other is several times as fast as one
	// of demands that lie apart.
	type wish struct {
		demand int64
		job    int32
	}
	order := make([]wish, p.jobs())
	for k := range order {
		order[k] = wish{p.dem[want[k]], int32(k)}
	}
	// Two rounds: those that fit as wanted leave less room to those that don't.
	var lowered, waiting []int32
	for n, w := range inOrder(order, func(x, y wish) int {
		return cmp.Or(cmp.Compare(y.demand, x.demand), cmp.Compare(x.job, y.job))
	}) {
		if n&1023 == 1023 && ctx.Err() != nil {
			return nil
		}
		k := w.job
		if p.isOut(k, want[k]) {
			continue
		}
		if j := a.bestFit(k, p.dem[want[k]]); j >= 0 {
			a.put(k, j, want[k])
			continue
		}
		lowered = append(lowered, k)
	}
	for n, k := range lowered {
		if n&1023 == 1023 && ctx.Err() != nil {
			return nil
		}
		if !a.fit(k, want[k]) {
			waiting = append(waiting, k)
		}
	}
	return waiting
}

// squeeze places waiting jobs at their least level by lowering the levels of
// the jobs of one bin, the flattest steps first, where that costs least. It
// returns the jobs that fit nowhere even so; when ctx is done it stops in the
// middle.
func (a *packing) squeeze(ctx context.Context, waiting []int32) []int32 {
	p := a.p
	if len(waiting) == 0 {
		return nil
	}
	members := make([][]int32, len(p.cap))
	for k, j := range a.bin {
		if j >= 0 {
			members[j] = append(members[j], int32(k))
		}
	}
	var left []int32
	for _, k := range waiting {
		if ctx.Err() != nil {
			return nil
		}
		need := p.dem[p.first[k]]
		best, bestLoss := int32(-1), int64(0)
		l := p.first[k]
		for j := range p.cap {
			if !p.allowed(k, int32(j)) {
				continue
			}
			if loss, ok := a.lower(members[j], int32(j), need-a.room[j], false); ok &&
				(best < 0 || loss-p.worth(l, int32(j)) < bestLoss) {
				best, bestLoss = int32(j), loss-p.worth(l, int32(j))
			}
		}
		if best < 0 {
			left = append(left, k)
			continue
		}
		a.lower(members[best], best, need-a.room[best], true)
		a.put(k, best, p.first[k])
		members[best] = append(members[best], k)
	}
	return left
}

// lower frees an amount of bin j by lowering its jobs step by step, the
// least revenue per unit first, and returns the revenue lost. It only counts
// unless apply is set.
func (a *packing) lower(jobs []int32, j int32, amount int64, apply bool) (loss int64, ok bool) {
	p := a.p
	at := make([]int32, len(jobs))
	for i, k := range jobs {
		at[i] = a.level[k]
	}
	for amount > 0 {
		best, slope := -1, 0.0
		for i, k := range jobs {
			if l := at[i]; l > p.first[k] && !p.isOut(k, l-1) {
				if s := float64(p.worth(l, j)-p.worth(l-1, j)) / float64(p.dem[l]-p.dem[l-1]); best < 0 || s < slope {
					best, slope = i, s
				}
			}
		}
		if best < 0 {
			return 0, false
		}
		l := at[best]
		amount -= p.dem[l] - p.dem[l-1]
		loss += p.worth(l, j) - p.worth(l-1, j)
		at[best]--
	}
	if apply {
		for i, k := range jobs {
			if at[i] != a.level[k] {
				a.setLevel(k, at[i])
			}
		}
	}
	return loss, true
}

// upgrade raises levels as long as one fits, the steepest rise first, within
// the bin or in another one.
func (a *packing) upgrade() {
	p := a.p
	type rise struct {
		slope float64
		job   int32
		to    int32
	}
	var rises []rise
	for again := true; again && !a.stopped(); {
		again = false
		rises = rises[:0]
		// What fits neither its bin nor any other now is left to a later round.
		largest := a.largest()
		for k := range p.first {
			here := largest
			if j := a.bin[k]; j >= 0 {
				here = max(here, a.room[j]+p.dem[a.level[k]])
			}
			for l := a.level[k] + 1; l < p.last[k] && p.dem[l] <= here; l++ {
				if more := p.rev[l] - p.rev[a.level[k]]; more > 0 {
					rises = append(rises, rise{float64(more) / float64(p.dem[l]-p.dem[a.level[k]]), int32(k), l})
				}
			}
		}
		for i, r := range inOrder(rises, func(x, y rise) int {
			return cmp.Or(cmp.Compare(y.slope, x.slope), cmp.Compare(x.job, y.job), cmp.Compare(x.to, y.to))
		}) {
			if i&1023 == 1023 && a.stopped() {
				return
			}
			l := a.level[r.job]
			if r.to <= l || p.rev[r.to] <= p.rev[l] {
				continue
			}
			again = a.raise(r.job, r.to) || again
		}
	}
}

// raise puts job k at level to, where it is or elsewhere, if that earns more.
func (a *packing) raise(k, to int32) bool {
	p, at := a.p, a.bin[k]
	now := p.worth(a.level[k], at)
	if at >= 0 && p.dem[to]-p.dem[a.level[k]] <= a.room[at] && p.worth(to, at) > now {
		a.setLevel(k, to)
		return true
	}
	if j := a.bestFit(k, p.dem[to]); j >= 0 && p.worth(to, j) > now {
		a.remove(k)
		a.put(k, j, to)
		return true
	}
	return false
}

// relevel chooses the levels within every bin anew, best possible for the jobs
// that are there.
func (a *packing) relevel(ks *knapsack, maxStates int) {
	members := make([][]int32, len(a.room))
	bins := numeric.Indices[int32](len(a.room))
	for k, j := range a.bin {
		if j >= 0 {
			members[j] = append(members[j], int32(k))
		}
	}
	a.relevelBins(ks, maxStates, members, bins)
}

func (a *packing) relevelBins(ks *knapsack, maxStates int, members [][]int32, bins []int32) {
	p := a.p
	var level []int32
	for _, j := range bins {
		jobs := members[j]
		if len(jobs) == 0 || a.stopped() {
			continue
		}
		before := int64(0)
		for _, k := range jobs {
			before += p.worth(a.level[k], j)
		}
		ks.price = p.unitCost(j)
		level = append(level[:0], make([]int32, len(jobs))...)
		value, _ := ks.solve(p, jobs, p.cap[j], level, maxStates)
		if value <= before {
			continue
		}
		for _, k := range jobs {
			a.remove(k)
		}
		for i, k := range jobs {
			if !p.isOut(k, level[i]) {
				a.put(k, j, level[i])
			}
		}
	}
}

func (a *packing) solution() solution {
	return solution{slices.Clone(a.level), slices.Clone(a.bin), a.p.value(a.level, a.bin)}
}

// restore sets the packing to a solution.
func (a *packing) restore(s solution) {
	fresh := newPacking(a.p)
	*a = *fresh
	for k, j := range s.bin {
		if j >= 0 {
			a.put(int32(k), j, s.level[k])
		}
	}
}
