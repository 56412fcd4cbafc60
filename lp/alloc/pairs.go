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
