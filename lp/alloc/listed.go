package alloc

import (
	"cmp"
	"context"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/lp/alloc/internal/transport"
)

// Limits of what is done for jobs that name the bins they may use, where packing them one by one leaves some, in jobs
// and bins that are looked at: a few seconds each.
const (
	sendingWork = 100_000_000
	movingWork  = 8_000_000
)

// A shortage is jobs whose least demands exceed what the bins hold that they may use, in multiples of a unit.
type shortage struct {
	jobs, bins []int32
	unit       int64
}

// none says that jobs of a dependency wait for a place: with what proves that there is none for all, or that none was
// found. of are the jobs of the dependency that the problem is about, nil for all.
func (s *System) none(d *dependency, p *problem, of, waiting []int32, proven bool) error {
	name := func(jobs []int32) []string {
		if of != nil {
			jobs = pick(of, jobs)
		}
		return s.jobNames(d, jobs)
	}
	switch c := p.short; {
	case c != nil:
		e := &InfeasibleError{Dependency: d.name, Unit: c.unit, Jobs: name(c.jobs)}
		for _, k := range c.jobs {
			e.Need += p.dem[p.first[k]]
		}
		for _, j := range c.bins {
			e.Eligible = append(e.Eligible, s.Batch.Resources[d.resource[j]].ID)
			e.Have += p.cap[j] - p.cap[j]%c.unit
		}
		return e
	case proven:
		return &InfeasibleError{Dependency: d.name, Exhausted: true, Jobs: name(waiting)}
	}
	return &NotFoundError{Dependency: d.name, Jobs: name(waiting)}
}

// sending sends the least demands of all jobs, as if they could be split, to the bins that they may use, and sets the
// shortage if not all can be sent. Jobs that may use any are one job, the last. Rooms are whole multiples of the unit,
// which divides all demands, so that equal demands are not split.
func (p *problem) sending(ctx context.Context, plain bool) (*transport.Sent, error) {
	n := &transport.Network{Plain: plain, Demand: make([]int64, p.jobs()), Bins: p.sites, Room: slices.Clone(p.cap)}
	all, unit := int64(0), int64(0)
	for k, l := range p.first {
		d := p.dem[l]
		if unit = numeric.GCD(unit, d); p.listed(int32(k)) {
			n.Demand[k] = d
		} else {
			all += d
		}
	}
	if all > 0 {
		n.Demand, n.Bins = append(n.Demand, all), append(slices.Clone(p.sites), numeric.Indices[int32](len(p.cap)))
	}
	unit = max(1, unit)
	for j, room := range n.Room {
		n.Room[j] = room - room%unit
	}
	sent, err := n.Send(ctx, sendingWork)
	if err == nil && len(sent.Jobs) > 0 {
		p.short = &shortage{sent.Jobs, sent.Bins, unit}
		if int(sent.Jobs[len(sent.Jobs)-1]) == p.jobs() {
			p.short.jobs = numeric.Indices[int32](p.jobs())
		}
	}
	return sent, err
}

// placeSent packs all jobs at their least levels: each where most of it was sent, if it fits there, those that were
// sent whole first. It returns the jobs that fit nowhere.
func (a *packing) placeSent(ctx context.Context, sent *transport.Sent) []int32 {
	p := a.p
	type part struct {
		amount, rest int64
		job, bin     int32
	}
	parts := make([]part, p.jobs())
	for k := range parts {
		at := part{job: int32(k), bin: -1, rest: p.dem[p.first[k]]}
		for i, amount := range sent.Amounts(k) {
			if at.bin < 0 || amount > at.amount {
				at.amount, at.bin = amount, p.sites[k][i]
			}
		}
		at.rest -= at.amount
		parts[k] = at
	}
	slices.SortFunc(parts, func(x, y part) int {
		return cmp.Or(cmp.Compare(x.rest, y.rest), cmp.Compare(y.amount, x.amount), cmp.Compare(x.job, y.job))
	})
	var waiting []int32
	for _, at := range parts {
		l := p.first[at.job]
		switch {
		case p.isOut(at.job, l):
		case at.bin >= 0 && at.rest < p.dem[l] && a.room[at.bin] >= p.dem[l]:
			a.put(at.job, at.bin, l)
		default:
			waiting = append(waiting, at.job)
		}
	}
	return a.rehouse(ctx, waiting)
}

// rehouse places jobs at their least levels by chains of moves: a job takes the place of one that goes to another bin,
// where it fits or takes the place of a third, and so on. For equal demands these are the augmenting paths of a
// matching. Where there is no chain, a job takes the place of a smaller one, which then waits: less demand waits each
// time. It returns the jobs that found no place.
func (a *packing) rehouse(ctx context.Context, waiting []int32) (left []int32) {
	p := a.p
	slices.SortFunc(waiting, func(x, y int32) int {
		return cmp.Or(cmp.Compare(p.dem[p.first[y]], p.dem[p.first[x]]), cmp.Compare(x, y))
	})
	r := &rehousing{packing: a, head: unplaced(len(p.cap)), next: unplaced(p.jobs()), before: unplaced(p.jobs()),
		seen: make([]int32, len(p.cap)), hops: make([]hop, len(p.cap))}
	for k, j := range a.bin {
		if j >= 0 {
			r.link(int32(k), j)
		}
	}
	for times := range 3 { // what takes little work first
		left = nil
		for i := 0; i < len(waiting); i++ {
			k := waiting[i]
			if r.work > movingWork || ctx.Err() != nil {
				left = append(left, k)
			} else if r.force(k, times) {
				continue
			} else if m := r.takePlace(k); m >= 0 {
				waiting = append(waiting, m)
			} else {
				left = append(left, k)
			}
		}
		waiting = left
	}
	return left
}

// A rehousing looks for chains of moves.
type rehousing struct {
	*packing
	head         []int32 // by bin, the first job in it
	next, before []int32 // by job, those beside it in its bin; -1: none
	seen         []int32 // by bin, the search that came to it last
	hops         []hop   // by bin that was seen
	search       int32
	queue        []int32
	moved        []hop // all moves so far
	work         int
}

// link makes a job the first of a bin.
func (r *rehousing) link(k, j int32) {
	r.before[k], r.next[k] = -1, r.head[j]
	if r.next[k] >= 0 {
		r.before[r.next[k]] = k
	}
	r.head[j] = k
}

// unlink takes a job out of its bin.
func (r *rehousing) unlink(k int32) {
	if r.next[k] >= 0 {
		r.before[r.next[k]] = r.before[k]
	}
	if r.before[k] >= 0 {
		r.next[r.before[k]] = r.next[k]
	} else {
		r.head[r.bin[k]] = r.next[k]
	}
}

// in returns the jobs in a bin.
func (r *rehousing) in(j int32) (jobs []int32) {
	for m := r.head[j]; m >= 0; m = r.next[m] {
		jobs = append(jobs, m)
	}
	return jobs
}

// A hop brings a job into a bin, from another or, from -1, for the first time.
type hop struct {
	job, from int32
	need      int64 // that has to leave the bin for it
}

// through reports whether the chain to a bin goes through another one.
func (r *rehousing) through(to, j int32) bool {
	for to >= 0 && to != j {
		r.work++
		to = r.hops[to].from
	}
	return to == j
}

// place finds the shortest chain for a job.
func (r *rehousing) place(k int32) bool {
	r.search++
	r.queue = r.queue[:0]
	if r.leave(hop{job: k, from: -1}, r.p.dem[r.p.first[k]]) {
		return true
	}
	for i := 0; i < len(r.queue) && r.work < movingWork; i++ {
		j := r.queue[i]
		need := r.hops[j].need
		for m := r.head[j]; m >= 0; m = r.next[m] {
			r.work++
			if d := r.p.dem[r.level[m]]; d >= need && r.leave(hop{job: m, from: j}, d) {
				return true
			}
		}
	}
	return false
}

// force places a job by a chain, or puts it in the place of two jobs that are placed likewise, so many times over.
func (r *rehousing) force(k int32, times int) bool {
	if r.place(k) {
		return true
	}
	if times == 0 || !r.p.listed(k) {
		return false
	}
	l := r.p.first[k]
	for j := range r.p.binsOf(k) {
		need := r.p.dem[l] - r.room[j]
		in := r.in(j)
		for i, a := range in {
			for _, b := range in[:i] {
				if r.work++; r.p.dem[r.level[a]]+r.p.dem[r.level[b]] < need {
					continue
				}
				if r.work > movingWork {
					return false
				}
				begun := len(r.moved)
				r.shift(a, -1)
				r.shift(b, -1)
				r.shift(k, j)
				if r.force(a, times-1) && r.force(b, times-1) {
					return true
				}
				for len(r.moved) > begun {
					last := r.moved[len(r.moved)-1]
					r.shift(last.job, last.from)
					r.moved = r.moved[:len(r.moved)-2]
				}
			}
		}
	}
	return false
}

// shift moves a job to a bin, or to none, and remembers where it was.
func (r *rehousing) shift(k, j int32) {
	r.moved = append(r.moved, hop{job: k, from: r.bin[k]})
	if r.bin[k] >= 0 {
		r.unlink(k)
		r.remove(k)
	}
	if j >= 0 {
		r.put(k, j, r.p.first[k])
		r.link(k, j)
	}
}

// takePlace puts a job in the place of a smaller one, of the smallest that leaves enough room, and returns that one; -1
// if there is none.
func (r *rehousing) takePlace(k int32) int32 {
	if !r.p.listed(k) {
		return -1
	}
	d, best, least := r.p.dem[r.p.first[k]], int32(-1), int64(0)
	for j := range r.p.binsOf(k) {
		for m := r.head[j]; m >= 0; m = r.next[m] {
			r.work++
			if e := r.p.dem[r.level[m]]; e < d && e >= d-r.room[j] && (best < 0 || e < least) {
				best, least = m, e
			}
		}
	}
	if best >= 0 {
		j := r.bin[best]
		r.shift(best, -1)
		r.shift(k, j)
	}
	return best
}

// leave looks at the bins that a job may go to. If one has room, all moves of the chain to it are made.
func (r *rehousing) leave(h hop, d int64) bool {
	if !r.p.listed(h.job) {
		j := r.bestFit(h.job, d)
		if j < 0 || r.through(h.from, j) {
			return false
		}
		r.hops[j] = h
		r.move(j)
		return true
	}
	for j := range r.p.binsOf(h.job) {
		need := d - r.room[j]
		if r.work++; r.seen[j] == r.search && (r.hops[j].need <= need || r.through(h.from, j)) {
			continue
		}
		h.need = need
		r.seen[j], r.hops[j] = r.search, h
		if r.room[j] >= d {
			r.move(j)
			return true
		}
		r.queue = append(r.queue, j)
	}
	return false
}

// move makes the moves of the chain that ends in a bin, the last one first.
func (r *rehousing) move(j int32) {
	for j >= 0 {
		h := r.hops[j]
		r.shift(h.job, j)
		j = h.from
	}
}
