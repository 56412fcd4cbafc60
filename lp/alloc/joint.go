package alloc

import (
	"cmp"
	"context"
	"github.com/capplan/capplan/internal/numeric"
	"math"
)

// joint is an assignment of all dependencies under construction, where optional
// admission and a budget tie them. Jobs are those of the batch; a job is served
// in every dependency that it needs, or in none.
type joint struct {
	s      *System
	pack   []*packing // by dependency, over all its jobs; a job without a bin is left out
	price  [][]float64
	lambda []float64 // by dependency, multiplier of capacity
	mu     float64   // of the budget
	budget float64
	barred []bool

	served []bool // by job
	net    float64
	spent  float64
}

func (s *System) newJoint(lambda []float64, mu float64) *joint {
	t := &joint{s: s, lambda: lambda, mu: mu, budget: s.budget() * (1 + 1e-13), served: make([]bool, len(s.Batch.Jobs))}
	for d := range s.deps {
		p, _, _ := s.deps[d].primaryProblem().priced(1)
		t.pack = append(t.pack, newPacking(p))
		t.price = append(t.price, s.deps[d].price)
	}
	return t
}

func (t *joint) optional(b int32) bool { return t.s.optional != nil && t.s.optional[b] }

func (t *joint) fee(b int32) float64 {
	if t.s.fee == nil {
		return 0
	}
	return float64(t.s.fee[b])
}

// unit is what a unit of demand of dependency d costs in bin j.
func (t *joint) unit(d int, j int32) float64 {
	if t.price[d] == nil || j < 0 {
		return 0
	}
	return t.price[d][j]
}

// level returns revenue and demand of a level.
func (t *joint) level(d int, l int32) (revenue, demand float64) {
	return float64(t.s.deps[d].revenue[l]), float64(t.s.deps[d].demand[l])
}

// place puts job k of dependency d at level l in bin j; it may be there already.
func (t *joint) place(d int, k, j, l int32) {
	t.unplace(d, k)
	t.pack[d].put(k, j, l)
	r, q := t.level(d, l)
	t.net += r - t.unit(d, j)*q
	t.spent += t.unit(d, j) * q
}

func (t *joint) unplace(d int, k int32) {
	a := t.pack[d]
	if j := a.bin[k]; j >= 0 {
		r, q := t.level(d, a.level[k])
		t.net -= r - t.unit(d, j)*q
		t.spent -= t.unit(d, j) * q
		a.remove(k)
	}
}

// drop takes a job out of all dependencies.
func (t *joint) drop(b int32) {
	if t.served[b] {
		t.served[b] = false
		t.net -= t.fee(b)
	}
	for d := range t.pack {
		if k := t.s.deps[d].at[b]; k >= 0 {
			t.unplace(d, k)
		}
	}
}

// value is what a job is worth at the multipliers, at its best levels.
func (t *joint) value(b int32) float64 {
	v := t.fee(b)
	for d := range t.pack {
		k := t.s.deps[d].at[b]
		if k < 0 {
			continue
		}
		p, best := t.pack[d].p, math.Inf(-1)
		for l := p.first[k]; l < p.last[k]; l++ {
			r, q := t.level(d, l)
			best = math.Max(best, r-t.lambda[d]*q)
		}
		v += best
	}
	return v
}

// admit serves a job at the levels that are worth most at the multipliers among
// those that fit now; false, and nothing changed, when it fits nowhere, costs
// too much, or (an optional one) earns nothing.
func (t *joint) admit(b int32) bool {
	before, spent := t.net, t.spent
	t.net += t.fee(b)
	for d := range t.pack {
		k := t.s.deps[d].at[b]
		if k < 0 {
			continue
		}
		p, a := t.pack[d].p, t.pack[d]
		best, to, at := math.Inf(-1), int32(-1), int32(-1)
		for l := p.last[k] - 1; l >= p.first[k]; l-- {
			j := a.bestFit(k, p.dem[l])
			if j < 0 {
				continue
			}
			r, q := t.level(d, l)
			if t.spent+t.unit(d, j)*q > t.budget {
				continue
			}
			if v := r - math.Max(t.lambda[d], (1+t.mu)*t.unit(d, j))*q; v > best {
				best, to, at = v, l, j
			}
		}
		if at < 0 {
			t.served[b] = true
			t.drop(b)
			t.net, t.spent = before, spent
			return false
		}
		t.place(d, k, at, to)
	}
	t.served[b] = true
	if t.optional(b) && !(t.net > before) {
		t.drop(b)
		t.net, t.spent = before, spent
		return false
	}
	return true
}

// whole stands for all dependencies of a job, after each of them.
const whole = math.MaxInt32

// A move changes the level of job k in dependency d.
type move struct {
	slope    float64 // what it gains per unit of what it takes
	d, k, to int32
}

// steeper puts moves in falling order of slope, which is a number.
func steeper(x, y move) int {
	if x.slope != y.slope {
		if x.slope > y.slope {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(x.d, y.d), cmp.Compare(x.k, y.k), cmp.Compare(x.to, y.to))
}

// cut lowers levels and leaves out optional jobs, what loses least for each
// unit of money saved first, until the budget holds; false when it cannot, or
// when ctx is done before.
func (t *joint) cut(ctx context.Context) bool {
	for t.spent > t.budget {
		if ctx.Err() != nil {
			return false
		}
		var steps []move
		for d := range t.pack {
			a := t.pack[d]
			for k, j := range a.bin {
				if l := a.level[k]; j >= 0 && t.unit(d, j) > 0 && l > a.p.first[k] {
					r, q := t.level(d, l)
					r0, q0 := t.level(d, l-1)
					saved := t.unit(d, j) * (q - q0)
					steps = append(steps, move{-(r - r0 - saved) / saved, int32(d), int32(k), l - 1})
				}
			}
		}
		for b := range t.served {
			if !t.served[b] || !t.optional(int32(b)) {
				continue
			}
			loss, saved := t.fee(int32(b)), 0.0
			for d := range t.pack {
				if k := t.s.deps[d].at[b]; k >= 0 {
					r, q := t.level(d, t.pack[d].level[k])
					c := t.unit(d, t.pack[d].bin[k]) * q
					loss += r - c
					saved += c
				}
			}
			if saved > 0 {
				steps = append(steps, move{-loss / saved, whole, int32(b), 0})
			}
		}
		if len(steps) == 0 {
			return false
		}
		for n, w := range numeric.InOrder(steps, steeper) {
			if t.spent <= t.budget || n&255 == 255 && ctx.Err() != nil {
				break
			}
			if w.d == whole {
				t.drop(w.k)
			} else if a := t.pack[w.d]; a.bin[w.k] >= 0 {
				t.place(int(w.d), w.k, a.bin[w.k], a.level[w.k]-1)
			}
		}
	}
	return true
}

// fill serves left-out jobs, the most valuable first, then raises levels, the
// steepest rise first, as far as capacity and budget go; jobs that earn less
// than they cost are left out first. order lists the optional jobs.
func (t *joint) fill(ctx context.Context, order []int32) {
	for _, b := range order {
		if t.served[b] && t.optional(b) && t.earns(b) < 0 {
			t.drop(b)
		}
	}
	for n, b := range order {
		if n&255 == 255 && ctx.Err() != nil {
			return
		}
		if !t.served[b] && (t.barred == nil || !t.barred[b]) {
			t.admit(b)
		}
	}
	for range 20 {
		if ctx.Err() != nil || !t.upgrade(ctx) {
			return
		}
	}
}

// earns is what a served job earns net.
func (t *joint) earns(b int32) float64 {
	v := t.fee(b)
	for d := range t.pack {
		if k := t.s.deps[d].at[b]; k >= 0 {
			r, q := t.level(d, t.pack[d].level[k])
			v += r - t.unit(d, t.pack[d].bin[k])*q
		}
	}
	return v
}

// saving is what all served jobs would save, each on the cheapest bin that has room for it now.
func (t *joint) saving() float64 {
	sum := 0.0
	for d, a := range t.pack {
		offers := a.offers()
		for k, j := range a.bin {
			if j < 0 || offers == nil {
				continue
			}
			if to := cheapestOf(offers, a.p.dem[a.level[k]]); to >= 0 && t.unit(d, to) < t.unit(d, j) {
				_, q := t.level(d, a.level[k])
				sum += (t.unit(d, j) - t.unit(d, to)) * q
			}
		}
	}
	return sum
}

// upgrade is one pass of raising levels, which ctx ends early; it reports
// whether any was raised.
func (t *joint) upgrade(ctx context.Context) bool {
	var rises []move
	left := t.budget - t.spent
	saving := t.saving()
	for d := range t.pack {
		a := t.pack[d]
		if len(a.room) == 0 {
			continue
		}
		most, offers := a.largest(), a.offers()
		for k, j := range a.bin {
			if j < 0 {
				continue
			}
			r0, q0 := t.level(d, a.level[k])
			for l := a.level[k] + 1; l < a.p.last[k]; l++ {
				extra := a.p.dem[l] - a.p.dem[a.level[k]]
				stays := extra <= a.room[j] && t.unit(d, j)*float64(extra) <= left
				if !stays && a.p.dem[l] > most {
					break
				}
				r, q := t.level(d, l)
				if !stays && offers != nil { // what costs too much, or more than it brings, is left to a later pass
					c := t.unit(d, cheapestOf(offers, a.p.dem[l]))*q - t.unit(d, j)*q0
					stays = c <= left+saving && r-c > r0
				}
				if r > r0 && (stays || offers == nil) {
					price := t.lambda[d] + (1+t.mu)*t.unit(d, j) + 1e-9
					rises = append(rises, move{(r - r0) / ((q - q0) * price), int32(d), int32(k), l})
				}
			}
		}
	}
	changed := false
	for n, w := range numeric.InOrder(rises, steeper) {
		if n&255 == 255 && ctx.Err() != nil {
			break
		}
		d := int(w.d)
		a := t.pack[d]
		l, j := a.level[w.k], a.bin[w.k]
		if w.to <= l {
			continue
		}
		r0, q0 := t.level(d, l)
		r, q := t.level(d, w.to)
		now := r0 - t.unit(d, j)*q0
		spent := t.spent - t.unit(d, j)*q0
		better := func(j int32) bool {
			c := t.unit(d, j) * q
			return r-c > now && spent+c <= t.budget
		}
		if a.p.dem[w.to]-a.p.dem[l] <= a.room[j] && better(j) {
			t.place(d, w.k, j, w.to)
			changed = true
		} else if j := a.bestFit(w.k, a.p.dem[w.to]); j >= 0 && better(j) {
			t.place(d, w.k, j, w.to)
			changed = true
		}
	}
	return changed
}
