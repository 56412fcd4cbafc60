package alloc

import (
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/numeric"
)

// dualDep is the part of one dependency.
type dualDep struct {
	p      *problem
	at     []int32   // by job of the batch, index in p or -1
	row    int       // of its first pool
	pool   []int32   // by bin
	widest []int64   // by pool, its largest bin; falling
	reach  []int32   // by level, the number of pools that it fits; nil for all
	list   [][]int32 // by job, its pools; nil for any
}

// pools groups bins with the same jobs and levels.
func (e *dualDep) pools() {
	p := e.p
	type kind struct {
		fits int
		sign uint64
	}
	demands := slices.Clone(p.dem)
	slices.Sort(demands)
	demands = slices.Compact(demands)
	sign := make([]uint64, len(p.cap))
	for k, list := range p.sites {
		h := (uint64(k) + 1) * 0x9e3779b97f4a7c15
		h = (h ^ h>>29) * 0xbf58476d1ce4e5b9
		h ^= h >> 32
		for _, j := range list {
			sign[j] ^= h
		}
	}
	line := numeric.Indices[int32](len(p.cap))
	slices.SortStableFunc(line, func(a, b int32) int { return int(min(max(p.cap[b]-p.cap[a], -1), 1)) })
	for coarse := range 3 {
		e.pool, e.widest = make([]int32, len(p.cap)), nil
		at := make(map[kind]int32)
		for _, j := range line {
			c := kind{sort.Search(len(demands), func(i int) bool { return demands[i] > p.cap[j] }), sign[j]}
			if coarse > 0 {
				c.fits = 0
			}
			if coarse > 1 {
				c.sign = 0
			}
			g, ok := at[c]
			if !ok {
				g = int32(len(e.widest))
				at[c] = g
				e.widest = append(e.widest, p.cap[j])
			}
			e.pool[j] = g
		}
		if len(e.widest) <= mostPools {
			break
		}
	}
	if len(e.widest) == 0 {
		e.widest = []int64{-1}
	}
	e.reach = make([]int32, len(p.dem))
	for l, d := range p.dem {
		e.reach[l] = int32(sort.Search(len(e.widest), func(g int) bool { return e.widest[g] < d }))
	}
	if p.sites != nil {
		e.list = make([][]int32, p.jobs())
		for k := range e.list {
			if p.sites[k] == nil {
				continue
			}
			e.list[k] = []int32{}
			for _, j := range p.sites[k] {
				e.list[k] = append(e.list[k], e.pool[j])
			}
			slices.Sort(e.list[k])
			e.list[k] = slices.Compact(e.list[k])
		}
	}
}

// cheapest holds, by number of pools from the largest on, the least multiplier
// and whose it is.
func (e *dualDep) cheapest(y []float64) (price []float64, pool []int32) {
	price, pool = make([]float64, len(e.widest)), make([]int32, len(e.widest))
	for g := range e.widest {
		price[g], pool[g] = y[e.row+g], int32(g)
		if g > 0 && price[g-1] <= price[g] {
			price[g], pool[g] = price[g-1], pool[g-1]
		}
	}
	return price, pool
}

// choose returns the best level and pool of job k, and R − λD; level −1 when
// none fits.
func (e *dualDep) choose(k int32, y, price []float64, pool []int32) (level, at int32, value float64) {
	p := e.p
	level, value = -1, math.Inf(-1)
	if e.list != nil && e.list[k] != nil {
		for _, g := range e.list[k] {
			lambda := y[e.row+int(g)]
			for l := p.first[k]; l < p.last[k] && p.dem[l] <= e.widest[g]; l++ {
				if v := float64(p.rev[l]) - lambda*float64(p.dem[l]); v > value {
					level, at, value = l, g, v
				}
			}
		}
		return level, at, value
	}
	reach := int32(len(e.widest))
	for l := p.first[k]; l < p.last[k]; l++ {
		if e.reach != nil {
			reach = e.reach[l]
		}
		if reach == 0 {
			break
		}
		if v := float64(p.rev[l]) - price[reach-1]*float64(p.dem[l]); v > value {
			level, at, value = l, pool[reach-1], v
		}
	}
	return level, at, value
}
