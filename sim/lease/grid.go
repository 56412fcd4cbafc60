package lease

import (
	"github.com/capplan/capplan/sim"
)

// An action is what an event does.
type action uint8

const (
	externalComes action = iota // an external request arrives
	localComes                  // a local request arrives at a cluster
	over                        // a lease has had its time
	due                         // the first reservation of a cluster begins
)

type event struct {
	action action
	// late is an event that has let those of its time pass: leases that end at a
	// time free their nodes before any that begin then.
	late  bool
	who   int32 // cluster or lease
	stamp uint32
}

// A grid is one replication of a System.
type grid struct {
	settings
	rule     VictimRule
	agenda   sim.Agenda[event]
	leases   leases
	clusters []*cluster
	external *source
	local    []*source
	dispatch *dispatcher
	counts   counts
	now      float64

	after func() // for tests: called after each event
}

// Entities of the random streams.
const (
	ofExternal uint64 = iota + 1
	ofLocal
	ofPolicy
)

func (s *System) newGrid(r *sim.Replication, o settings, split []float64) (*grid, error) {
	g := &grid{settings: o, rule: s.Victim}
	var err error
	if g.dispatch, err = s.newDispatcher(split, o.share, r.Stream(ofPolicy)); err != nil {
		return nil, err
	}
	g.external = newSource(r.Stream(ofExternal), s.Workload.External, 1, o.share)
	if err := g.expect(r, g.external, event{action: externalComes}); err != nil {
		return nil, err
	}
	for j := range s.Workload.Sites {
		g.clusters = append(g.clusters, newCluster(&g.leases, int32(j), o.nodes[j], o.pace[j]))
		from := newSource(r.Stream(ofLocal, uint64(j)), s.Workload.Sites[j].Local, o.kept, o.share)
		g.local = append(g.local, from)
		if err := g.expect(r, from, event{action: localComes, who: int32(j)}); err != nil {
			return nil, err
		}
	}
	g.counts.response = make([]weighted, len(g.clusters))
	return g, nil
}

// run deals with all events before the horizon.
func (g *grid) run(r *sim.Replication) error {
	for g.agenda.Until() < r.Horizon {
		if r.Events++; r.Events&1023 == 0 {
			if err := r.At(g.now); err != nil {
				return err
			}
		}
		at, e, _ := g.agenda.Next()
		g.now = at
		if !e.late && e.action <= localComes && g.agenda.Until() == at {
			e.late = true
			g.agenda.Schedule(at, e)
			continue
		}
		if err := g.handle(r, e); err != nil {
			return err
		}
		if g.agenda.Until() > at {
			g.settle()
		}
		if g.after != nil {
			g.after()
		}
	}
	g.now = r.Horizon
	g.close()
	return nil
}

// expect schedules what happens when the next request of a source comes.
func (g *grid) expect(r *sim.Replication, from *source, e event) error {
	at, err := from.next(r, g.now)
	if err == nil {
		g.agenda.Schedule(at, e)
	}
	return err
}

func (g *grid) handle(r *sim.Replication, e event) error {
	switch e.action {
	case externalComes:
		if err := g.expect(r, g.external, event{action: externalComes}); err != nil {
			return err
		}
		return g.arrive(g.external.request())
	case localComes:
		from := g.local[e.who]
		if err := g.expect(r, from, event{action: localComes, who: e.who}); err != nil {
			return err
		}
		req := from.request()
		req.typ = Local
		g.preempt(g.clusters[e.who], req)
	case over:
		if l := &g.leases.all[e.who]; l.stamp == e.stamp {
			c := g.clusters[l.cluster]
			c.stop(e.who, g.now)
			c.touched = true
			g.counts.complete(l, c.speed, g.now)
			g.end(e.who, completed)
		}
	case due:
		g.clusters[e.who].touched = true
	}
	return nil
}

// admit makes a lease of a request to a cluster.
func (g *grid) admit(c *cluster, r request) int32 {
	id := g.leases.take()
	l := &g.leases.all[id]
	l.typ, l.nodes, l.cluster = r.typ, r.nodes, c.number
	l.ready, l.work, l.whole = g.now, r.work, r.work
	l.long = r.work / c.speed
	if l.typ == Migratable {
		l.deadline = g.now + (1+g.slack)*l.long
	}
	g.counts.arrived[r.typ]++
	return id
}

// arrive deals with an external request.
func (g *grid) arrive(r request) error {
	j, err := g.dispatch.pick(r, g.clusters, g.now)
	if err != nil {
		return err
	}
	c := g.clusters[j]
	id := g.admit(c, r)
	l := &g.leases.all[id]
	start := c.free.Fits(l.nodes, l.long, g.now)
	if l.typ == NonPreemptable && start > g.now || start+l.long > l.deadline {
		g.end(id, rejected)
		return nil
	}
	c.book(id, start)
	c.touched = true
	return nil
}

// preempt deals with a local request: it starts at once on free nodes and on those
// of leases that give way, or is rejected where these are too few.
func (g *grid) preempt(c *cluster, r request) {
	id := g.admit(c, r)
	need := r.nodes - c.free.FreeAt(g.now)
	if need > c.loose {
		g.end(id, rejected)
		return
	}
	c.victims(need, g.rule, g.now, func(id int32) { g.lose(c, id) })
	l := &g.leases.all[id]
	l.start, l.end = g.now, g.now+l.long
	c.free.Change(l.start, l.end, -l.nodes)
	g.begin(c, id)
	out := len(c.homeless)
	c.makeRoom(l.start, l.end)
	g.counts.displaced += len(c.homeless) - out
	if len(c.homeless) > 0 {
		g.rehome(c)
	}
	c.touched = true
}

// lose deals with a lease that was preempted.
func (g *grid) lose(c *cluster, id int32) {
	l := &g.leases.all[id]
	g.counts.preempted[l.typ] += int(l.nodes)
	g.counts.preemptions++
	if l.typ == Cancelable {
		g.end(id, cancelled)
		return
	}
	if l.typ == Migratable {
		l.setup = g.overheads.Migrate
		if !l.moved {
			g.counts.migrated++
		}
	} else {
		l.setup = g.overheads.Suspend + g.overheads.Resume
	}
	l.moved = true
	l.long = l.setup + l.work/c.speed
	c.homeless = append(c.homeless, id)
}

// rehome gives leases that lost theirs new reservations, in order of arrival.
func (g *grid) rehome(c *cluster) {
	c.inOrder()
	for _, id := range c.homeless {
		l := &g.leases.all[id]
		if l.typ.bestEffort() {
			c.reserve(id, g.now)
			continue
		}
		g.migrate(c, id)
	}
	c.homeless = c.homeless[:0]
}

// migrate finds the cluster on which a Migratable lease is done first, its own
// before equals; where that is after its deadline, it has failed.
func (g *grid) migrate(own *cluster, id int32) {
	l := &g.leases.all[id]
	var best *cluster
	var start, long, done float64
	for i := range g.clusters {
		c := g.clusters[(int(own.number)+i)%len(g.clusters)]
		if l.nodes > c.nodes {
			continue
		}
		lasts := l.setup + l.work/c.speed
		at := c.free.Fits(l.nodes, lasts, g.now)
		if best == nil || at+lasts < done {
			best, start, long, done = c, at, lasts, at+lasts
		}
	}
	if done > l.deadline {
		g.end(id, failed)
		return
	}
	l.long = long
	best.book(id, start)
	best.touched = true
}

// settle begins what can begin, once all events of a time are over: what is due,
// then what fits early; and has the agenda come back for the next reservation.
func (g *grid) settle() {
	for _, c := range g.clusters {
		if !c.touched {
			continue
		}
		c.touched = false
		c.free.Forget(g.now)
		id := c.waiting.first()
		for ; id >= 0 && g.leases.all[id].start <= g.now; id = c.waiting.first() {
			c.leave(id)
			g.begin(c, id)
		}
		c.compress(g.now, func(id int32) { g.begin(c, id) })
		if id = c.waiting.first(); id < 0 {
			continue
		}
		if start := g.leases.all[id].start; start < c.wake || c.wake <= g.now {
			c.wake = start
			g.agenda.Schedule(start, event{action: due, who: c.number})
		}
	}
}

func (g *grid) begin(c *cluster, id int32) {
	c.begin(id, g.now)
	l := &g.leases.all[id]
	g.agenda.Schedule(l.end, event{action: over, who: id, stamp: l.stamp})
}

// end is what becomes of a lease.
func (g *grid) end(id int32, s state) {
	l := &g.leases.all[id]
	l.state = s
	g.counts.ended[l.typ][s]++
	g.leases.give(id)
}

// close ends all leases at the horizon.
func (g *grid) close() {
	for id := range g.leases.all {
		switch l := &g.leases.all[id]; l.state {
		case running:
			g.clusters[l.cluster].stop(int32(id), g.now)
			g.end(int32(id), unfinished)
		case waiting:
			g.end(int32(id), unfinished)
		}
	}
	for _, c := range g.clusters {
		c.occupy(g.now, 0)
	}
}
