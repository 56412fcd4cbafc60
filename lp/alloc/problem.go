package alloc

import (
	"cmp"
	"iter"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
)

// problem is one packing problem: each job takes exactly one of its levels and
// one bin it may use, bins are filled at most to their capacity, and the sum
// of revenues is to be greatest. Primaries of one dependency are such a
// problem, and so are the backups of all jobs whose primaries fail together.
type problem struct {
	cap   []int64
	price []float64 // by bin, what a unit of demand costs; nil for nothing
	cost  []int64   // the same in whole numbers, for the search, in the unit of rev; see priced
	line  []int32   // beside cost, the bins in rising order of price
	first []int32   // levels of job k are first[k] to last[k], demands rising
	last  []int32
	dem   []int64
	rev   []int64

	skip  bool      // level 0 of every job stands for "left out": no demand, no revenue, no bin
	keep  []bool    // jobs whose level 0 is a real level all the same; nil for none
	sites [][]int32 // by job, the bins it may use, ascending; nil for any
	home  []int32   // by job, the failure unit it must stay off; nil for none
	unit  []int32   // by bin, its failure unit; only read beside home

	rising []int32   // bins in rising order of capacity; nil: not sorted yet
	short  *shortage // found by sending; nil: none was
}

// byRoom returns the bins in rising order of capacity, which is sorted once.
func (p *problem) byRoom() []int32 {
	if p.rising == nil {
		p.rising = numeric.Indices[int32](len(p.cap))
		slices.SortFunc(p.rising, func(a, b int32) int { return cmp.Or(cmp.Compare(p.cap[a], p.cap[b]), cmp.Compare(a, b)) })
	}
	return p.rising
}

// solution is one choice of level and bin for every job.
type solution struct {
	level []int32 // index in dem and rev
	bin   []int32 // -1: left out
	value int64
}

func (p *problem) jobs() int { return len(p.first) }

// levels is the number of levels of all jobs.
func (p *problem) levels() int {
	n := 0
	for k := range p.first {
		n += int(p.last[k] - p.first[k])
	}
	return n
}

// free reports whether every job may use every bin.
func (p *problem) free() bool { return p.sites == nil && p.home == nil }

// allowed reports whether job k may use bin j.
func (p *problem) allowed(k, j int32) bool {
	if p.home != nil && p.home[k] == p.unit[j] {
		return false
	}
	if p.sites == nil || p.sites[k] == nil {
		return true
	}
	_, found := slices.BinarySearch(p.sites[k], j)
	return found
}

// listed reports whether job k names the bins that it may use.
func (p *problem) listed(k int32) bool { return p.sites != nil && p.sites[k] != nil }

// binsOf yields the bins that job k may use, ascending.
func (p *problem) binsOf(k int32) iter.Seq[int32] { return p.binsFrom(k, 0) }

// binsFrom is binsOf from a place among the bins on, and then round from the first.
func (p *problem) binsFrom(k int32, from int) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		n := len(p.cap)
		if p.listed(k) {
			n = len(p.sites[k])
		}
		for i := range n {
			if i += from; i >= n {
				i -= n
			}
			j := int32(i)
			if p.listed(k) {
				j = p.sites[k][i]
			}
			if (p.home == nil || p.home[k] != p.unit[j]) && !yield(j) {
				return
			}
		}
	}
}

// isOut reports whether level l of job k stands for "left out".
func (p *problem) isOut(k, l int32) bool {
	return p.skip && l == p.first[k] && (p.keep == nil || !p.keep[k])
}

// widest returns the capacity of the largest bin that job k may use.
func (p *problem) widest(k int32, largest int64) int64 {
	if p.home == nil && !p.listed(k) {
		return largest
	}
	most := int64(-1)
	for j := range p.binsOf(k) {
		most = max(most, p.cap[j])
	}
	return most
}

// trimmed returns the problem without the levels that fit no bin, itself where all fit. The jobs that have no level
// left are returned as culprits.
func (p *problem) trimmed() (*problem, []int32) {
	largest := int64(-1)
	for _, c := range p.cap {
		largest = max(largest, c)
	}
	q := p
	var culprits []int32
	for k := range p.first {
		most := largest
		if !p.free() {
			most = p.widest(int32(k), largest)
		}
		end := p.last[k]
		for end > p.first[k] && p.dem[end-1] > most && !p.isOut(int32(k), end-1) {
			end--
		}
		if end == p.first[k] {
			culprits = append(culprits, int32(k))
			end++ // keep the shape
		}
		if end != p.last[k] {
			if q == p {
				own := *p
				q, own.last = &own, slices.Clone(p.last)
			}
			q.last[k] = end
		}
	}
	return q, culprits
}

// same reports whether trimming took no level from problem q.
func (p *problem) same(q *problem) bool { return len(p.last) == 0 || &p.last[0] == &q.last[0] }

// least returns the sum of the least demands.
func (p *problem) least() int64 {
	var t int64
	for _, l := range p.first {
		t += p.dem[l]
	}
	return t
}

// revenue returns the revenue of the given levels.
func (p *problem) revenue(level []int32) int64 {
	var t int64
	for _, l := range level {
		t += p.rev[l]
	}
	return t
}

// unitCost returns what a unit of demand costs in bin j.
func (p *problem) unitCost(j int32) int64 {
	if p.cost == nil {
		return 0
	}
	return p.cost[j]
}

// worth returns the revenue of level l less its cost in bin j, −1 for none.
func (p *problem) worth(l, j int32) int64 {
	if p.cost == nil || j < 0 {
		return p.rev[l]
	}
	return p.rev[l] - p.cost[j]*p.dem[l]
}

// value returns the revenue of the given levels less their cost in the bins.
func (p *problem) value(level, bin []int32) int64 {
	if p.cost == nil {
		return p.revenue(level)
	}
	var t int64
	for k, l := range level {
		t += p.worth(l, bin[k])
	}
	return t
}
