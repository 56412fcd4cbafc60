package alloc

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/numeric"
)

// packing is an assignment under construction. Jobs without a bin have bin −1:
// either left out for good (level 0 of a problem with skip) or still waiting.
type packing struct {
	p     *problem
	level []int32
	bin   []int32
	*shelf
	ctx   context.Context // upgrade and relevel end early when it is done; nil for never
	looks int             // at bins, of the last squeeze
}

func (a *packing) stopped() bool { return a.ctx != nil && a.ctx.Err() != nil }

func newPacking(p *problem) *packing {
	a := &packing{p: p, level: slices.Clone(p.first), bin: unplaced(p.jobs()), shelf: newShelf(p.cap, p.byRoom())}
	if p.cost != nil {
		a.lineUp(p.line)
	}
	return a
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
	for n, w := range numeric.InOrder(order, func(x, y wish) int {
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
// middle. Where the jobs and the bins are too many for squeezeLooks, each job has its share of them
// and takes the best bin of those that come next, or the first beyond.
func (a *packing) squeeze(ctx context.Context, waiting []int32) []int32 {
	p := a.p
	if len(waiting) == 0 {
		return nil
	}
	lowered := make([]descent, len(p.cap))
	for k, j := range a.bin {
		if j >= 0 {
			lowered[j].add(a, int32(k))
		}
	}
	var left []int32
	from := 0
	a.looks = 0
	for at, k := range waiting {
		if ctx.Err() != nil {
			return nil
		}
		l := p.first[k]
		best, bestLoss, steps := int32(-1), int64(0), 0
		share := max((squeezeLooks-a.looks)/(len(waiting)-at), squeezeFew)
		begin, most := 0, a.looks+share
		if share < len(p.cap) && !p.listed(k) {
			begin, from = from, (from+share)%len(p.cap)
		}
		for j := range p.binsFrom(k, begin) {
			if a.looks++; a.looks > most && best >= 0 {
				break
			}
			amount := p.dem[l] - a.room[j]
			if best >= 0 && lowered[j].flat*float64(max(amount, 0)) > float64(bestLoss+p.worth(l, j)+1) {
				continue // it loses more than the best of those before
			}
			n, loss, ok := lowered[j].enough(a, j, amount)
			if loss -= p.worth(l, j); ok && (best < 0 || loss < bestLoss) {
				best, bestLoss, steps = j, loss, n
			}
		}
		if best < 0 {
			left = append(left, k)
			continue
		}
		lowered[best].apply(a, steps)
		a.put(k, best, l)
	}
	return left
}

const (
	squeezeLooks = 50_000_000 // at the bins of all jobs, a second or two
	squeezeFew   = 64         // for a job at the least
)

// A descent lowers the levels of the jobs of one bin step by step, the least
// revenue per unit first. It goes on from where it was, so that every step is
// chosen once, however many jobs ask for how much it frees.
type descent struct {
	next  []step  // heap of the next step of each job, once made is there
	made  []step  // in their order, with what they free and lose together
	done  int     // steps of made that are applied
	slack int64   // what all steps that are not applied free
	flat  float64 // least revenue per unit of any step
}

// A step lowers a job by one level.
type step struct {
	slope       float64 // revenue lost per unit freed
	job, level  int32   // the level that it leaves
	freed, loss int64   // of all steps up to this one
}

// below reports whether step s comes before step t.
func (s *step) below(t *step) bool { return s.slope < t.slope || s.slope == t.slope && s.job < t.job }

// add takes in a job that is in the bin.
func (b *descent) add(a *packing, k int32) {
	least := a.p.first[k]
	if a.p.isOut(k, least) {
		least++
	}
	if l := a.level[k]; l > least {
		if len(b.next) == 0 {
			b.flat = math.Inf(1)
		}
		b.next = append(b.next, step{job: k, level: l})
		b.slack += a.p.dem[l] - a.p.dem[least]
		for j := a.bin[k]; l > least; l-- {
			b.flat = min(b.flat, float64(a.p.worth(l, j)-a.p.worth(l-1, j))/float64(a.p.dem[l]-a.p.dem[l-1]))
		}
	}
}

// set lays out the step of place i of the heap, in bin j.
func (b *descent) set(p *problem, i int, j int32) {
	s := &b.next[i]
	s.freed, s.loss = p.dem[s.level]-p.dem[s.level-1], p.worth(s.level, j)-p.worth(s.level-1, j)
	s.slope = float64(s.loss) / float64(s.freed)
}

// sift moves what is in place i down to where it belongs.
func (b *descent) sift(i int) {
	for {
		c := 2*i + 1
		if c+1 < len(b.next) && b.next[c+1].below(&b.next[c]) {
			c++
		}
		if c >= len(b.next) || !b.next[c].below(&b.next[i]) {
			return
		}
		b.next[i], b.next[c] = b.next[c], b.next[i]
		i = c
	}
}

// enough returns how many steps from now on free an amount of bin j, and the
// revenue that they lose; false where all of them free less.
func (b *descent) enough(a *packing, j int32, amount int64) (n int, loss int64, ok bool) {
	if amount <= 0 || amount > b.slack {
		return 0, 0, amount <= 0
	}
	var freed, lost int64 // by what is applied
	if b.done > 0 {
		freed, lost = b.made[b.done-1].freed, b.made[b.done-1].loss
	}
	amount += freed
	if len(b.made) == 0 {
		for i := range b.next {
			b.set(a.p, i, j)
		}
		for i := len(b.next)/2 - 1; i >= 0; i-- {
			b.sift(i)
		}
	}
	for len(b.made) == 0 || b.made[len(b.made)-1].freed < amount {
		s := b.next[0]
		if l := s.level - 1; l > a.p.first[s.job] && !a.p.isOut(s.job, l-1) {
			b.next[0].level = l
			b.set(a.p, 0, j)
		} else {
			b.next[0] = b.next[len(b.next)-1]
			b.next = b.next[:len(b.next)-1]
		}
		b.sift(0)
		if m := len(b.made); m > 0 {
			s.freed += b.made[m-1].freed
			s.loss += b.made[m-1].loss
		}
		b.made = append(b.made, s)
	}
	n = sort.Search(len(b.made)-b.done, func(i int) bool { return b.made[b.done+i].freed >= amount })
	return n + 1, b.made[b.done+n].loss - lost, true
}

// apply makes the next n steps.
func (b *descent) apply(a *packing, n int) {
	for _, s := range b.made[b.done : b.done+n] {
		a.setLevel(s.job, s.level-1)
		b.slack -= a.p.dem[s.level] - a.p.dem[s.level-1]
	}
	b.done += n
}

// upgrade raises levels as long as one fits, the steepest rise first, within
// the bin or in another one.
func (a *packing) upgrade() {
	p := a.p
	var rises []move
	for again := true; again && !a.stopped(); {
		again = false
		rises = rises[:0]
		// What fits neither its bin nor any other now, or earns no more there, is left to a later round.
		largest, offers := a.largest(), a.offers()
		for k := range p.first {
			here := largest
			if p.listed(int32(k)) {
				here = -1
				for _, j := range p.sites[k] {
					here = max(here, a.room[j])
				}
			}
			if j := a.bin[k]; j >= 0 {
				here = max(here, a.room[j]+p.dem[a.level[k]])
			}
			for l := a.level[k] + 1; l < p.last[k] && p.dem[l] <= here; l++ {
				if more := p.rev[l] - p.rev[a.level[k]]; more > 0 && (offers == nil || a.pays(int32(k), l, offers)) {
					rises = append(rises, move{float64(more) / float64(p.dem[l]-p.dem[a.level[k]]), 0, int32(k), l})
				}
			}
		}
		for i, r := range numeric.InOrder(rises, steeper) {
			if i&1023 == 1023 && a.stopped() {
				return
			}
			l := a.level[r.k]
			if r.to <= l || p.rev[r.to] <= p.rev[l] {
				continue
			}
			again = a.raise(r.k, r.to) || again
		}
	}
}

// pays reports whether level l of job k earns more, where it is or on the cheapest bin that is offered.
func (a *packing) pays(k, l int32, offers []offer) bool {
	p, at := a.p, a.bin[k]
	now := p.worth(a.level[k], at)
	if at >= 0 && p.dem[l]-p.dem[a.level[k]] <= a.room[at] && p.worth(l, at) > now {
		return true
	}
	j := cheapestOf(offers, p.dem[l])
	return j >= 0 && p.worth(l, j) > now
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
