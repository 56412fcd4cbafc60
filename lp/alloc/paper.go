package alloc

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/numeric"
)

// indicated is the largest indicator U(i, j, k) of a job in a basic optimum of
// the linear relaxation.
type indicated struct {
	job, level, bin int32
	value           float64
}

// indicators returns the largest indicator of every job, the largest first.
// The optimum is a vertex: the jobs are laid on a line as long as the summed
// demand and cut at the capacities, which splits at most one job per cut; one
// job is split between two levels.
func (p *problem) indicators() []indicated {
	capacity := sum(p.cap)
	r := p.relax(capacity)
	level, used := p.levelsAt(r.price, capacity)
	upper, share := int32(-1), 0.0 // the split job's upper level and weight
	splitJob := int32(-1)
	if residual := capacity - used; r.price > 0 && residual > 0 {
		var buffer []segment
		for k := range level {
			buffer = p.hull(buffer[:0], int32(k))
			for _, s := range buffer {
				if s.slope == r.price && s.from == level[k] && splitJob < 0 {
					splitJob, upper, share = int32(k), s.to, float64(residual)/float64(s.extra)
				}
			}
		}
	}
	list := make([]indicated, 0, p.jobs())
	line := p.byPrice()
	at, room := 0, 0.0
	if len(line) > 0 {
		room = float64(p.cap[line[0]])
	}
	for k := range level {
		best := indicated{int32(k), level[k], -1, -1}
		lay := func(l int32, weight float64) {
			d := float64(p.dem[l])
			rest := weight
			for {
				part := rest
				if d > 0 {
					part = min(rest, room/d)
				}
				if part > best.value && at < len(line) {
					best = indicated{int32(k), l, line[at], part}
				}
				room -= part * d
				if rest -= part; rest <= 1e-12 || at+1 >= len(line) {
					return
				}
				at++
				room = float64(p.cap[line[at]])
			}
		}
		switch {
		case p.isOut(int32(k), level[k]) && splitJob != int32(k):
			best.value = 1
		case splitJob == int32(k):
			if p.isOut(int32(k), level[k]) {
				best.value = 1 - share
			} else {
				lay(level[k], 1-share)
			}
			lay(upper, share)
		default:
			lay(level[k], 1)
		}
		list = append(list, best)
	}
	sort.SliceStable(list, func(x, y int) bool { return list[x].value > list[y].value })
	return list
}

// paperRound is LPRound-Primary and LPRound-Backup as they stand: each job, by
// falling indicator, goes to the indicated resource at the indicated level or
// the next lower one that fits; then levels are raised one by one, the
// steepest rise first, on the same resource or on the first other one with
// room, as long as anything changes. What the paper leaves open: a job that
// fits at no level on its resource takes the highest level that fits
// elsewhere, and room for its least level is made by lowering others.
// Source: QoS-GRAF figures 5 and 6.
func (p *problem) paperRound() (solution, []int32) {
	a := newPacking(p)
	var waiting []int32
	for _, u := range p.indicators() {
		k, placed := u.job, false
		if p.isOut(k, u.level) {
			continue
		}
		if u.bin >= 0 && p.allowed(k, u.bin) {
			for l := u.level; l >= p.first[k] && !p.isOut(k, l) && !placed; l-- {
				if p.dem[l] <= a.room[u.bin] {
					a.put(k, u.bin, l)
					placed = true
				}
			}
		}
		if !placed && !a.fit(k, u.level) {
			waiting = append(waiting, k)
		}
	}
	if left := a.squeeze(context.Background(), waiting); len(left) > 0 {
		return solution{}, left
	}
	byNumber := a.lineUp(numeric.Indices[int32](len(p.cap)))
	for a.paperUpgrade(byNumber) {
	}
	return a.solution(), nil
}

// paperUpgrade is one pass of UpdatePrimaryAllocation.
func (a *packing) paperUpgrade(byNumber *line) bool {
	p := a.p
	type rise struct {
		slope float64
		job   int32
	}
	var rises []rise
	for k := range p.first {
		if l := a.level[k] + 1; l < p.last[k] && p.rev[l] > p.rev[l-1] {
			extra := max(1, p.dem[l]-p.dem[l-1])
			rises = append(rises, rise{float64(p.rev[l]-p.rev[l-1]) / float64(extra), int32(k)})
		}
	}
	sort.SliceStable(rises, func(x, y int) bool { return rises[x].slope > rises[y].slope })
	changed := false
	for _, r := range rises {
		k, l := r.job, a.level[r.job]+1
		now := p.worth(l-1, a.bin[k])
		if j := a.bin[k]; j >= 0 && p.dem[l]-p.dem[l-1] <= a.room[j] && p.worth(l, j) > now {
			a.setLevel(k, l)
			changed = true
			continue
		}
		for j := byNumber.first(p.dem[l]); j < len(p.cap); j++ {
			if p.dem[l] <= a.room[j] && p.allowed(k, int32(j)) && p.worth(l, int32(j)) > now {
				a.remove(k)
				a.put(k, int32(j), l)
				changed = true
				break
			}
		}
	}
	return changed
}

// heuristic is one of the four comparison methods of section 5.1. Jobs are
// sorted by their greatest revenue (or that per unit of demand); each takes
// its greatest level on the resource with the most room (or the least that is
// enough), if any has it. Jobs that found none then take their least level,
// for which the levels of those before are lowered one by one, from the end of
// the list on, each down to its least before the next.
type heuristic struct {
	unit bool // sort by revenue per unit of demand
	best bool // the resource with the least room that is enough
}

// run returns the solution, or the jobs that found no place even with all
// others at their least levels (or, in a problem with skip, leaves them out).
func (h heuristic) run(p *problem) (solution, []int32) {
	a := newPacking(p)
	order := h.order(p)
	var unassigned []int32
	for _, k := range order {
		top := p.last[k] - 1
		if p.isOut(k, top) || !h.place(a, k, top) {
			unassigned = append(unassigned, k)
		}
	}
	tail := len(order) - 1
	var left []int32
	for _, k := range unassigned {
		least := p.first[k]
		if p.isOut(k, least) {
			if least++; least == p.last[k] {
				continue
			}
		}
		for !h.place(a, k, least) {
			if tail = h.reduce(a, order, tail); tail < 0 {
				left = append(left, k)
				break
			}
		}
	}
	if p.skip {
		left = slices.DeleteFunc(left, func(k int32) bool { return p.isOut(k, p.first[k]) })
	}
	if len(left) > 0 {
		return solution{}, left
	}
	return a.solution(), nil
}

func (h heuristic) order(p *problem) []int32 {
	key := make([]float64, p.jobs())
	order := make([]int32, p.jobs())
	for k := range order {
		order[k] = int32(k)
		top := p.last[k] - 1
		key[k] = float64(p.rev[top])
		if h.unit && p.dem[top] > 0 {
			key[k] /= float64(p.dem[top])
		}
	}
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(key[y], key[x]) })
	return order
}

func (h heuristic) place(a *packing, k, l int32) bool {
	j := a.roomiest(k)
	if h.best {
		j = a.bestFit(k, a.p.dem[l])
	}
	if j < 0 || a.room[j] < a.p.dem[l] {
		return false
	}
	a.put(k, j, l)
	return true
}

// reduce lowers by one level the last job in the list that can be, and returns
// where it is; −1 when all are at their least.
func (h heuristic) reduce(a *packing, order []int32, tail int) int {
	p := a.p
	for ; tail >= 0; tail-- {
		k := order[tail]
		if l := a.level[k]; a.bin[k] >= 0 && l > p.first[k] && !p.isOut(k, l-1) {
			a.setLevel(k, l-1)
			return tail
		}
	}
	return -1
}
