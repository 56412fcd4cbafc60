package alloc

import (
	"cmp"
	"slices"
)

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
