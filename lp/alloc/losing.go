package alloc

import (
	"cmp"
	"slices"
	"sort"
)

// A losing knows what each failure costs, and finds what two at once do: that of both, and more where the backups for
// one lie in the other, or where both want more of a resource than it has.
type losing struct {
	s      *System
	alone  []cost  // by failure unit
	moved  []moved // by unit, then by resource that they go to, then those with more revenue per unit of demand first
	flocks []flock // by unit and resource
	into   []int32 // by flock, the unit of the resource
	first  []int32 // by unit, its first flock; one more at the end
	tight  []tight // flocks that may want more than there is, with those of another unit
	narrow []int32 // by unit, its first of tight; one more at the end
}

// A cost is what a failure costs: revenue, and pairs of job and dependency that go on nowhere.
type cost struct {
	loss    int64
	stopped int
}

// A moved is a victim that goes on, at most at a level, on a resource.
type moved struct {
	victim
	to, level int32
	density   float64 // revenue per unit of demand

	demand, gain int64 // of the levels of all up to it in its flock
	least        int64 // that it or one behind it in its flock takes at its least level
}

// A flock is the victims of one unit that go to one resource.
type flock struct {
	to           int32
	first, last  int32 // place in moved, and that behind it
	demand, gain int64 // of the levels of their backups
}

// A tight is what is read of a flock for each pair of failures.
type tight struct {
	to, flock    int32
	demand, room int64
}

// losing lays out primaries and backups.
func (s *System) losing(primary, backup Choices) *losing {
	units := len(s.names)
	l := &losing{s: s, alone: make([]cost, units), first: make([]int32, units+1), narrow: make([]int32, units+1)}
	at, n := make([]int32, units+1), 0 // by unit, where its moved begin
	for d := range s.deps {
		dep := &s.deps[d]
		for k, b := range dep.job {
			from, to := primary[d][b], backup[d][b]
			if from.Level == 0 {
				continue
			}
			u := s.units[from.Resource]
			l.alone[u].loss += dep.revenue[dep.first[k]+from.Level-1]
			if to.Level == 0 {
				l.alone[u].stopped++
				continue
			}
			at[u+1]++
			n++
		}
	}
	for u := range units {
		at[u+1] += at[u]
	}
	l.moved = make([]moved, n)
	next := slices.Clone(at)
	for d := range s.deps {
		dep := &s.deps[d]
		for k, b := range dep.job {
			from, to := primary[d][b], backup[d][b]
			if from.Level == 0 || to.Level == 0 {
				continue
			}
			u, level := s.units[from.Resource], dep.first[k]+to.Level-1
			density := float64(dep.revenue[level]) / float64(max(1, dep.demand[level]))
			l.moved[next[u]] = moved{victim: victim{int32(d), int32(k)}, to: to.Resource, level: level, density: density}
			next[u]++
		}
	}
	most := make([][2]int64, len(s.units)) // by resource, the two largest demands of a unit
	for u := range units {
		of := l.moved[at[u]:at[u+1]]
		sort.Slice(of, func(i, j int) bool {
			a, b := &of[i], &of[j]
			return cmp.Or(cmp.Compare(a.to, b.to), a.compare(b)) < 0
		})
		for i := range of {
			m, d := &of[i], &s.deps[of[i].dep]
			if i == 0 || m.to != of[i-1].to {
				place := at[u] + int32(i)
				l.flocks = append(l.flocks, flock{to: m.to, first: place, last: place})
				l.into = append(l.into, s.units[m.to])
			}
			f := &l.flocks[len(l.flocks)-1]
			f.last++
			f.demand += d.demand[m.level]
			f.gain += d.revenue[m.level]
			m.demand, m.gain = f.demand, f.gain
		}
		for i := len(of) - 1; i >= 0; i-- {
			m := &of[i]
			m.least = s.deps[m.dep].demand[s.deps[m.dep].first[m.job]]
			if i+1 < len(of) && of[i+1].to == m.to {
				m.least = min(m.least, of[i+1].least)
			}
		}
		l.first[u+1] = int32(len(l.flocks))
		for _, f := range l.flocks[l.first[u]:] {
			l.alone[u].loss -= f.gain
			if top := &most[f.to]; f.demand > top[0] {
				top[0], top[1] = f.demand, top[0]
			} else {
				top[1] = max(top[1], f.demand)
			}
		}
	}
	for u := range units {
		for i := l.first[u]; i < l.first[u+1]; i++ {
			f := &l.flocks[i]
			d := &s.deps[l.moved[f.first].dep]
			if room := d.backup[d.local[f.to]]; most[f.to][0]+most[f.to][1] > room {
				l.tight = append(l.tight, tight{f.to, i, f.demand, room})
			}
		}
		l.narrow[u+1] = int32(len(l.tight))
	}
	return l
}

// compare puts victims with more revenue per unit of demand first.
func (m *moved) compare(n *moved) int {
	return cmp.Or(cmp.Compare(n.density, m.density), cmp.Compare(m.job, n.job))
}

// both returns what two failures at once cost.
func (l *losing) both(u, v int32) cost {
	c := cost{l.alone[u].loss + l.alone[v].loss, l.alone[u].stopped + l.alone[v].stopped}
	l.strand(&c, u, v)
	l.strand(&c, v, u)
	x, y := l.tight[l.narrow[u]:l.narrow[u+1]], l.tight[l.narrow[v]:l.narrow[v+1]]
	for i, j := 0, 0; i < len(x) && j < len(y); {
		f, g := &x[i], &y[j]
		switch {
		case f.to < g.to:
			i++
		case f.to > g.to:
			j++
		default:
			i, j = i+1, j+1
			if unit := l.into[f.flock]; unit != u && unit != v && f.demand+g.demand > f.room {
				l.share(&c, &l.flocks[f.flock], &l.flocks[g.flock], f.room)
			}
		}
	}
	return c
}

// strand adds what is lost by the backups for u that lie in v.
func (l *losing) strand(c *cost, u, v int32) {
	for i, unit := range l.into[l.first[u]:l.first[u+1]] {
		if unit == v {
			f := &l.flocks[int(l.first[u])+i]
			c.loss += f.gain
			c.stopped += int(f.last - f.first)
		}
	}
}

// share adds what is lost where two flocks want more of a resource than it has: those with more revenue per unit of
// demand are served first, each at the highest level up to its backup's that still fits.
func (l *losing) share(c *cost, f, g *flock, room int64) {
	x, y := l.moved[f.first:f.last], l.moved[g.first:g.last]
	// Those before the first that lacks room lose nothing more.
	i, j := ahead(x, y, room)
	for _, served := range [][]moved{x[:i], y[:j]} {
		if n := len(served); n > 0 {
			room -= served[n-1].demand
			c.loss -= served[n-1].gain
		}
	}
	c.loss += f.gain + g.gain
	x, y = x[i:], y[j:]
	d := &l.s.deps[l.moved[f.first].dep]
	for len(x) > 0 || len(y) > 0 {
		if (len(x) == 0 || x[0].least > room) && (len(y) == 0 || y[0].least > room) {
			c.stopped += len(x) + len(y)
			return
		}
		var m *moved
		if len(y) == 0 || len(x) > 0 && x[0].compare(&y[0]) < 0 {
			m, x = &x[0], x[1:]
		} else {
			m, y = &y[0], y[1:]
		}
		at, first := m.level, d.first[m.job]
		for at >= first && d.demand[at] > room {
			at--
		}
		if at < first {
			c.stopped++
			continue
		}
		room -= d.demand[at]
		c.loss -= d.revenue[at]
	}
}

// ahead returns how many of each of two lists of victims of a resource come before the first of theirs that lacks room.
func ahead(x, y []moved, room int64) (i, j int) {
	need := func(before int, of []moved) int64 {
		if before == 0 {
			return 0
		}
		return of[before-1].demand
	}
	// Where one of x comes among y narrows where those before and behind it do.
	lo, hi := 0, len(y)
	for last := len(x); i < last; {
		mid := (i + last) / 2
		before := lo + sort.Search(hi-lo, func(n int) bool { return x[mid].compare(&y[lo+n]) < 0 })
		if x[mid].demand+need(before, y) > room {
			last, hi = mid, before
		} else {
			i, lo = mid+1, before
		}
	}
	// All of y from lo to before hi come between the last of x that has room and the first that lacks it.
	j = lo + sort.Search(hi-lo, func(n int) bool { return y[lo+n].demand+need(i, x) > room })
	return i, j
}
