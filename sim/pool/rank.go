package pool

import (
	"math"
	"sort"
)

// A standing is a job that may migrate, with its priority.
type standing struct {
	priority float64
	id       int32 // decides between equals: the older goes first
	slot     int32
}

func (a *standing) before(b *standing) bool {
	return a.priority > b.priority || a.priority == b.priority && a.id < b.id
}

// rank collects the jobs that may migrate with their priorities
//
//	p = (elapsed − progress)/progress + d,
//
// the progress at least 1 s, −∞ for a job that can no longer keep e_max. It
// returns how many dedicated machines they may have among them: those that no
// other job holds.
func (x *run) rank() (places int) {
	x.ranked = x.ranked[:0]
	places = x.pool.Dedicated
	for _, slot := range x.active {
		j := x.jobs[slot]
		if j.leaving || j.place == entering || j.place == ashore || x.now-j.moved < x.pool.CoolDown {
			if j.machine {
				places--
			}
			continue
		}
		progress := j.from + x.now - j.since
		if j.place == public {
			progress = j.stored
			for _, i := range j.replicas {
				if r := &x.replicas[i]; r.state == works || r.state == dead && r.since < forever {
					p, _ := x.reported(r)
					progress = max(progress, p)
				}
			}
		}
		late := x.now - j.At - progress
		priority := late/max(progress, 1) + x.users.of(j.User).deviation
		if late > x.pool.Agreement.MaxElongation*j.Work {
			priority = math.Inf(-1)
		}
		x.ranked = append(x.ranked, standing{priority, j.id, slot})
	}
	return max(places, 0)
}

// migrate brings the jobs of highest priority to the dedicated machines; those of
// least priority make room as far as none is free.
func (x *run) migrate() {
	top := min(x.rank(), len(x.ranked))
	split(x.ranked, top)
	x.in, x.out = x.in[:0], x.out[:0]
	for i, s := range x.ranked {
		switch j := x.jobs[s.slot]; {
		case i < top && j.place == public:
			x.in = append(x.in, s)
		case i >= top && j.place == dedicated:
			x.out = append(x.out, s)
		}
	}
	sort.Slice(x.in, func(i, j int) bool { return x.in[i].before(&x.in[j]) })
	sort.Slice(x.out, func(i, j int) bool { return x.out[i].before(&x.out[j]) })
	last := len(x.out)
	for _, s := range x.in {
		if x.taken >= x.pool.Dedicated {
			last--
			if last < 0 || !x.leaves(x.jobs[x.out[last].slot]) {
				return
			}
		}
		x.enters(x.jobs[s.slot])
	}
}

// split moves the top k before the others, in O(n) on average (Hoare's selection).
func split(s []standing, k int) {
	for lo, hi := 0, len(s)-1; lo < hi; {
		mid := s[lo+(hi-lo)/2]
		i, j := lo, hi
		for i <= j {
			for s[i].before(&mid) {
				i++
			}
			for mid.before(&s[j]) {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			hi = j
		case k-1 >= i:
			lo = i
		default:
			return
		}
	}
}
