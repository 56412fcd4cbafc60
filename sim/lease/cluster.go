package lease

import (
	"cmp"
	"math"
	"slices"

	"github.com/capplan/capplan/sim/internal/profile"
)

// A cluster is nodes and their local resource manager: conservative backfilling
// with preemption.
//
// Every lease has a reservation, the earliest at which its nodes are free for its
// whole duration with all earlier reservations kept. A reservation moves up when
// nodes come free that were not expected to, and moves back only where a local
// lease takes its nodes.
type cluster struct {
	leases   *leases
	number   int32
	nodes    int32
	speed    float64 // seconds of work at the reference speed that pass in one
	free     *profile.Profile
	waiting  queue
	openTo   float64 // until when more nodes are free than the waiting leases were promised around
	running  []int32 // leases that may be preempted, in no order
	loose    int32   // nodes of these
	wake     float64 // when the agenda comes back for the first reservation
	touched  bool    // something has changed at this time
	homeless []int32 // leases that need a reservation, on the way

	busy     int32   // nodes
	busyFrom float64 // since when so many
	owed     float64 // node-seconds of the waiting leases
	ends     float64 // sum of nodes x end of the running ones
	tally    account
}

// An account is how the node-seconds of a cluster were spent.
type account struct {
	used     float64 // computing
	overhead float64 // suspending, resuming, migrating
	idle     float64
}

func newCluster(l *leases, number, nodes int32, speed float64) *cluster {
	return &cluster{
		leases:  l,
		number:  number,
		nodes:   nodes,
		speed:   speed,
		free:    profile.New(nodes),
		waiting: queue{leases: l},
		wake:    math.Inf(1),
	}
}

// reserve gives a lease the earliest reservation at which it fits.
func (c *cluster) reserve(id int32, now float64) {
	l := &c.leases.all[id]
	c.book(id, c.free.Fits(l.nodes, l.long, now))
}

// book gives a lease the reservation that begins at start.
func (c *cluster) book(id int32, start float64) {
	l := &c.leases.all[id]
	l.cluster, l.state = c.number, waiting
	l.start, l.end = start, start+l.long
	c.free.Change(l.start, l.end, -l.nodes)
	c.waiting.insert(id)
	c.owed += float64(l.nodes) * l.long
}

// cancel takes a reservation back.
func (c *cluster) cancel(id int32) {
	l := &c.leases.all[id]
	c.leave(id)
	c.free.Change(l.start, l.end, l.nodes)
	c.open(l.start, l.end)
}

// leave takes a lease off the queue; the profile keeps its reservation.
func (c *cluster) leave(id int32) {
	l := &c.leases.all[id]
	c.waiting.remove(id)
	c.owed -= float64(l.nodes) * l.long
}

// begin lets a lease run on nodes that the profile already holds for it.
func (c *cluster) begin(id int32, now float64) {
	l := &c.leases.all[id]
	l.state = running
	c.occupy(now, l.nodes)
	c.ends += float64(l.nodes) * l.end
	if l.typ.preemptable() {
		l.place = int32(len(c.running))
		c.running = append(c.running, id)
		c.loose += l.nodes
	}
}

// stop takes a running lease off its nodes and books what it did there.
func (c *cluster) stop(id int32, now float64) {
	l := &c.leases.all[id]
	c.occupy(now, -l.nodes)
	c.ends -= float64(l.nodes) * l.end
	if l.typ.preemptable() {
		last := c.running[len(c.running)-1]
		c.running[l.place] = last
		c.leases.all[last].place = l.place
		c.running = c.running[:len(c.running)-1]
		c.loose -= l.nodes
	}
	held := now - l.start
	setup := min(held, l.setup)
	c.tally.overhead += float64(l.nodes) * setup
	c.tally.used += float64(l.nodes) * (held - setup)
	l.work = max(0, l.work-(held-setup)*c.speed)
}

// occupy changes the number of busy nodes.
func (c *cluster) occupy(now float64, nodes int32) {
	c.tally.idle += float64(c.nodes-c.busy) * (now - c.busyFrom)
	c.busy, c.busyFrom = c.busy+nodes, now
}

// left returns the node-seconds that running and waiting leases still take.
func (c *cluster) left(now float64) float64 { return c.owed + c.ends - float64(c.busy)*now }

// makeRoom clears the reservations away that stand in the way of a lease that has
// just begun: where the profile of its time is below 0, one after another of those
// that hold the time, of best effort first, the last to arrive first.
func (c *cluster) makeRoom(from, to float64) {
	s := c.free.Locate(from)
	for {
		short, ok := c.free.Below(s, 0, to)
		if !ok {
			return
		}
		at := max(from, c.free.At(short))
		out := int32(-1)
		c.waiting.across(at, func(id int32) {
			if out < 0 || c.givesWay(id, out) {
				out = id
			}
		})
		if out < 0 {
			panic("lease: nodes are held by more leases than there are") // a fault in this package
		}
		c.cancel(out)
		c.homeless = append(c.homeless, out)
		s = c.free.Locate(at)
	}
}

// givesWay reports whether waiting lease a gives way before b.
func (c *cluster) givesWay(a, b int32) bool {
	x, y := &c.leases.all[a], &c.leases.all[b]
	if x.typ.bestEffort() != y.typ.bestEffort() {
		return x.typ.bestEffort()
	}
	return x.seq > y.seq
}

// inOrder sorts leases without a reservation by arrival.
func (c *cluster) inOrder() {
	slices.SortFunc(c.homeless, func(a, b int32) int {
		return cmp.Compare(c.leases.all[a].seq, c.leases.all[b].seq)
	})
}
