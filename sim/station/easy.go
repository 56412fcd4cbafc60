package station

import (
	"github.com/capplan/capplan/sim/internal/profile"
)

// easy is FCFS with EASY backfilling: the first who does not fit has its start
// reserved at the shadow time, when enough of those in service will have ended;
// others may pass if they end by then or fit beside the first then.
type easy struct {
	*desk
	queue *lineup
	free  *profile.Profile // with those in service, by their estimates
	ended int32            // servers of those whose service takes no time, and ends now
}

func newEasy(d *desk) *easy {
	return &easy{desk: d, queue: newLineup(d), free: profile.New(int32(d.servers))}
}

func (e *easy) start(id int32, queued bool) {
	c := &e.table[id]
	if end := e.now + c.estimate; e.now < end {
		e.free.Change(e.now, end, -c.width)
	} else {
		e.ended += c.width
	}
	e.begin(id, queued)
}

// shadow returns when the first of the queue will fit, and how many servers are
// then left over beside it.
func (e *easy) shadow() (at float64, extra int32) {
	width := e.table[e.queue.first()].width
	at, free := e.free.When(width-e.ended, e.now)
	return at, free + e.ended - width
}

func (e *easy) arrive(id int32) {
	c := &e.table[id]
	if int(c.width) <= e.servers-e.busy {
		if e.queue.alive == 0 {
			e.start(id, false)
			return
		}
		if at, extra := e.shadow(); c.width <= extra || e.now+c.estimate <= at {
			e.start(id, false)
			return
		}
	}
	e.queue.push(id)
	e.wait(id)
}

// more starts all who may, in order.
func (e *easy) more() {
	for e.queue.alive > 0 {
		id := e.queue.first()
		if int(e.table[id].width) > e.servers-e.busy {
			break
		}
		e.queue.remove(id)
		e.start(id, true)
	}
	if e.queue.alive < 2 || e.servers == e.busy {
		return
	}
	at, extra := e.shadow()
	free := int32(e.servers - e.busy)
	by := func(estimate float64) bool { return e.now+estimate <= at }
	may := func(n *lineupNode) bool {
		f := n.estimates
		return len(f) > 0 && f[0].servers <= min(free, extra) || f.within(free, by)
	}
	fits := func(c *customer) bool {
		return c.width <= free && (c.width <= extra || by(c.estimate))
	}
	for slot := e.queue.head; free > 0; free = int32(e.servers - e.busy) {
		if slot = e.queue.next(slot+1, may, fits); slot < 0 {
			return
		}
		id := e.queue.ids[slot]
		if c := &e.table[id]; e.now+c.estimate > at {
			extra -= c.width
		}
		e.queue.remove(id)
		e.start(id, true)
	}
}

func (e *easy) left(id int32) {
	c := &e.table[id]
	e.free.Forget(e.now)
	if end := c.began + c.estimate; c.began < end {
		e.free.Change(e.now, end, c.width)
	} else {
		e.ended -= c.width
	}
	e.more()
}

func (e *easy) gone(id int32) {
	e.queue.remove(id)
	e.more()
}

func (e *easy) due(int32, uint32) {}
