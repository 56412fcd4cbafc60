package station

import (
	"math"
	"math/bits"
)

// A lineup holds who waits, in the order of arrival. They stand in blocks, and over these is a tree
// whose nodes know who is both narrow and short, or promised a start soon: the next who fits is found
// without a look at those who do not.
type lineup struct {
	*desk
	ids        []int32 // by slot; -1 where one has left
	alive      int
	head       int          // no slot before it has anybody
	edge       int          // behind the last who was promised a start
	leaves     int          // a power of two
	nodes      []lineupNode // node 1 is the root, the leaves are blocks
	lineupNode              // one that is being made
}

// A lineupNode has what is best of the widths and estimates below it, and of the widths and starts
// that were promised.
type lineupNode struct{ estimates, starts front }

// lineupBlock is how many slots a block has.
const lineupBlock = 16

func newLineup(d *desk) *lineup {
	l := &lineup{desk: d}
	l.plant(1)
	return l
}

// plant makes a tree for as many blocks at least.
func (l *lineup) plant(blocks int) {
	l.leaves = 1 << bits.Len(uint(blocks-1))
	if n := 2 * l.leaves; n > len(l.nodes) {
		l.nodes = append(l.nodes, make([]lineupNode, n-len(l.nodes))...)
	}
	for b := range l.leaves {
		l.gather(b)
	}
	for n := l.leaves - 1; n > 0; n-- {
		l.merge(n)
	}
}

// gather finds what a block has, and merge what the two below a node have; they report whether that
// is another.
func (l *lineup) gather(b int) bool {
	l.estimates, l.starts = l.estimates[:0], l.starts[:0]
	for i := b * lineupBlock; i < min(len(l.ids), (b+1)*lineupBlock); i++ {
		if id := l.ids[i]; id >= 0 {
			c := &l.table[id]
			l.estimates.add(width{c.width, c.estimate})
			l.starts.add(width{c.width, c.promised})
		}
	}
	return l.put(l.leaves + b)
}

func (l *lineup) merge(n int) bool {
	one, other := &l.nodes[2*n], &l.nodes[2*n+1]
	l.estimates.merge(one.estimates, other.estimates)
	l.starts.merge(one.starts, other.starts)
	return l.put(n)
}

// put gives a node what was found.
func (l *lineup) put(n int) bool {
	at := &l.nodes[n]
	if at.estimates.is(l.estimates) && at.starts.is(l.starts) {
		return false
	}
	at.estimates, at.starts = append(at.estimates[:0], l.estimates...), append(at.starts[:0], l.starts...)
	return true
}

// changed brings the tree up to date about a slot.
func (l *lineup) changed(slot int) {
	b := slot / lineupBlock
	other := l.gather(b)
	for n := (l.leaves + b) / 2; n > 0 && other; n /= 2 {
		other = l.merge(n)
	}
}

// push puts one who comes at the end.
func (l *lineup) push(id int32) {
	if len(l.ids) == l.leaves*lineupBlock {
		l.close()
	}
	c := &l.table[id]
	c.rank, c.promised = int32(len(l.ids)), math.Inf(1)
	l.ids = append(l.ids, id)
	l.alive++
	for n := l.leaves + int(c.rank)/lineupBlock; n > 0; n /= 2 {
		if !l.nodes[n].estimates.add(width{c.width, c.estimate}) {
			break
		}
	}
}

// promised notes that a start was promised, no later than one before it.
func (l *lineup) promised(id int32) {
	c := &l.table[id]
	for n := l.leaves + int(c.rank)/lineupBlock; n > 0; n /= 2 {
		if !l.nodes[n].starts.add(width{c.width, c.promised}) {
			break
		}
	}
}

// close moves up those behind the slots of who has left, and makes room for as many again.
func (l *lineup) close() {
	kept, edge := l.ids[:0], l.edge
	for slot, id := range l.ids {
		if slot == edge {
			l.edge = len(kept)
		}
		if id >= 0 {
			l.table[id].rank = int32(len(kept))
			kept = append(kept, id)
		}
	}
	if edge == len(l.ids) {
		l.edge = len(kept)
	}
	l.ids, l.head = kept, 0
	l.plant(1 + 2*len(kept)/lineupBlock)
}

// remove takes one out.
func (l *lineup) remove(id int32) {
	slot := int(l.table[id].rank)
	l.ids[slot] = -1
	l.changed(slot)
	if l.alive--; l.alive == 0 {
		l.close()
	}
	for l.head < len(l.ids) && l.ids[l.head] < 0 {
		l.head++
	}
}

// first returns who came first.
func (l *lineup) first() int32 { return l.ids[l.head] }

// next returns the first slot from one on of whom fits is true, and may of a node that he is below;
// -1 where there is none.
func (l *lineup) next(from int, may func(n *lineupNode) bool, fits func(c *customer) bool) int {
	for b := from / lineupBlock; b < l.leaves; b++ {
		if b = l.block(b, may); b < 0 {
			break
		}
		for i := max(from, b*lineupBlock); i < min(len(l.ids), (b+1)*lineupBlock); i++ {
			if id := l.ids[i]; id >= 0 && fits(&l.table[id]) {
				return i
			}
		}
	}
	return -1
}

// block returns the first block from one on of which may is true, -1 where there is none.
func (l *lineup) block(b int, may func(n *lineupNode) bool) int {
	n := l.leaves + b
	for !may(&l.nodes[n]) {
		for n&1 == 1 {
			n /= 2
		}
		if n == 0 {
			return -1
		}
		n++
	}
	for n < l.leaves {
		if n *= 2; !may(&l.nodes[n]) {
			n++
		}
	}
	return n - l.leaves
}
