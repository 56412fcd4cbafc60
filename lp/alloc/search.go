package alloc

import (
	"context"
	"math"
	"slices"
)

// effort says how long to search one problem.
type effort struct {
	scales int     // scales of the capacity that are packed at, from the first on
	sweeps int     // times every pair of bins is looked at; 0 leaves them out
	kicks  int     // times the best packing is shaken and improved again
	enough float64 // gap to the bound, as a share, at which the search ends
	seed   uint64  // of the order of pairs
	nodes  int     // of the exact search on small problems; 0 leaves it out
	// jobs that may wait in the end: beyond scales no more are tried to place them; nil: none
	mayWait []bool
	stint   *stint // what all of it may take
	parts   int    // problems that have an effort like this, of one batch; 0: one
}

// scales are the shares of the capacity for which the relaxation is solved
// before packing: a little less leaves room for what does not fit exactly.
var scales = []float64{1, 0.999, 0.995, 0.99, 0.98, 0.95}

// constructSteps limits the steps of the knapsacks of a first packing: a second.
const constructSteps = 300_000_000

// construct packs the rounded relaxation at several capacity scales and
// returns the best complete packing of the first ones, or else that of the next
// that has one, and the jobs that had no place when no scale gave one.
func (p *problem) construct(ctx context.Context, ks *knapsack, e effort, target int64) (best solution,
	waiting []int32) {
	capacity := sum(p.cap)
	least := p.least()
	segments := p.hulls(nil)
	complete, settled := false, false
	var before []int32 // levels of the scale before
	for n, scale := range scales {
		if n > 0 && ((complete && best.value >= target) || ((complete || settled) && n >= e.scales) || ctx.Err() != nil) {
			break
		}
		room := int64(scale * float64(capacity))
		if room < least {
			if n > 0 {
				break
			}
			room = least
		}
		price := 0.0
		if p.price != nil {
			price = p.relaxPriced(room).price
		} else {
			price = breakOf(segments, room-least).price
		}
		level, _ := p.levelsAt(price, room)
		if slices.Equal(level, before) {
			continue // the same levels come to the same packing
		}
		before = level
		a := newPacking(p)
		a.ctx = ctx
		pack := context.WithoutCancel(ctx) // a first assignment is always made
		if complete {
			pack = ctx
		}
		left := a.squeeze(pack, a.fitDecreasing(pack, level))
		if pack.Err() != nil {
			break
		}
		if len(left) > 0 {
			if waiting == nil || len(left) < len(waiting) {
				waiting = left
			}
			settled = !slices.ContainsFunc(left, func(k int32) bool { return e.mayWait == nil || !e.mayWait[k] })
			continue
		}
		if e.enough > 0 || p.value(a.level, a.bin) < target { // else there is no more to earn
			a.upgrade()
			a.relevel(ks, 20_000)
			a.upgrade()
		}
		if s := a.solution(); !complete || s.value > best.value {
			best, complete = s, true
		}
	}
	if !complete && (!settled || e.scales == len(scales)) {
		if s, left := p.constructLeast(ctx); len(left) == 0 {
			best = s
		} else if len(left) < len(waiting) || waiting == nil {
			waiting = left
		}
	}
	return best, waiting
}

// constructLeast packs all jobs at their least levels first, then upgrades.
func (p *problem) constructLeast(ctx context.Context) (solution, []int32) {
	a, first := newPacking(p), context.WithoutCancel(ctx) // a first assignment is always made
	a.ctx = ctx
	left := a.fitDecreasing(first, p.first)
	if len(left) > 0 && p.sites != nil && p.home == nil {
		// Of greatest flows one may leave place for all, and another not.
		for _, plain := range []bool{false, true} {
			sent, err := p.sending(first, plain)
			if err != nil || p.short != nil {
				break
			}
			b := newPacking(p)
			b.ctx = ctx
			if rest := b.placeSent(first, sent); len(rest) < len(left) {
				a, left = b, rest
			}
			if len(left) == 0 {
				break
			}
		}
	}
	if len(left) > 0 {
		return solution{}, left
	}
	a.upgrade()
	return a.solution(), nil
}

// search returns the best solution found, nil levels when none is complete
// (then the waiting jobs of the best try), and whether that is proven: no
// better one exists, or none at all. bound is an upper bound on the value.
func (p *problem) search(ctx context.Context, e effort, bound float64) (s solution, waiting []int32, proven bool) {
	ks := knapsack{limit: max(1, e.stint.most(constructSteps/max(1, e.parts), 1))}
	target := int64(math.Floor(bound + 1e-9*math.Abs(bound)))
	enough := target - int64(e.enough*math.Abs(float64(target)))
	s, waiting = p.construct(ctx, &ks, e, enough)
	e.stint.take(ks.steps / stepsOfMerge)
	if s.level == nil {
		if s, proven = p.exact(ctx, solution{}, e); s.level == nil {
			return solution{}, waiting, proven
		}
		waiting = nil
	}
	if s.value < enough && !proven && len(p.cap) > 0 {
		x := newExchange(p, s, e)
		x.run(ctx, enough)
		s = x.a.solution()
	}
	if s.value < target && !proven && ctx.Err() == nil {
		s, proven = p.exact(ctx, s, e)
	}
	return s, nil, proven || s.value >= target
}
