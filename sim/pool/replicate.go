package pool

import (
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/sim"
)

// What happens.
type kind uint8

const (
	comes       kind = iota // a job
	schedules               // an epoch begins
	counting                // the warm-up is over
	jobEnds                 // on a dedicated machine
	replicaEnds             // is done, or its machine goes
	hostGoes                // in the middle of a transfer
	moved                   // a transfer has come
	upMoves                 // the next transfer is through the link
	downMoves
)

type event struct {
	kind  kind
	who   int32
	stamp uint32
}

// A run is one replication.
type run struct {
	pool        *Pool
	replication *sim.Replication
	agenda      sim.Agenda[event]
	now         float64

	hosts []host
	// courses begin those of machines of a population; nil: there is none
	courses func(i int, r *rand.Rand) hosts.Course
	free    []int32 // machines that were free at freeAt
	freeAt  float64
	up      link
	down    link

	jobs          []*job
	spareJobs     []int32
	replicas      []replica
	spareReplicas []int32
	queue         []int32
	active        []int32 // jobs that were admitted
	ashore        []int32
	ranked        []standing
	in, out       []standing
	occupied      int // dedicated machines that work
	taken         int // and that are kept for a job
	arrived       int32
	dropped       int32

	users  ledger
	next   func() (Arrival, bool)
	coming Arrival

	levels                      [levels]level
	upBefore, downBefore        float64
	finished, goodWork          float64
	owners                      []int32 // for the audit: when a machine was last seen
	audits                      int32
	epochs                      int
	migrationsIn, migrationsOut int // of this epoch
	done                        int32
}

// mostJobs bounds the memory of a pool that is asked more than it does: some
// 400 bytes for each job that is in it.
const mostJobs = 2_000_000

// Memory says what one replication takes: the machines, and the jobs that a
// queue may hold.
func (p Pool) Memory(horizon float64) float64 {
	const machine, perJob, perReplica = 160, 400, 120
	if p.Check() != nil || !(horizon < forever) { // as Replicate says
		return 0
	}
	jobs := p.Jobs.MeanRate() * horizon
	if log, ok := p.Jobs.(Log); ok {
		jobs = float64(len(log))
	}
	running := min(jobs, float64(p.Dedicated)+float64(p.Public.Machines))
	// Of those that were only offered an amount is kept for each in the window.
	return machine*float64(p.Public.Machines) + running*(perJob+perReplica*float64(p.Replicas)) +
		min(jobs, p.Jobs.MeanRate()*p.Oldest)*perJob + 32*jobs + p.Agreement.memory(float64(p.Jobs.UserCount()), jobs)
}

// Replicate runs the pool once, to a finite horizon.
func (p Pool) Replicate(r *sim.Replication) error {
	if err := p.Check(); err != nil {
		return err
	}
	if r == nil {
		return &DomainError{"Pool", "replication", math.NaN(), "one that sim.Run has made"}
	}
	if !(r.Horizon < forever) {
		return &DomainError{"Pool", "horizon", r.Horizon, "a finite horizon"}
	}
	return newRun(&p, r).through()
}

func newRun(p *Pool, r *sim.Replication) *run {
	x := &run{
		pool:        p,
		replication: r,
		hosts:       make([]host, p.Public.Machines),
		freeAt:      -1,
		up:          link{capacity: p.Link.Up, line: p.Link.Line},
		down:        link{capacity: p.Link.Down, line: p.Link.Line},
		users:       newLedger(p.Jobs.UserCount(), p.Agreement.MaxLoad, r.Stream(streamUser)),
		next:        p.Jobs.Begin(r.Stream(streamArrivals)),
	}
	if c := p.Public.Coming.Population; c != nil {
		x.courses = c.Begin(r.Stream)
	}
	if r.WarmUp > 0 {
		x.agenda.Schedule(r.WarmUp, event{kind: counting})
	}
	x.agenda.Schedule(p.Epoch, event{kind: schedules})
	x.await()
	return x
}

// await puts the next job on the agenda.
func (x *run) await() {
	var ok bool
	if x.coming, ok = x.next(); ok {
		x.agenda.Schedule(x.coming.At, event{kind: comes})
	}
}

// through deals with the events up to the horizon.
func (x *run) through() error {
	r := x.replication
	for {
		at, e, ok := x.agenda.Next()
		if !ok || at > r.Horizon {
			break
		}
		if r.Events++; r.Events&1023 == 0 {
			if err := r.At(x.now); err != nil {
				return err
			}
		}
		before := x.levels[levelJobs].value
		r.WatchLevel(x.now, at, before)
		x.now = at
		if err := x.deal(e); err != nil {
			return err
		}
		x.relink(&x.up, upMoves)
		x.relink(&x.down, downMoves)
	}
	r.WatchLevel(x.now, r.Horizon, x.levels[levelJobs].value)
	x.close(r.Horizon)
	return x.audit()
}

func (x *run) deal(e event) error {
	switch e.kind {
	case comes:
		if len(x.jobs) == mostJobs && len(x.spareJobs) == 0 {
			return &DomainError{"Pool", "jobs at a time",
				mostJobs + 1, "at most two million: the queue grows without end"}
		}
		j := x.take(x.coming)
		u := x.users.of(j.User)
		u.offered.push(x.now, j.Work)
		if x.counts() {
			u.offeredAll += j.Work
		}
		x.queue = append(x.queue, j.slot)
		x.await()
	case schedules:
		if err := x.replication.Err(); err != nil {
			return err
		}
		x.epoch()
		if x.counts() {
			in, out := float64(x.migrationsIn), float64(x.migrationsOut)
			x.replication.Add(migrationsPerEpoch, in+out, 1)
			x.replication.Add(migrationsInPerEpoch, in, 1)
		}
		x.migrationsIn, x.migrationsOut = 0, 0
		x.agenda.Schedule(x.now+x.pool.Epoch, e)
		if x.epochs++; audited > 0 && x.epochs%audited == 0 {
			return x.audit()
		}
	case counting:
		x.restart()
	case jobEnds:
		if j := x.jobs[e.who]; j.stamp == e.stamp {
			x.vacates(j)
			x.ends(j)
		}
	case upMoves:
		x.carried(&x.up, e)
	case downMoves:
		x.carried(&x.down, e)
	default:
		if r := &x.replicas[e.who]; r.stamp == e.stamp {
			x.dealReplica(e, r)
		}
	}
	return nil
}

// dealReplica deals with the events of a replica.
func (x *run) dealReplica(e event, r *replica) {
	j := x.jobs[r.job]
	switch {
	case e.kind == hostGoes:
		x.dies(j, e.who)
	case e.kind == replicaEnds:
		if x.hosts[r.host].until <= x.now {
			x.dies(j, e.who)
			return
		}
		x.ends(j)
	case r.copies: // the copy of one that went on is there: now it stands still
		x.freeze(j, e.who, x.pool.Frozen*j.Footprint)
	case r.state == sends:
		progress := r.from
		x.forget(j, e.who)
		x.lands(j, progress)
	case r.live:
		if j.place == dedicated {
			x.stops(j)
		}
		r.live, r.from = false, j.stored
		x.transfer(&x.up, e.who, x.pool.Frozen*j.Footprint)
	default:
		x.worksNow(j, e.who, r.from)
	}
}

// dies takes a replica whose machine has gone. The manager learns of it later.
func (x *run) dies(j *job, i int32) {
	r := &x.replicas[i]
	x.cut(r)
	progress := j.stored
	switch r.state {
	case works:
		progress = x.progress(r)
		j.failures++
	case sends:
		progress = r.from
		j.failures++
	}
	r.state, r.copies, r.died = dead, false, x.now
	r.stamp++
	x.let(r.host)
	if j.place == dedicated { // a copy of it was on the way
		return
	}
	j.reached = max(j.reached, progress)
	for _, k := range j.replicas {
		if s := x.replicas[k].state; s == works || s == sends || s == receives && j.doing != runs {
			return
		}
	}
	if j.doing != failed {
		x.do(j, failed)
	}
}

// ends takes a job that is done.
func (x *run) ends(j *job) {
	x.do(j, runs)
	x.forgetAll(j, -1)
	if j.machine { // one was kept for it as it went on elsewhere
		x.releases(j)
	}
	x.done++
	x.finish(j)
	x.leave(j)
}

// relink puts the next end of a transfer on the agenda where it has changed.
func (x *run) relink(l *link, k kind) {
	if !l.changed {
		return
	}
	l.changed = false
	l.stamp++
	for len(l.heap) > 0 {
		top := l.heap[0]
		if r := &x.replicas[top.replica]; r.linked && r.stamp == top.stamp {
			x.agenda.Schedule(x.now+max(0, top.at-l.v)/l.rate(), event{kind: k, stamp: l.stamp})
			return
		}
		l.pop()
	}
}

// carried takes the transfers off the link that are through.
func (x *run) carried(l *link, e event) {
	if e.stamp != l.stamp || len(l.heap) == 0 {
		return
	}
	l.advance(x.now)
	l.v = max(l.v, l.heap[0].at) // it is the one that this event was for
	for len(l.heap) > 0 && l.heap[0].at <= l.v+1e-3 {
		f := l.pop()
		r := &x.replicas[f.replica]
		if !r.linked || r.stamp != f.stamp {
			continue
		}
		l.n--
		r.linked = false
		x.agenda.Schedule(x.now+x.pool.Link.Latency, event{kind: moved, who: f.replica, stamp: f.stamp})
	}
	l.changed = true
}
