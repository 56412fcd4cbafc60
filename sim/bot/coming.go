package bot

import "math"

// change makes a machine come or go.
func (r *run) change(w int32) error {
	worker := &r.workers[w]
	if worker.host.Up {
		r.leave(w)
	}
	worker.host.Next()
	if !math.IsInf(worker.host.Until, 1) {
		r.agenda.Schedule(worker.host.Until, event{kind: changes, who: w})
	}
	if !worker.host.Up {
		return nil
	}
	if worker.unit != none { // BOINC
		r.goOn(w)
		return nil
	}
	return r.seek(w)
}

// leave handles the work of a machine that leaves.
func (r *run) leave(w int32) {
	worker := &r.workers[w]
	if worker.unit == none {
		r.wake(w)
		return
	}
	u, unit := worker.unit, &r.units[worker.unit]
	done := (r.now - worker.began) * worker.host.Speed
	switch r.c.Server {
	case XWHEP:
		worker.unit = none
		r.out.Lost += r.now - worker.began
		if !worker.copy {
			last := worker.given + math.Floor((r.now-worker.given)/r.rules.KeepAlive)*r.rules.KeepAlive
			r.agenda.Schedule(last+r.rules.Timeout, event{kind: lost, who: u})
		}
	case BOINC:
		worker.left = max(0, worker.left-done)
	case Checkpoint:
		worker.unit = none
		kept := math.Floor((r.now-worker.began)/r.rules.Save) * r.rules.Save
		r.saved[u] = max(r.saved[u], unit.work-worker.left+kept*worker.host.Speed)
		r.out.Lost += r.now - worker.began - kept
		if !worker.copy {
			r.agenda.Schedule(r.now, event{kind: lost, who: u})
		}
	}
}

// overdue gives out one more result of a unit if the worker's result is not back.
func (r *run) overdue(w, u int32) {
	unit := &r.units[u]
	if unit.done {
		return
	}
	for _, h := range r.holdersOf(u) {
		if h.worker == w && !h.back {
			r.push(u)
			return
		}
	}
}
