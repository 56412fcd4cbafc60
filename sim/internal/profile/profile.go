// Package profile answers: when is a number of nodes free for a given time, with all reservations
// kept? Simulations that reserve ahead, such as conservative backfilling, are built on it.
package profile

import (
	"math"
	"slices"
	"sort"
)

// blockSize is how many segments a block of a profile holds at most. A change of a whole block costs as much as that of one segment, so both
// searches and changes take about √n steps of the simplest kind.
const blockSize = 64

// A profile says how many nodes of a cluster are free at each time from now on,
// with all reservations kept: a step function, in blocks that know their least
// and greatest step. A change over a range reaches the blocks inside it by one
// addition each, and a search passes over blocks without looking inside.
//
// Neighbouring segments differ, the last one never ends and has all nodes free.
type Profile struct {
	blocks []*block
	first  []float64 // by block: where it begins
	spare  []*block
	steps  uint64
}

type block struct {
	at          []float64 // where segments begin
	free        []int32   // nodes less add
	add         int32
	least, most int32 // of the nodes, add included
}

// A Spot is a segment of a profile, by block and place in it.
type Spot struct{ b, i int }

// New returns the profile of nodes that are all free, always.
func New(nodes int32) *Profile {
	p := &Profile{}
	k := p.fresh()
	k.at, k.free = append(k.at, math.Inf(-1)), append(k.free, nodes)
	k.bound()
	p.blocks, p.first = append(p.blocks, k), append(p.first, math.Inf(-1))
	return p
}

func (p *Profile) fresh() *block {
	if n := len(p.spare); n > 0 {
		k := p.spare[n-1]
		p.spare = p.spare[:n-1]
		return k
	}
	return &block{at: make([]float64, 0, blockSize+1), free: make([]int32, 0, blockSize+1)}
}

// bound finds the least and the greatest step again.
func (k *block) bound() {
	least, most := int32(math.MaxInt32), int32(math.MinInt32)
	for _, f := range k.free {
		least, most = min(least, f), max(most, f)
	}
	k.least, k.most = least+k.add, most+k.add
}

// after returns how many of increasing times are not after t.
func after(times []float64, t float64) int {
	low, high := 0, len(times)
	for low < high {
		if middle := int(uint(low+high) / 2); times[middle] <= t {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// Locate returns the segment that holds time t.
func (p *Profile) Locate(t float64) Spot {
	p.steps += 8
	b := max(0, after(p.first, t)-1)
	return Spot{b, max(0, after(p.blocks[b].at, t)-1)}
}

// At returns where a segment begins.
func (p *Profile) At(s Spot) float64 { return p.blocks[s.b].at[s.i] }

// Free returns how many nodes are free in a segment.
func (p *Profile) Free(s Spot) int32 { return p.blocks[s.b].free[s.i] + p.blocks[s.b].add }

// FreeAt returns how many nodes are free at t.
func (p *Profile) FreeAt(t float64) int32 { return p.Free(p.Locate(t)) }

// split lets a segment begin at t.
func (p *Profile) split(t float64) Spot {
	s := p.Locate(t)
	k := p.blocks[s.b]
	if k.at[s.i] == t {
		return s
	}
	s.i++
	k.at = slices.Insert(k.at, s.i, t)
	k.free = slices.Insert(k.free, s.i, k.free[s.i-1])
	if len(k.at) <= blockSize {
		return s
	}
	const half = blockSize / 2
	tail := p.fresh()
	tail.add = k.add
	tail.at, tail.free = append(tail.at[:0], k.at[half:]...), append(tail.free[:0], k.free[half:]...)
	k.at, k.free = k.at[:half], k.free[:half]
	k.bound()
	tail.bound()
	p.steps += uint64(len(p.blocks)-s.b) / 8
	p.blocks = slices.Insert(p.blocks, s.b+1, tail)
	p.first = slices.Insert(p.first, s.b+1, tail.at[0])
	if s.i >= half {
		s = Spot{s.b + 1, s.i - half}
	}
	return s
}

// Change adds nodes to those that are free within [from, to).
func (p *Profile) Change(from, to float64, nodes int32) {
	if !(from < to) {
		return
	}
	p.split(to)
	s := p.split(from)
	for b, i := s.b, s.i; b < len(p.blocks); b, i = b+1, 0 {
		k := p.blocks[b]
		end := len(k.at)
		inside := b+1 < len(p.blocks) && p.first[b+1] <= to
		if !inside {
			end = i + sort.SearchFloat64s(k.at[i:], to)
		}
		if i == 0 && end == len(k.at) {
			k.add += nodes
			k.least += nodes
			k.most += nodes
			p.steps++
		} else {
			p.steps += uint64(len(k.at))
			for j := i; j < end; j++ {
				k.free[j] += nodes
			}
			k.bound()
		}
		if !inside {
			break
		}
	}
	p.join(to)
	p.join(from)
}

// join drops the beginning of a segment at t where nothing changes there.
func (p *Profile) join(t float64) {
	s := p.Locate(t)
	k := p.blocks[s.b]
	if s.i == 0 && s.b == 0 || k.at[s.i] != t {
		return
	}
	before := Spot{s.b, s.i - 1}
	if s.i == 0 {
		before = Spot{s.b - 1, len(p.blocks[s.b-1].at) - 1}
	}
	if p.Free(before) != p.Free(s) {
		return
	}
	k.at, k.free = slices.Delete(k.at, s.i, s.i+1), slices.Delete(k.free, s.i, s.i+1)
	if len(k.at) == 0 {
		p.drop(s.b)
		return
	}
	if s.i == 0 {
		p.first[s.b] = k.at[0]
	}
	k.bound()
	if s.b+1 < len(p.blocks) && len(k.at)+len(p.blocks[s.b+1].at) <= blockSize/2 {
		n := p.blocks[s.b+1]
		for i, f := range n.free {
			k.at, k.free = append(k.at, n.at[i]), append(k.free, f+n.add-k.add)
		}
		k.bound()
		p.drop(s.b + 1)
	}
}

func (p *Profile) drop(b int) {
	k := p.blocks[b]
	k.at, k.free, k.add = k.at[:0], k.free[:0], 0
	p.spare = append(p.spare, k)
	p.steps += uint64(len(p.blocks)-b) / 8
	p.blocks, p.first = slices.Delete(p.blocks, b, b+1), slices.Delete(p.first, b, b+1)
}

// Forget drops blocks that end before now.
func (p *Profile) Forget(now float64) {
	for len(p.blocks) > 1 && p.first[1] <= now {
		p.drop(0)
	}
}
