package station

// A queue serves as they came or the shortest first, by priority or not; with
// interruptions it takes servers from those who stand last in that order.
type queue struct {
	*desk
	waitingHeap heap
	running     heap // the last at the top; only where services are interrupted
	stale       int
}

// place returns where a customer stands among those who wait, or among those in
// service.
func (q *queue) place(id int32) place {
	c := &q.table[id]
	p := place{seq: c.seq, id: id, stamp: c.stamp}
	if q.st.Priorities {
		p.priority = c.class
	}
	switch q.st.Order {
	case SJF:
		p.key = c.length
	case SRPT:
		if p.key = c.left; c.serving {
			p.key = q.now + c.left // when it ends: what remains falls alike for all
		}
	}
	return p
}

func (q *queue) arrive(id int32) {
	if q.servers-q.busy >= int(q.table[id].width) {
		mine := q.place(id)
		if first := q.first(); first == nil || mine.before(first) {
			q.start(id, false)
			return
		}
	}
	if q.interrupted && q.takesOver(id) {
		return
	}
	q.wait(id)
	q.waitingHeap.push(q.place(id))
}

// takesOver gives an arrival the server of the last in service, if that stands
// after it.
func (q *queue) takesOver(id int32) bool {
	for len(q.running.places) > 0 {
		last := q.running.places[0]
		if q.table[last.id].stamp != last.stamp {
			q.running.pop()
			continue
		}
		mine := q.place(id)
		if q.st.Order == SRPT {
			mine.key += q.now
		}
		if !mine.before(&last) {
			return false
		}
		q.running.pop()
		q.interrupt(last.id)
		q.waitingHeap.push(q.place(last.id))
		q.start(id, false)
		return true
	}
	return false
}

func (q *queue) start(id int32, queued bool) {
	q.begin(id, queued)
	if q.interrupted {
		q.running.push(q.place(id))
		if n := len(q.running.places); n > 64 && n > 4*q.busy {
			q.running.keep(q.fresh)
		}
	}
}

func (q *queue) fresh(p *place) bool { return q.table[p.id].stamp == p.stamp }

// first returns who waits first, nil where nobody does.
func (q *queue) first() *place {
	for q.waiting > 0 {
		first := &q.waitingHeap.places[0]
		if q.fresh(first) {
			return first
		}
		q.waitingHeap.pop()
		q.stale--
	}
	return nil
}

// more serves those who wait while the first of them fits.
func (q *queue) more() {
	for {
		first := q.first()
		if first == nil || q.servers-q.busy < int(q.table[first.id].width) {
			return
		}
		id := first.id
		q.waitingHeap.pop()
		q.start(id, true)
	}
}

func (q *queue) left(int32) { q.more() }

// gone leaves a stale place behind, until it is first or half of all are.
func (q *queue) gone(int32) {
	if q.stale++; q.stale > 64 && 2*q.stale > len(q.waitingHeap.places) {
		q.waitingHeap.keep(q.fresh)
		q.stale = 0
	}
	q.more() // the next may be narrow enough
}

func (q *queue) due(int32, uint32) {}
