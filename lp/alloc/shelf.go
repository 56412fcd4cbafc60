package alloc

import (
	"iter"
	"slices"
	"sort"
)

// A shelf keeps bins in rising order of the room that is left in them. A bin that loses room goes behind those of as
// much, and one that gains some before them. The order lies in blocks, so that a change moves bins of a block or two
// and not half of a million.
type shelf struct {
	room        []int64 // left, by bin
	turn        []int64 // rises among bins of equal room
	first, last int64   // turns given out
	blocks      [][]int32
	lines       []*line
}

// A line keeps bins in one order for good, and finds the first with enough room: a tree of the most room below.
type line struct {
	place []int32 // by bin
	most  []int64 // those of the bins are the second half
}

// lineUp puts the bins in the given order.
func (s *shelf) lineUp(bins []int32) *line {
	half := 1
	for half < len(bins) {
		half *= 2
	}
	l := &line{make([]int32, len(bins)), slices.Repeat([]int64{-1}, 2*half)}
	for i, j := range bins {
		l.place[j] = int32(i)
		l.most[half+i] = s.room[j]
	}
	for i := half - 1; i > 0; i-- {
		l.most[i] = max(l.most[2*i], l.most[2*i+1])
	}
	s.lines = append(s.lines, l)
	return l
}

// set notes the room of a bin.
func (l *line) set(j int32, room int64) {
	i := len(l.most)/2 + int(l.place[j])
	l.most[i] = room
	for i /= 2; i > 0; i /= 2 {
		most := max(l.most[2*i], l.most[2*i+1])
		if most == l.most[i] {
			return
		}
		l.most[i] = most
	}
}

// first returns the first place that has room of at least d, the number of places for none.
func (l *line) first(d int64) int {
	if l.most[1] < d {
		return len(l.place)
	}
	i, half := 1, len(l.most)/2
	for i < half {
		if i *= 2; l.most[i] < d {
			i++
		}
	}
	return i - half
}

// blockBins is how many bins a block begins with; it is cut in two at twice as many.
const blockBins = 512

// newShelf begins with all bins, in rising order of their room.
func newShelf(room []int64, rising []int32) *shelf {
	s := &shelf{room: slices.Clone(room), turn: make([]int64, len(room)), last: int64(len(room))}
	for j := range s.turn {
		s.turn[j] = int64(j)
	}
	for block := range slices.Chunk(rising, blockBins) {
		s.blocks = append(s.blocks, slices.Clone(block))
	}
	return s
}

// before reports whether bin a stands before bin b.
func (s *shelf) before(a, b int32) bool {
	return s.room[a] < s.room[b] || s.room[a] == s.room[b] && s.turn[a] < s.turn[b]
}

// find returns the block and the place in it where bin j stands, or else belongs.
func (s *shelf) find(j int32) (block, at int) {
	block = sort.Search(len(s.blocks)-1, func(b int) bool { return !s.before(s.blocks[b][len(s.blocks[b])-1], j) })
	bins := s.blocks[block]
	return block, sort.Search(len(bins), func(i int) bool { return !s.before(bins[i], j) })
}

// take changes the room of bin j.
func (s *shelf) take(j int32, amount int64) {
	if amount == 0 {
		return
	}
	b, i := s.find(j)
	bins := s.blocks[b]
	s.room[j] -= amount
	for _, l := range s.lines {
		l.set(j, s.room[j])
	}
	if amount > 0 {
		s.last++
		s.turn[j] = s.last
	} else {
		s.first--
		s.turn[j] = s.first
	}
	if i > 0 && i+1 < len(bins) && s.before(bins[i-1], j) && s.before(j, bins[i+1]) {
		return // it stays where it is
	}
	if s.blocks[b] = slices.Delete(bins, i, i+1); len(s.blocks[b]) == 0 && len(s.blocks) > 1 {
		s.blocks = slices.Delete(s.blocks, b, b+1)
	}
	b, i = s.find(j)
	bins = slices.Insert(s.blocks[b], i, j)
	s.blocks[b] = bins
	if len(bins) >= 2*blockBins {
		s.blocks[b] = bins[:blockBins:blockBins]
		s.blocks = slices.Insert(s.blocks, b+1, slices.Clone(bins[blockBins:]))
	}
}

// from yields the bins with room of at least d, those of the least room first.
func (s *shelf) from(d int64) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		at := sort.Search(len(s.blocks), func(b int) bool { return s.room[s.blocks[b][len(s.blocks[b])-1]] >= d })
		for b := at; b < len(s.blocks); b++ {
			bins, i := s.blocks[b], 0
			if b == at {
				i = sort.Search(len(bins), func(i int) bool { return s.room[bins[i]] >= d })
			}
			for ; i < len(bins); i++ {
				if !yield(bins[i]) {
					return
				}
			}
		}
	}
}

// down yields all bins, those of the most room first.
func (s *shelf) down() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, bins := range slices.Backward(s.blocks) {
			for _, j := range slices.Backward(bins) {
				if !yield(j) {
					return
				}
			}
		}
	}
}

// largest is the most room of a bin, −1 where there is none.
func (s *shelf) largest() int64 {
	for j := range s.down() {
		return s.room[j]
	}
	return -1
}

// bestFit returns the allowed bin with the least room of at least d, −1 for
// none; where bins have prices, that with the least price.
func (a *packing) bestFit(k int32, d int64) int32 {
	if a.p.cost != nil {
		return a.cheapest(k, d)
	}
	best := int32(-1)
	if a.p.listed(k) {
		for j := range a.p.binsOf(k) {
			if a.room[j] >= d && (best < 0 || a.before(j, best)) {
				best = j
			}
		}
		return best
	}
	for j := range a.from(d) {
		if a.p.free() || a.p.allowed(k, j) {
			return j
		}
	}
	return best
}

// cheapest is bestFit by price, then by room.
func (a *packing) cheapest(k int32, d int64) int32 {
	best := int32(-1)
	if a.p.listed(k) {
		for j := range a.p.binsOf(k) {
			if a.room[j] >= d && (best < 0 || a.p.cost[j] < a.p.cost[best] ||
				a.p.cost[j] == a.p.cost[best] && a.room[j] < a.room[best]) {
				best = j
			}
		}
		return best
	}
	for _, j := range a.p.line[a.lines[0].first(d):] {
		if best >= 0 && a.p.cost[j] > a.p.cost[best] {
			break
		}
		if a.room[j] >= d && (best < 0 || a.room[j] < a.room[best]) && a.p.allowed(k, j) {
			best = j
		}
	}
	return best
}

// An offer is the least price of a bin with so much room.
type offer struct {
	room int64
	bin  int32 // that has it
}

// offers returns the cheapest bins by how much they have room for, in rising order of both; nil without prices.
func (a *packing) offers() []offer {
	var list []offer
	most := int64(-1)
	for _, j := range a.p.line {
		if r := a.room[j]; r > most {
			list, most = append(list, offer{r, j}), r
		}
	}
	return list
}

// cheapestOf returns the cheapest bin of a list of offers with room of at least d, -1 for none.
func cheapestOf(list []offer, d int64) int32 {
	if i := sort.Search(len(list), func(i int) bool { return list[i].room >= d }); i < len(list) {
		return list[i].bin
	}
	return -1
}

// roomiest returns the allowed bin with the most room, −1 for none.
func (a *packing) roomiest(k int32) int32 {
	best := int32(-1)
	if a.p.listed(k) {
		for j := range a.p.binsOf(k) {
			if best < 0 || a.before(best, j) {
				best = j
			}
		}
		return best
	}
	for j := range a.down() {
		if a.p.free() || a.p.allowed(k, j) {
			return j
		}
	}
	return best
}
