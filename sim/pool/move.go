package pool

import "slices"

// begins puts a job on the dedicated machine that is kept for it, or free.
func (x *run) begins(j *job, progress float64) {
	if !j.machine {
		x.seize(j)
	}
	if x.occupied == x.pool.Dedicated { // whoever leaves it is still being copied
		j.place, j.stored = ashore, progress
		x.ashore = append(x.ashore, j.slot)
		return
	}
	j.place, j.leaving = dedicated, false
	j.from, j.since, j.moved = progress, x.now, x.now
	x.resumed(j, progress)
	x.occupied++
	x.levels[levelDedicated].add(x.now, 1)
	j.stamp++
	x.agenda.Schedule(x.now+(j.Work-progress), event{kind: jobEnds, who: j.slot, stamp: j.stamp})
}

// seize keeps a machine for a job.
func (x *run) seize(j *job) {
	j.machine = true
	x.taken++
}

// releases gives a machine up that was kept for a job.
func (x *run) releases(j *job) {
	j.machine = false
	x.taken--
}

// vacates takes a job off its dedicated machine; its progress is stored.
func (x *run) vacates(j *job) {
	done := x.now - j.since
	j.inside += done
	j.stored = j.from + done
	j.stamp++
	x.occupied--
	x.levels[levelDedicated].add(x.now, -1)
	x.releases(j)
	for len(x.ashore) > 0 && x.occupied < x.pool.Dedicated {
		next := x.jobs[x.ashore[0]]
		x.ashore = x.ashore[1:]
		x.lands(next, next.stored)
	}
}

// resumed notes that a job runs again.
func (x *run) resumed(j *job, progress float64) {
	if j.doing == failed && j.reached > progress {
		j.lost += j.reached - progress
	}
	j.reached = 0
	if j.doing != runs {
		x.do(j, runs)
	}
}

// receive gives a job a replica on a machine; how its state comes is up to the
// caller.
func (x *run) receive(j *job, machine int32, progress float64) int32 {
	var i int32
	if n := len(x.spareReplicas); n > 0 {
		i = x.spareReplicas[n-1]
		x.spareReplicas = x.spareReplicas[:n-1]
	} else {
		i = int32(len(x.replicas))
		x.replicas = append(x.replicas, replica{})
	}
	x.hold(machine)
	x.replicas[i] = replica{
		job:   j.slot,
		host:  machine,
		stamp: x.replicas[i].stamp + 1,
		from:  progress,
		since: forever,
		phase: j.draws.Float64() * x.pool.Epoch,
	}
	j.replicas = append(j.replicas, i)
	return i
}

// transfer begins one over the link; the machine at its far end may go first.
func (x *run) transfer(l *link, i int32, bits float64) {
	r := &x.replicas[i]
	r.stamp++
	if until := x.hosts[r.host].until; until < forever {
		x.agenda.Schedule(until, event{kind: hostGoes, who: i, stamp: r.stamp})
	}
	if bits == 0 {
		x.agenda.Schedule(x.now+x.pool.Link.Latency, event{kind: moved, who: i, stamp: r.stamp})
		return
	}
	r.linked = true
	l.add(x.now, bits, i, r.stamp)
}

// copied begins a copy from a live sibling, line to line, one of several at once.
// It ends with any of the three: the time, the sibling's machine, its own.
func (x *run) copied(i int32, source *replica, at float64) {
	r := &x.replicas[i]
	r.stamp++
	if gone := min(x.hosts[r.host].until, x.hosts[source.host].until); gone < at {
		x.agenda.Schedule(gone, event{kind: hostGoes, who: i, stamp: r.stamp})
		return
	}
	x.agenda.Schedule(at, event{kind: moved, who: i, stamp: r.stamp})
}

// cut ends the transfer of a replica, if it has one.
func (x *run) cut(r *replica) {
	if !r.linked {
		return
	}
	r.linked = false
	if r.state == receives {
		x.up.drop(x.now)
	} else {
		x.down.drop(x.now)
	}
}

// forget takes a replica from its job; the machine is let go unless it has gone.
func (x *run) forget(j *job, i int32) {
	r := &x.replicas[i]
	x.cut(r)
	if r.state != dead {
		x.let(r.host)
	}
	r.state = unused
	r.copies = false
	r.stamp++
	x.spareReplicas = append(x.spareReplicas, i)
	k := slices.Index(j.replicas, i)
	j.replicas[k] = j.replicas[len(j.replicas)-1]
	j.replicas = j.replicas[:len(j.replicas)-1]
}

// forgetAll takes all replicas of a job but one, −1 for none.
func (x *run) forgetAll(j *job, but int32) {
	for k := len(j.replicas) - 1; k >= 0; k-- {
		if i := j.replicas[k]; i != but {
			x.forget(j, i)
		}
	}
}

// worksNow puts a replica to work whose state has come.
func (x *run) worksNow(j *job, i int32, progress float64) {
	r := &x.replicas[i]
	r.state, r.from, r.since = works, progress, x.now
	r.stamp++
	h := &x.hosts[r.host]
	end := x.now + (j.Work-progress)/h.speed
	x.agenda.Schedule(min(end, h.until), event{kind: replicaEnds, who: i, stamp: r.stamp})
	if j.leaving { // the first of those that it leaves to
		j.leaving = false
		x.migrated(j)
	}
	x.resumed(j, progress)
}

// migrated counts a migration that has come to its end.
func (x *run) migrated(j *job) {
	j.moved = x.now
	if x.counts() {
		x.replication.Observe(migrationTime, x.now-j.frozen)
	}
}

// enters begins the migration of a public job to a dedicated machine: of its
// foremost replica by what was reported. Where none lives its state comes from
// the store, which is in the cluster.
func (x *run) enters(j *job) {
	x.migrationsIn++
	x.seize(j)
	for {
		best, most := int32(-1), 0.0
		for _, i := range j.replicas {
			if r := &x.replicas[i]; r.state == works || r.state == dead && r.since < forever {
				if p, _ := x.reported(r); best < 0 || p > most {
					best, most = i, p
				}
			}
		}
		if best < 0 {
			x.forgetAll(j, -1)
			x.begins(j, j.stored)
			return
		}
		r := &x.replicas[best]
		if r.state == dead { // asked for its state, it does not answer
			x.forget(j, best)
			continue
		}
		j.place, j.frozen = entering, x.now
		if x.pool.Frozen < 1 {
			r.copies = true
			r.linked = true
			x.copying(best, j.Footprint)
			return
		}
		x.freeze(j, best, j.Footprint)
		return
	}
}

// copying sends the state of a replica that goes on working. Its own end stays on
// the agenda: the transfer has the stamp that the replica has.
func (x *run) copying(i int32, bits float64) {
	r := &x.replicas[i]
	if bits == 0 {
		r.linked = false
		x.agenda.Schedule(x.now+x.pool.Link.Latency, event{kind: moved, who: i, stamp: r.stamp})
		return
	}
	x.down.add(x.now, bits, i, r.stamp)
}

// freeze stops a job, kills the siblings and moves what is left of its state.
func (x *run) freeze(j *job, i int32, bits float64) {
	r := &x.replicas[i]
	j.frozen = x.now
	x.do(j, migrates)
	x.forgetAll(j, i)
	r.from = x.progress(r)
	r.state, r.copies = sends, false
	x.transfer(&x.down, i, bits)
}

// lands puts a job that has come to the cluster on its dedicated machine.
func (x *run) lands(j *job, progress float64) {
	if j.doing == migrates && x.occupied < x.pool.Dedicated {
		x.migrated(j)
	}
	x.begins(j, progress)
}

// leaves begins the migration of a job from its dedicated machine to public ones;
// false where there is none.
func (x *run) leaves(j *job) bool {
	first := x.pick(j.draws, x.now)
	if first < 0 {
		return false
	}
	x.migrationsOut++
	j.leaving, j.frozen = true, x.now
	if x.pool.Frozen == 1 {
		x.stops(j)
	}
	for machine := first; machine >= 0; machine = x.pick(j.draws, x.now) {
		i := x.receive(j, machine, 0)
		x.replicas[i].from, x.replicas[i].live = j.stored, j.place == dedicated
		x.transfer(&x.up, i, j.Footprint)
		if len(j.replicas) == x.pool.Replicas {
			break
		}
	}
	return true
}

// stops takes a job that leaves off its dedicated machine.
func (x *run) stops(j *job) {
	j.frozen = x.now
	x.do(j, migrates)
	j.place = public
	x.vacates(j)
}
