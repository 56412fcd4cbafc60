package alloc

import (
	"context"
	"slices"
)

// kick shakes a local optimum: the jobs of a few bins go to their least level
// and are packed again in random order, those bins' levels are chosen anew,
// and the pairs that changed are improved. The result is kept when it is not
// worse; the best packing is in x.a at the end.
func (x *exchange) kick(ctx context.Context, target int64, pairs *pairing) {
	p := x.a.p
	best := x.save()
	for n := 0; n < x.e.kicks && x.work >= 0 && best.value < target && ctx.Err() == nil; n++ {
		x.work -= 4 * p.jobs()
		if !x.shake() {
			x.load(best, pairs)
			continue
		}
		begun := x.ks.steps
		x.a.relevelBins(&x.ks, 20_000, x.members, x.shaken)
		x.merged(begun, 0)
		x.recount()
		x.improve(ctx, target, pairs)
		if v := p.value(x.a.level, x.a.bin); v >= best.value {
			best = x.save()
		} else {
			x.load(best, pairs)
		}
	}
	x.load(best, pairs)
}

// saved is a solution with the versions of its bins.
type saved struct {
	solution
	version []int32
}

func (x *exchange) save() saved {
	return saved{solution: x.a.solution(), version: slices.Clone(x.version)}
}

// load goes back to a saved packing.
func (x *exchange) load(s saved, pairs *pairing) {
	for k, j := range x.a.bin {
		if j >= 0 && (j != s.bin[k] || x.a.level[k] != s.level[k]) {
			x.a.remove(int32(k))
		}
	}
	for k, j := range s.bin {
		if j >= 0 && x.a.bin[k] < 0 {
			x.a.put(int32(k), j, s.level[k])
		} else if j < 0 {
			x.a.level[k] = s.level[k]
		}
	}
	// Versions only grow while shaking: what was tried at a later one is
	// forgotten, what was tried at these still stands.
	copy(x.version, s.version)
	pairs.forget(x.version)
	x.recount()
}

// recount lists the jobs by bin anew.
func (x *exchange) recount() {
	for j := range x.members {
		x.members[j] = x.members[j][:0]
	}
	x.out = x.out[:0]
	for k, j := range x.a.bin {
		if j >= 0 {
			x.members[j] = append(x.members[j], int32(k))
		} else {
			x.out = append(x.out, int32(k))
		}
	}
}

// shake packs the jobs of two to four bins anew at random; false when they
// don't fit.
func (x *exchange) shake() bool {
	p := x.a.p
	m := len(x.members)
	x.shaken = x.shaken[:0]
	for _, j := range x.rng.Perm(m)[:min(m, 2+x.rng.IntN(3))] {
		x.shaken = append(x.shaken, int32(j))
	}
	x.jobs = x.jobs[:0]
	for _, j := range x.shaken {
		x.jobs = append(x.jobs, x.members[j]...)
		x.version[j]++
	}
	for _, k := range x.jobs {
		x.a.remove(k)
	}
	x.rng.Shuffle(len(x.jobs), func(i, j int) { x.jobs[i], x.jobs[j] = x.jobs[j], x.jobs[i] })
	for _, k := range x.jobs {
		l := p.first[k]
		if p.isOut(k, l) {
			if l++; l == p.last[k] {
				continue
			}
		}
		// The level varies: the demands of a good packing are not the least.
		l += int32(x.rng.IntN(int(p.last[k] - l)))
		placed := false
		for ; l >= p.first[k] && !placed && !p.isOut(k, l); l-- {
			start := x.rng.IntN(len(x.shaken))
			for i := range x.shaken {
				j := x.shaken[(start+i)%len(x.shaken)]
				if p.allowed(k, j) && p.dem[l] <= x.a.room[j] {
					x.a.put(k, j, l)
					placed = true
					break
				}
			}
		}
		if !placed && !p.isOut(k, p.first[k]) {
			return false
		}
	}
	x.recount()
	return true
}
