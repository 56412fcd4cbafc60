package lease

import (
	"math"

	"github.com/capplan/capplan/sim/internal/profile"
)

// open notes that more nodes are free within [from, to) than were expected to be
// when the leases that wait now were given their reservations.
func (c *cluster) open(from, to float64) {
	if from < to {
		c.openTo = max(c.openTo, to)
	}
}

// compress begins waiting leases early: those that fit now for their whole
// duration with every other reservation kept, in the order of their reservations.
// Reservations that cannot begin now stay where they are: what they promised
// holds, and they are asked again whenever nodes come free.
//
// Moving all of them up at once, each into what the one before has left, would
// move nearly every waiting lease at nearly every preemption where the queue is
// long, for starts that the next preemption undoes. Blocks of the queue in which
// no lease fits are passed over, so that the cost is that of the leases that begin.
//
// begin is called for each, with its reservation from now on.
func (c *cluster) compress(now float64, begin func(id int32)) {
	if c.waiting.n == 0 || !(now < c.openTo) {
		return
	}
	m, ok := c.mould(now)
	for at := (spot{}); ok && at.b < len(c.waiting.blocks); {
		k := c.waiting.blocks[at.b]
		if at.i == 0 && !c.mayTake(&m, k, now) {
			at.b++
			continue
		}
		id := k.ids[at.i]
		if c.fitsNow(id, &m, now) {
			l := &c.leases.all[id]
			start, seq := l.start, l.seq
			c.advance(id, now)
			begin(id)
			m, ok = c.mould(now)
			at = c.waiting.find(start, seq)
			continue
		}
		if at.i++; at.i == len(k.ids) {
			at = spot{at.b + 1, 0}
		}
	}
}

// A mould is what is free now: by class of width until when.
type mould struct {
	spot  profile.Spot
	nodes int32
	class int // of the nodes
	until [classes]float64
}

// mould looks at what is free now; ok is false where nothing is.
func (c *cluster) mould(now float64) (m mould, ok bool) {
	m.spot = c.free.Locate(now)
	if m.nodes = c.free.Free(m.spot); m.nodes < 1 {
		return m, false
	}
	m.class = class(m.nodes)
	for k := m.class; k >= 0; k-- {
		from := m.spot
		m.until[k] = math.Inf(1)
		if short, found := c.free.Below(from, narrowest(k), math.Inf(1)); found {
			m.until[k] = c.free.At(short)
		}
	}
	return m, true
}

// mayTake reports whether a lease of the block might fit.
func (c *cluster) mayTake(m *mould, k *part, now float64) bool {
	first := c.leases.all[k.ids[0]].start
	for w := 0; w <= m.class; w++ {
		if long := k.shortest[w]; now+long <= m.until[w] || first <= m.until[w] && !math.IsInf(long, 1) {
			return true
		}
	}
	return false
}

// fitsNow reports whether a waiting lease can begin now. From its start on its nodes are reserved
// for itself.
func (c *cluster) fitsNow(id int32, m *mould, now float64) bool {
	l := &c.leases.all[id]
	if l.nodes > m.nodes || !(l.start > now) {
		return false
	}
	end := min(now+l.long, l.start)
	if end > m.until[class(l.nodes)] {
		return false
	}
	_, short := c.free.Below(m.spot, l.nodes, end)
	return !short
}

// advance moves a reservation to now and takes the lease off the queue.
func (c *cluster) advance(id int32, now float64) {
	l := &c.leases.all[id]
	c.leave(id)
	from, to := l.start, l.end
	l.start, l.end = now, now+l.long
	c.free.Change(from, to, l.nodes)
	c.free.Change(l.start, l.end, -l.nodes)
	c.open(max(from, l.end), to)
}
