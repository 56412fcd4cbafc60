package station

import (
	"math"

	"github.com/capplan/capplan/sim/internal/profile"
)

// conservative gives each who comes the earliest place in the profile that delays
// nobody. Where one ends before its estimate the others move up, in order.
//
// To move up a long queue at each end takes as many steps as it is long, and to find a place in a
// long profile may. The ration bounds them: see there.
type conservative struct {
	*desk
	free   *profile.Profile // with all who are promised a start
	queue  *lineup          // those before its edge are promised one
	plans  plans
	ration ration
}

func newConservative(d *desk) *conservative {
	return &conservative{
		desk:   d,
		free:   profile.New(int32(d.servers)),
		queue:  newLineup(d),
		plans:  plans{desk: d},
		ration: newRation(d.st, d.r.Horizon),
	}
}

func (v *conservative) arrive(id int32) {
	v.plans.grow()
	v.free.Forget(v.now)
	c := &v.table[id]
	if v.plans.made < v.queue.alive || v.plans.made >= v.ration.depth {
		if v.fits(c) {
			v.free.Change(v.now, v.now+c.estimate, -c.width)
			v.begin(id, false)
			return
		}
		v.ration.short(v.plans.made)
		v.queue.push(id)
		v.wait(id)
		return
	}
	start := v.place(c)
	if start == v.now && v.servers-v.busy >= int(c.width) {
		v.begin(id, false)
		return
	}
	v.queue.push(id)
	v.wait(id)
	v.promise(id, start)
	v.queue.edge = len(v.queue.ids)
	v.plans.call()
}

// place reserves the earliest start that delays nobody who is promised one.
func (v *conservative) place(c *customer) (start float64) {
	start = v.free.Fits(c.width, c.estimate, v.now)
	v.free.Change(start, start+c.estimate, -c.width)
	return start
}

// fits reports whether one without a promise can begin now and delays nobody who has one.
func (v *conservative) fits(c *customer) bool {
	return v.servers-v.busy >= int(c.width) && v.free.Room(c.width, v.now, v.now+c.estimate)
}

func (v *conservative) promise(id int32, start float64) {
	v.plans.set(id, start)
	v.queue.promised(id)
}

func (v *conservative) due(id int32, stamp uint32) {
	if t := &v.plans.of[id]; !t.made || uint32(t.ticket) != stamp {
		return
	}
	v.plans.drop(id)
	if c := &v.table[id]; v.servers-v.busy < int(c.width) {
		v.promise(id, v.now) // others end at this very time and come first
	} else {
		v.queue.remove(id)
		v.begin(id, true)
		v.fill()
	}
	v.plans.call()
}

// left frees what a job had reserved beyond its end.
func (v *conservative) left(id int32) {
	c := &v.table[id]
	v.free.Forget(v.now)
	v.ration.follow(v.free.Steps(), v.plans.made)
	v.shed()
	if end := c.began + c.estimate; v.now < end {
		v.free.Change(v.now, end, c.width)
		if v.ration.early++; !v.ration.low {
			v.ration.moved++
			v.compress()
		}
	}
	if v.ration.low {
		v.fill()
		v.pass()
	}
	v.plans.call()
}

// compress moves all up who are promised a start, in order, each into what those before it left.
func (v *conservative) compress() {
	for _, id := range v.queue.ids[v.queue.head:v.queue.edge] {
		if id >= 0 {
			c := &v.table[id]
			if start, ok := v.free.Sooner(c.width, c.estimate, v.now, c.promised); ok {
				v.advance(id, start)
			}
		}
	}
}

// advance moves a reservation; what it keeps of its time does not change.
func (v *conservative) advance(id int32, start float64) {
	c := &v.table[id]
	was := c.promised
	end := start + c.estimate
	v.free.Change(start, min(end, was), -c.width)
	v.free.Change(max(end, was), was+c.estimate, c.width)
	if !v.plans.of[id].called && was <= v.r.Horizon {
		v.r.Events++ // one that is on the agenda is counted when its time comes
	}
	v.promise(id, start)
}

// fill promises a start to the first of those who have none, up to the depth.
func (v *conservative) fill() {
	for v.plans.made < min(v.queue.alive, v.ration.depth) {
		id := v.queue.ids[v.queue.edge]
		if v.queue.edge++; id >= 0 {
			v.promise(id, v.place(&v.table[id]))
		}
	}
}

// shed takes the promises back of those beyond the depth, the last first.
func (v *conservative) shed() {
	for v.plans.made > v.ration.depth {
		v.queue.edge--
		if id := v.queue.ids[v.queue.edge]; id >= 0 {
			c := &v.table[id]
			v.free.Change(max(v.now, c.promised), c.promised+c.estimate, c.width)
			v.plans.drop(id)
			v.queue.changed(v.queue.edge)
			v.ration.short(v.plans.made)
		}
	}
}

// pass begins those who can at once and delay nobody who is promised a start, in order.
func (v *conservative) pass() {
	var room []width
	ends := func(c *customer) float64 { return min(v.now+c.estimate, c.promised) }
	may := func(n *lineupNode) bool {
		for _, w := range n.estimates {
			if v.now+w.time <= until(room, w.servers) {
				return true
			}
		}
		for _, w := range n.starts {
			if w.time <= until(room, w.servers) {
				return true
			}
		}
		return false
	}
	fits := func(c *customer) bool {
		return v.now < c.promised && ends(c) <= until(room, c.width) &&
			(!math.IsInf(c.promised, 1) || v.servers-v.busy >= int(c.width))
	}
	for slot := v.queue.head; v.queue.alive > 0; slot++ {
		// While others end at this very time more are free by the profile than stand idle: the last of them comes back.
		if room = v.room(room); room[0].servers == 0 || int(room[0].servers) > v.servers-v.busy {
			return
		}
		if slot = v.queue.next(slot, may, fits); slot < 0 {
			return
		}
		id := v.queue.ids[slot]
		c := &v.table[id]
		if !math.IsInf(c.promised, 1) {
			v.advance(id, v.now)
			continue
		}
		v.free.Change(v.now, v.now+c.estimate, -c.width)
		v.queue.remove(id)
		v.begin(id, true)
	}
}

// room returns how many servers are free from now on, and until when, as far as any are: fewer and fewer.
func (v *conservative) room(all []width) []width {
	at := v.free.Locate(v.now)
	for all = all[:0]; ; {
		w := width{v.free.Free(at), math.Inf(1)}
		next, fewer := v.free.Below(at, w.servers, w.time)
		if fewer {
			w.time = v.free.At(next)
		}
		if all = append(all, w); !fewer || v.free.Free(next) < 1 {
			return all
		}
		at = next
	}
}

// until returns until when there is room for a width.
func until(room []width, servers int32) float64 {
	end := math.Inf(-1)
	for _, w := range room {
		if w.servers < servers {
			break
		}
		end = w.time
	}
	return end
}

func (v *conservative) gone(int32) {}
func (v *conservative) more()      {}
