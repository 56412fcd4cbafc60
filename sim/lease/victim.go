package lease

// A VictimRule says which running lease of a type is preempted first. All rules
// take Cancelable leases before Suspendable ones, and these before Migratable
// ones, as InterGrid section 2 does; the paper does not say which of one type.
type VictimRule uint8

const (
	// Fewest takes the one that frees enough with the fewest nodes, where none
	// does the widest; of equals the youngest.
	Fewest VictimRule = iota
	Youngest
	Oldest
)

// victims preempts running leases until that many nodes are free, which the
// caller has seen to be possible, and calls lost for each.
func (c *cluster) victims(need int32, rule VictimRule, now float64, lost func(id int32)) {
	for need > 0 {
		id := c.victim(need, rule)
		l := &c.leases.all[id]
		need -= l.nodes
		c.stop(id, now)
		c.free.Change(now, l.end, l.nodes)
		c.open(now, l.end)
		l.stamp++
		lost(id)
	}
}

// victim returns the next lease to be preempted.
func (c *cluster) victim(need int32, rule VictimRule) int32 {
	best := c.running[0]
	for _, id := range c.running[1:] {
		if c.sooner(id, best, need, rule) {
			best = id
		}
	}
	return best
}

// sooner reports whether running lease a is preempted before b.
func (c *cluster) sooner(a, b, need int32, rule VictimRule) bool {
	x, y := &c.leases.all[a], &c.leases.all[b]
	if x.typ != y.typ {
		return x.typ < y.typ
	}
	if rule == Fewest && x.nodes != y.nodes {
		enough, also := x.nodes >= need, y.nodes >= need
		if enough && also {
			return x.nodes < y.nodes
		}
		return x.nodes > y.nodes // the one that is enough, or the widest
	}
	if rule == Oldest {
		return x.seq < y.seq
	}
	return x.seq > y.seq
}
