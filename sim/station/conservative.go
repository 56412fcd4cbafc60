package station

import (
	"slices"

	"github.com/capplan/capplan/sim/internal/profile"
)

// conservative gives each who comes the earliest place in the profile that delays
// nobody. Where one ends before its estimate the others move up, in order.
type conservative struct {
	*desk
	free    *profile.Profile // with all who are promised a start
	queue   []int32          // in the order of arrival
	plans   []plan           // by customer
	version uint32
}

// A plan is when a customer is to begin; an event of another version is stale.
type plan struct {
	start   float64
	version uint32
}

func newConservative(d *desk) *conservative {
	return &conservative{desk: d, free: profile.New(int32(d.servers))}
}

func (v *conservative) arrive(id int32) {
	if len(v.plans) < len(v.table) {
		v.plans = append(v.plans, make([]plan, len(v.table)-len(v.plans))...)
	}
	v.free.Forget(v.now)
	c := &v.table[id]
	start := v.free.Fits(c.width, c.estimate, v.now)
	v.free.Change(start, start+c.estimate, -c.width)
	if start == v.now && v.servers-v.busy >= int(c.width) {
		v.begin(id, false)
		return
	}
	v.queue = append(v.queue, id)
	v.wait(id)
	v.plan(id, start)
}

func (v *conservative) plan(id int32, start float64) {
	v.version++
	v.plans[id] = plan{start, v.version}
	v.agenda.Schedule(start, event{kind: due, id: id, stamp: v.version})
}

func (v *conservative) due(id int32, version uint32) {
	if v.plans[id].version != version {
		return
	}
	if v.servers-v.busy < int(v.table[id].width) {
		v.plan(id, v.now) // others end at this very time and come first
		return
	}
	v.plans[id].version = 0
	i := slices.Index(v.queue, id)
	v.queue = slices.Delete(v.queue, i, i+1)
	v.begin(id, true)
}

// left frees what a job had reserved beyond its end.
func (v *conservative) left(id int32) {
	c := &v.table[id]
	end := c.began + c.estimate
	if !(v.now < end) {
		return
	}
	v.free.Forget(v.now)
	v.free.Change(v.now, end, c.width)
	for _, id := range v.queue {
		c, p := &v.table[id], v.plans[id]
		if p.start <= v.now || !v.free.Room(c.width, v.now, p.start) {
			continue
		}
		v.free.Change(p.start, p.start+c.estimate, c.width)
		start := v.free.Fits(c.width, c.estimate, v.now)
		v.free.Change(start, start+c.estimate, -c.width)
		if start < p.start {
			v.plan(id, start)
		}
	}
}

func (v *conservative) gone(int32) {}
func (v *conservative) more()      {}
