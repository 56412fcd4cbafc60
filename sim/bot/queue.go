package bot

// A queue holds waiting units, first come first served. The entry of a unit that is done is skipped
// when its turn comes.
type queue struct {
	entries []int32 // none: taken out of turn
	head    int
	waiting int    // entries of units that are not done
	round   uint32 // changes when the queue empties, and the entries start anew
}

func (q *queue) push(u int32, unit *unit) {
	q.entries = append(q.entries, u)
	q.waiting++
	unit.queued++
}

// forget drops the entries of a unit that is done.
func (q *queue) forget(unit *unit) {
	q.waiting -= int(unit.queued)
	unit.queued = 0
}

// push queues a copy of a unit, and lets idle workers ask.
func (r *run) push(u int32) {
	first := r.queue.waiting == 0
	r.queue.push(u, &r.units[u])
	if first {
		r.beginAsking()
	}
}

// take removes and returns the first waiting unit that the worker may have: BOINC gives a machine
// only one result of a unit.
func (r *run) take(w int32) (int32, bool) {
	q := &r.queue
	if q.waiting == 0 {
		q.entries, q.head = q.entries[:0], 0
		q.round++
		return none, false
	}
	// What a worker has passed over it may never have. Remembering it matters: if tasks take no
	// time one machine does all, and would pass over the results left for others each time.
	worker, from := &r.workers[w], q.head
	if worker.round == q.round {
		from = max(from, int(worker.passed))
	}
	for i := from; i < len(q.entries); i++ {
		u := q.entries[i]
		if u == none || r.units[u].done {
			if i == q.head {
				q.head++
			}
			continue
		}
		if r.holds(w, u) {
			continue
		}
		if i == q.head {
			q.head++
		} else {
			q.entries[i] = none
		}
		q.waiting--
		r.units[u].queued--
		worker.round, worker.passed = q.round, int32(i+1)
		return u, true
	}
	worker.round, worker.passed = q.round, int32(len(q.entries))
	return none, false
}

// holds reports whether a worker was given a result of a unit before.
func (r *run) holds(w, u int32) bool {
	for _, h := range r.holdersOf(u) {
		if h.worker == w {
			return true
		}
	}
	return false
}
