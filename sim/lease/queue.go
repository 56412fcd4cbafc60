package lease

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

// blockSize is how many leases a block of a queue holds at most, as those of package
// profile hold segments.
const blockSize = 64

// A spot is a place in a queue, by block and place in it.
type spot struct{ b, i int }

// A queue holds the waiting leases of a cluster in the order of their starts, of
// arrival where these are equal, in blocks that know enough of their leases for
// searches to pass over them.
type queue struct {
	leases *leases
	blocks []*part
	spare  []*part
	n      int
}

type part struct {
	ids      []int32
	lastEnd  float64
	shortest [classes]float64 // least duration of those of a class of width
}

// classes of widths: 1, 2, 3..4, 5..8 and so on; the last holds all that is wider.
const classes = 12

// class returns the class of a width.
func class(nodes int32) int { return min(bits.Len32(uint32(nodes-1)), classes-1) }

// narrowest returns the least width of a class.
func narrowest(class int) int32 {
	if class == 0 {
		return 1
	}
	return 1<<(class-1) + 1
}

// before reports whether a lease comes before the place of a start and an arrival.
func (q *queue) before(id int32, start float64, seq uint64) bool {
	l := &q.leases.all[id]
	return l.start < start || l.start == start && l.seq < seq
}

// find returns the place of the first lease not before a start and an arrival.
func (q *queue) find(start float64, seq uint64) spot {
	b := sort.Search(len(q.blocks), func(i int) bool {
		ids := q.blocks[i].ids
		return !q.before(ids[len(ids)-1], start, seq)
	})
	if b == len(q.blocks) {
		return spot{b, 0}
	}
	ids := q.blocks[b].ids
	return spot{b, sort.Search(len(ids), func(i int) bool { return !q.before(ids[i], start, seq) })}
}

// first returns the lease that starts first, -1 where none waits.
func (q *queue) first() int32 {
	if q.n == 0 {
		return -1
	}
	return q.blocks[0].ids[0]
}

func (q *queue) insert(id int32) {
	q.n++
	l := &q.leases.all[id]
	s := q.find(l.start, l.seq)
	if s.b == len(q.blocks) {
		if s.b == 0 {
			q.blocks = append(q.blocks, q.fresh())
		} else {
			s = spot{s.b - 1, len(q.blocks[s.b-1].ids)}
		}
	}
	k := q.blocks[s.b]
	k.ids = slices.Insert(k.ids, s.i, id)
	if len(k.ids) <= blockSize {
		k.count(l)
		return
	}
	const half = blockSize / 2
	tail := q.fresh()
	tail.ids = append(tail.ids, k.ids[half:]...)
	k.ids = k.ids[:half]
	q.recount(k)
	q.recount(tail)
	q.blocks = slices.Insert(q.blocks, s.b+1, tail)
}

func (q *queue) remove(id int32) {
	q.n--
	l := &q.leases.all[id]
	s := q.find(l.start, l.seq)
	k := q.blocks[s.b]
	k.ids = slices.Delete(k.ids, s.i, s.i+1)
	if len(k.ids) == 0 {
		q.spare = append(q.spare, k)
		q.blocks = slices.Delete(q.blocks, s.b, s.b+1)
		return
	}
	if l.end == k.lastEnd || l.long <= k.shortest[class(l.nodes)] {
		q.recount(k)
	}
}

func (q *queue) fresh() *part {
	if n := len(q.spare); n > 0 {
		k := q.spare[n-1]
		q.spare = q.spare[:n-1]
		k.ids = k.ids[:0]
		k.clear()
		return k
	}
	k := &part{ids: make([]int32, 0, blockSize+1)}
	k.clear()
	return k
}

func (k *part) clear() {
	k.lastEnd = math.Inf(-1)
	for c := range k.shortest {
		k.shortest[c] = math.Inf(1)
	}
}

// count adds a lease to what the block knows.
func (k *part) count(l *lease) {
	k.lastEnd = max(k.lastEnd, l.end)
	c := class(l.nodes)
	k.shortest[c] = min(k.shortest[c], l.long)
}

func (q *queue) recount(k *part) {
	k.clear()
	for _, id := range k.ids {
		k.count(&q.leases.all[id])
	}
}

// across calls use for each lease whose reservation holds time t.
func (q *queue) across(t float64, use func(id int32)) {
	for _, k := range q.blocks {
		if q.leases.all[k.ids[0]].start > t {
			return
		}
		if k.lastEnd <= t {
			continue
		}
		for _, id := range k.ids {
			if l := &q.leases.all[id]; l.start > t {
				return
			} else if l.end > t {
				use(id)
			}
		}
	}
}
