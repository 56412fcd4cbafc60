package station

import (
	"cmp"
	"slices"
)

// easy is FCFS with EASY backfilling: the first who does not fit has its start
// reserved at the shadow time, when enough of those in service will have ended;
// others may pass if they end by then or fit beside the first then.
type easy struct {
	*desk
	queue   []int32 // in the order of arrival
	running []term  // by end
}

// A term is when one in service ends by its estimate.
type term struct {
	end   float64
	id    int32
	width int32
}

func (e *easy) start(id int32, queued bool) {
	c := &e.table[id]
	t := term{end: e.now + c.estimate, id: id, width: c.width}
	i, _ := slices.BinarySearchFunc(e.running, t, func(a, b term) int { return cmp.Compare(a.end, b.end) })
	e.running = slices.Insert(e.running, i, t)
	e.begin(id, queued)
}

// shadow returns when the first of the queue will fit, and how many servers are
// then left over beside it.
func (e *easy) shadow() (at float64, extra int) {
	free := e.servers - e.busy
	width := int(e.table[e.queue[0]].width)
	for i, t := range e.running {
		free += int(t.width)
		if free >= width && (i+1 == len(e.running) || e.running[i+1].end > t.end) {
			return t.end, free - width
		}
	}
	return e.now, free - width
}

func (e *easy) arrive(id int32) {
	width := int(e.table[id].width)
	free := e.servers - e.busy
	if len(e.queue) == 0 && width <= free {
		e.start(id, false)
		return
	}
	if len(e.queue) > 0 && width <= free {
		if at, extra := e.shadow(); width <= extra || e.now+e.table[id].estimate <= at {
			e.start(id, false)
			return
		}
	}
	e.queue = append(e.queue, id)
	e.wait(id)
}

// more starts all who may, in order.
func (e *easy) more() {
	for len(e.queue) > 0 && int(e.table[e.queue[0]].width) <= e.servers-e.busy {
		id := e.queue[0]
		e.queue = e.queue[1:]
		e.start(id, true)
	}
	if len(e.queue) < 2 || e.servers == e.busy {
		return
	}
	at, extra := e.shadow()
	kept := e.queue[:1]
	for k, id := range e.queue[1:] {
		c := &e.table[id]
		width := int(c.width)
		beside := width <= extra
		if width <= e.servers-e.busy && (beside || e.now+c.estimate <= at) {
			if e.now+c.estimate > at {
				extra -= width
			}
			e.start(id, true)
			if e.servers == e.busy {
				kept = append(kept, e.queue[k+2:]...)
				break
			}
			continue
		}
		kept = append(kept, id)
	}
	e.queue = kept
}

func (e *easy) left(id int32) {
	i := slices.IndexFunc(e.running, func(t term) bool { return t.id == id })
	e.running = slices.Delete(e.running, i, i+1)
	e.more()
}

func (e *easy) gone(id int32) {
	i := slices.Index(e.queue, id)
	e.queue = slices.Delete(e.queue, i, i+1)
	e.more()
}

func (e *easy) due(int32, uint32) {}
