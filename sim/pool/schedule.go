package pool

import (
	"cmp"
	"slices"
)

// epoch is one run of the scheduler, its steps in this order.
func (x *run) epoch() {
	x.missPulses()
	x.rate()
	x.admit()
	if x.pool.Policy == Preemptive {
		x.migrate()
	}
	x.replenish()
}

// missPulses finds the replicas from which no life pulse has come for longer than
// an epoch, and the transfers that were cut off.
func (x *run) missPulses() {
	for _, slot := range x.active {
		j := x.jobs[slot]
		for k := len(j.replicas) - 1; k >= 0; k-- {
			r := &x.replicas[j.replicas[k]]
			if r.state != dead {
				continue
			}
			if r.since < forever && j.place != entering { // it had worked
				if _, last := x.reported(r); x.now-last <= x.pool.Epoch {
					continue
				}
				if x.counts() {
					x.replication.Observe(detection, x.now-r.died)
				}
			}
			x.forget(j, j.replicas[k])
		}
		if j.place == entering && !x.underWay(j) {
			j.place = public
			x.releases(j)
		}
		j.leaving = j.leaving && len(j.replicas) > 0
	}
}

// underWay reports whether a replica of a job is still being moved to the cluster.
func (x *run) underWay(j *job) bool {
	return slices.ContainsFunc(j.replicas, func(i int32) bool {
		return x.replicas[i].copies || x.replicas[i].state == sends
	})
}

// rate works out the deviation of each user for whom a job has come.
func (x *run) rate() {
	for i := range x.users.accounts {
		x.users.accounts[i].deviates(&x.pool.Agreement, x.now)
	}
}

// admit begins the jobs of the queue, in the order of their coming; the static
// policy takes those of the user of greatest deviation first.
func (x *run) admit() {
	if x.pool.Policy == Static {
		slices.SortStableFunc(x.queue, func(a, b int32) int {
			return cmp.Compare(x.users.of(x.jobs[b].User).deviation, x.users.of(x.jobs[a].User).deviation)
		})
	}
	done := 0
	for ; done < len(x.queue); done++ {
		j := x.jobs[x.queue[done]]
		if x.now-j.At > x.pool.Oldest {
			if x.counts() {
				x.replication.Add(droppedShare, 1, 1)
			}
			x.dropped++
			x.leave(j)
			continue
		}
		if j.draws == nil {
			j.draws = x.replication.Stream(streamJob, uint64(j.id))
		}
		if x.taken < x.pool.Dedicated {
			x.begin(j)
			x.begins(j, 0)
			continue
		}
		machine := x.pick(j.draws, x.now)
		if machine < 0 {
			break
		}
		x.begin(j)
		j.place = public
		x.spawn(j, machine)
	}
	x.queue = append(x.queue[:0], x.queue[done:]...)
}

// spawn sends the stored state of a job to as many machines as it lacks replicas,
// the first of them found already.
func (x *run) spawn(j *job, machine int32) {
	for machine >= 0 {
		i := x.receive(j, machine, j.stored)
		x.transfer(&x.up, i, j.Footprint)
		if len(j.replicas) >= x.pool.Replicas {
			return
		}
		machine = x.pick(j.draws, x.now)
	}
}

// replenish makes up replicas to their number: copies of the foremost that lives,
// or what is in the store where none does.
func (x *run) replenish() {
	for _, slot := range x.active {
		j := x.jobs[slot]
		lacks := x.pool.Replicas - len(j.replicas)
		if j.place != public || j.leaving || lacks <= 0 {
			continue
		}
		machine := x.pick(j.draws, x.now)
		if machine < 0 {
			return
		}
		source := int32(-1)
		if !x.pool.FromStore {
			most := 0.0
			for _, i := range j.replicas {
				if r := &x.replicas[i]; r.state == works {
					if p, _ := x.reported(r); source < 0 || p > most {
						source, most = i, p
					}
				}
			}
		}
		if source < 0 {
			x.spawn(j, machine)
			continue
		}
		x.copyFrom(j, source, machine, lacks)
	}
}

// copyFrom copies a live replica to as many machines as are lacking, the first of
// them found already; the copies share its line.
func (x *run) copyFrom(j *job, source, machine int32, lacks int) {
	progress := x.progress(&x.replicas[source])
	var made []int32
	for {
		made = append(made, x.receive(j, machine, progress))
		if len(made) == lacks {
			break
		}
		if machine = x.pick(j.draws, x.now); machine < 0 {
			break
		}
	}
	at := x.now + x.pool.Link.Latency + float64(len(made))*j.Footprint/x.pool.Link.Line
	for _, i := range made {
		x.copied(i, &x.replicas[source], at)
	}
}
