package alloc

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
)

// memory is the number of bins up to which it is remembered which pairs were
// tried since they changed.
const memory = 400

// pairing remembers which pairs of bins were tried since they changed.
type pairing struct {
	bins  [][2]int32
	tried [][2]int32 // versions of both bins when last tried
	order []int
}

func newPairing(m int) *pairing {
	g := &pairing{}
	if m > memory {
		return g
	}
	for a := range m {
		for b := a + 1; b < m; b++ {
			g.order = append(g.order, len(g.bins))
			g.bins = append(g.bins, [2]int32{int32(a), int32(b)})
			g.tried = append(g.tried, [2]int32{-1, -1})
		}
	}
	return g
}

// forget drops what was tried at versions that no longer stand.
func (g *pairing) forget(version []int32) {
	for i, b := range g.bins {
		if g.tried[i][0] > version[b[0]] || g.tried[i][1] > version[b[1]] {
			g.tried[i] = [2]int32{-1, -1}
		}
	}
}

// draw returns all bins, paired at random: where jobs name the bins that they may use, most with one that a job in
// them names too. Of two bins drawn from many, hardly ever both are named by a job.
func (x *exchange) draw() []int {
	p, all := x.a.p, x.rng.Perm(len(x.members))
	if p.sites == nil {
		return all
	}
	met, pairs, rest := make([]bool, len(all)), make([]int, 0, len(all)), []int(nil)
	for _, a := range all {
		if met[a] {
			continue
		}
		met[a] = true
		if b := x.neighbour(a); b >= 0 && !met[b] {
			met[b] = true
			pairs = append(pairs, a, b)
		} else {
			rest = append(rest, a)
		}
	}
	return append(pairs, rest...)
}

// neighbour returns a bin that a job of bin a names too, drawn at random, -1 if the job names none.
func (x *exchange) neighbour(a int) int {
	in := x.members[a]
	if len(in) == 0 {
		return -1
	}
	k := in[x.rng.IntN(len(in))]
	if !x.a.p.listed(k) || len(x.a.p.sites[k]) == 0 {
		return -1
	}
	return int(x.a.p.sites[k][x.rng.IntN(len(x.a.p.sites[k]))])
}

// meet reorganizes the bins two by two in the given order, as [exchange.pair] does, until the target is reached, the
// work is used up or ctx is done; it returns what all are worth then. No two pairs share a bin, so that where no jobs
// are left out they are looked at side by side, some at once, and carried out one after another: the answer is that
// of any number of cores.
func (x *exchange) meet(ctx context.Context, perm []int, value, target int64) int64 {
	n := len(perm) / 2
	stop := func() bool { return x.work < 0 || ctx.Err() != nil || value >= target }
	if x.a.p.skip {
		for i := 0; i < n && !stop(); i++ {
			value += x.pair(int32(perm[2*i]), int32(perm[2*i+1]))
		}
		return value
	}
	const parts = 8
	looks := make([]exchange, parts)
	for i := range looks {
		looks[i] = exchange{a: x.a, e: x.e, members: x.members, source: rand.NewPCG(0, 0)}
		looks[i].rng = rand.New(looks[i].source)
	}
	// Of large bins fewer at once: ctx is looked at between.
	atOnce := min(max(20_000*len(perm)/(2*x.a.p.jobs()+1), parts), 512)
	x.rounds++
	found := make([]division, atOnce)
	for from := 0; from < n; from += atOnce {
		now := found[:min(atOnce, n-from)]
		parallel.Do(parts, func(part int) {
			for i := len(now) * part / parts; i < len(now)*(part+1)/parts; i++ {
				a, b := int32(perm[2*(from+i)]), int32(perm[2*(from+i)+1])
				looks[part].source.Seed(x.e.seed+x.rounds, uint64(from+i))
				now[i] = looks[part].division(a, b)
			}
		})
		for _, f := range now {
			if stop() {
				return value
			}
			if x.work -= f.work; f.gain > 0 {
				x.jobs, x.side = f.jobs, f.side
				x.apply(f.a, f.b, f.level)
				value += f.gain
			}
		}
	}
	return value
}

// A division is what [exchange.look] found for two bins.
type division struct {
	a, b        int32
	gain        int64
	work        int // that it took
	jobs, level []int32
	side        []bool
}

// division looks at two bins and keeps what it found.
func (x *exchange) division(a, b int32) division {
	x.work = 0
	a, b = x.cheaper(a, b)
	f := division{a: a, b: b, gain: x.look(a, b)}
	if f.work = -x.work; f.gain > 0 {
		f.jobs, f.level, f.side = slices.Clone(x.jobs), slices.Clone(x.chosen), slices.Clone(x.side)
	}
	return f
}
