package alloc

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
)

// dual is the linear relaxation of a batch with what ties its dependencies,
// solved through its Lagrangian: capacity of pools of bins and the budget get
// multipliers λ and μ, and what is left falls apart into one choice per job and
// one per bin,
//
//	L(λ, μ) = μB + Σ_j C_j·(λ_j − (1+μ)π_j)⁺ + Σ_k [F_k + Σ_d max_l (R_l − λD_l)]
//
// where π is the price of a unit of demand, F the base fee, λ_j that of the
// bin's pool and of the cheapest pool that the job and level may use, and the
// bracket of a job that may be left out is at least 0. L is an upper bound for
// any λ, μ ≥ 0. The choices left have integral vertices (a job takes one level
// in one pool), so that the least L is the value of the linear program: the
// bound of Lagrange and that of the relaxation are the same number (Geoffrion,
// Lagrangean relaxation for integer programming, Math. Prog. Study 2, 1974).
//
// The least L is found from the primal side, by column generation: a column is
// one choice for all jobs and bins, the multipliers are the simplex
// multipliers of the columns so far. With one pool for each dependency there
// are D + 1 of them, and some dozens of columns do.
type dual struct {
	jobs     int
	deps     []dualDep
	fee      []int64 // by job; nil for none
	optional []bool  // by job; nil for none
	barred   []bool  // by job, optional ones that fit nowhere; nil for none
	budget   float64 // +Inf for none
	rows     int     // convexity, pools, budget
}

// dualAnswer is the best of the multipliers found.
type dualAnswer struct {
	bound float64
	price []float64 // λ by row; the convexity row's is 0
	mu    float64
}

// newDual lays out the given dependencies. Fine makes pools of the bins that
// every job and level finds alike; else a dependency is one pool, as if every
// level fitted every bin.
func newDual(s *System, deps []int, problems []*problem, fine bool) *dual {
	u := &dual{jobs: len(s.Batch.Jobs), optional: s.optional, budget: math.Inf(1), rows: 1}
	for i, d := range deps {
		e := dualDep{p: problems[i], at: s.deps[d].at, row: u.rows}
		if fine {
			e.pools()
		} else {
			e.pool, e.widest = make([]int32, len(e.p.cap)), []int64{sliceMax(e.p.cap)}
		}
		u.rows += len(e.widest)
		u.deps = append(u.deps, e)
	}
	return u
}

// withBudget adds budget and fees.
func (u *dual) withBudget(s *System) *dual {
	u.budget, u.fee = s.budget(), s.fee
	if !math.IsInf(u.budget, 1) {
		u.rows++
	}
	return u
}

// mostPools limits the multipliers of one dependency; beyond it bins differ only by the lists of
// eligible resources, or not at all.
const mostPools = 400

// oracle returns L at the multipliers and the choice that has it. Jobs are
// summed in parts whose number depends on nothing but theirs.
func (u *dual) oracle(y []float64) (float64, column) {
	price, pool := make([][]float64, len(u.deps)), make([][]int32, len(u.deps))
	for i := range u.deps {
		price[i], pool[i] = u.deps[i].cheapest(y)
	}
	parts := 1
	if u.jobs > 4096 {
		parts = 32
	}
	values, columns := make([]float64, parts), make([]column, parts)
	// The context of the whole is looked at between calls.
	parallel.Do(parts, func(part int) {
		c := column{row: make([]float64, u.rows)}
		var level, at [16]int32
		levels, pools := level[:0], at[:0]
		for b := u.jobs * part / parts; b < u.jobs*(part+1)/parts; b++ {
			if u.barred != nil && u.barred[b] {
				continue
			}
			total := 0.0
			if u.fee != nil {
				total = float64(u.fee[b])
			}
			levels, pools = levels[:0], pools[:0]
			for i := range u.deps {
				l, g, v := int32(-1), int32(0), 0.0
				if k := u.deps[i].at[b]; k >= 0 {
					l, g, v = u.deps[i].choose(k, y, price[i], pool[i])
				}
				levels, pools = append(levels, l), append(pools, g)
				total += v
			}
			if u.optional != nil && u.optional[b] && !(total > 0) {
				continue
			}
			values[part] += total
			if u.fee != nil {
				c.cost += float64(u.fee[b])
			}
			for i, l := range levels {
				if l >= 0 {
					e := &u.deps[i]
					c.cost += float64(e.p.rev[l])
					c.row[e.row+int(pools[i])] += float64(e.p.dem[l])
				}
			}
		}
		columns[part] = c
	})
	value, c := 0.0, column{row: make([]float64, u.rows)}
	for part := range columns {
		value += values[part]
		c.cost += columns[part].cost
		for r, v := range columns[part].row {
			c.row[r] += v
		}
	}
	mu := 0.0
	if u.hasBudget() {
		mu = y[u.rows-1]
		value += mu * u.budget
	}
	for i := range u.deps {
		e := &u.deps[i]
		for j, room := range e.p.cap {
			unit := 0.0
			if e.p.price != nil {
				unit = e.p.price[j]
			}
			if v := y[e.row+int(e.pool[j])] - (1+mu)*unit; v > 0 {
				value += v * float64(room)
				u.fill(&c, e, j, float64(room))
			}
		}
	}
	c.row[0] = 1
	return value, c
}

func (u *dual) hasBudget() bool { return !math.IsInf(u.budget, 1) }

// fill uses an amount of bin j in a column.
func (u *dual) fill(c *column, e *dualDep, j int, amount float64) {
	c.row[e.row+int(e.pool[j])] -= amount
	if e.p.price != nil {
		c.cost -= e.p.price[j] * amount
		if u.hasBudget() {
			c.row[u.rows-1] += e.p.price[j] * amount
		}
	}
}

// least returns the column with the least demands of the required jobs, each
// laid into the pools it may use as far as there is room, and the cheapest
// bins. With one pool for each dependency no column needs less of any row.
func (u *dual) least() column {
	c := column{row: make([]float64, u.rows)}
	c.row[0] = 1
	for b := range u.jobs {
		if u.optional != nil && u.optional[b] {
			continue
		}
		if u.fee != nil {
			c.cost += float64(u.fee[b])
		}
	}
	for i := range u.deps {
		e := &u.deps[i]
		p := e.p
		room := make([]float64, len(e.widest))
		for j, g := range e.pool {
			room[g] += float64(p.cap[j])
		}
		used := make([]float64, len(e.widest))
		for b := range u.jobs {
			k := e.at[b]
			if k < 0 || (u.optional != nil && u.optional[b]) {
				continue
			}
			l := p.first[k]
			need, last := float64(p.dem[l]), 0
			c.cost += float64(p.rev[l])
			lay := func(g int) {
				if p.dem[l] > e.widest[g] && e.reach != nil {
					return
				}
				part := math.Min(need, math.Max(room[g]-used[g], 0))
				used[g] += part
				need -= part
				last = g
			}
			if e.list != nil && e.list[k] != nil {
				for _, g := range e.list[k] {
					lay(int(g))
				}
			} else {
				for g := len(e.widest) - 1; g >= 0 && need > 0; g-- { // the small ones first
					lay(g)
				}
			}
			used[last] += need
		}
		for g := range used {
			c.row[e.row+g] += used[g]
		}
		for _, j := range p.byPrice() {
			g := e.pool[j]
			part := math.Min(used[g], float64(p.cap[j]))
			used[g] -= part
			u.fill(&c, e, int(j), part)
		}
	}
	return c
}

// solve finds the least L, from the given multipliers (nil for none), within a number of choices of
// a level; what it returns is a bound however it ends.
func (u *dual) solve(ctx context.Context, from []float64, work int) dualAnswer {
	rhs := make([]float64, u.rows)
	rhs[0] = 1
	if u.hasBudget() {
		rhs[u.rows-1] = u.budget
	}
	size := u.rows * u.rows
	for i := range u.deps {
		size += len(u.deps[i].p.dem)
	}
	best := dualAnswer{bound: math.Inf(1), price: make([]float64, u.rows)}
	m := newMaster(u.least(), rhs)
	m.penalize(u.steepest())
	query := func(y []float64) column {
		value, c := u.oracle(y)
		if value < best.bound {
			best.bound = value
			copy(best.price, y)
		}
		return c
	}
	if from != nil {
		m.enter(query(from))
	}
	smooth := 0.5
	for step := 0; step < min(max(20, work/size), 1000+100*u.rows); step++ {
		if ctx.Err() != nil && !math.IsInf(best.bound, 1) {
			break
		}
		if step%100 == 99 {
			m.refactor(rhs)
		}
		y := m.duals()
		if i := m.negative(y); i >= 0 {
			if !m.enter(column{row: unitColumn(u.rows, i), slack: true}) {
				break
			}
			continue
		}
		for i := range y {
			y[i] = math.Max(y[i], 0)
		}
		y[0] = 0
		if !math.IsInf(best.bound, 1) && best.bound-m.value() <= 1e-11*math.Max(1, math.Abs(best.bound)) {
			if m.artificial() > 1e-9 && m.penalty < 1e12 {
				m.penalize(100 * m.penalty)
				continue
			}
			break
		}
		// Between the best multipliers and these: fewer columns that lead astray.
		ask := slices.Clone(y)
		if !math.IsInf(best.bound, 1) {
			for i := range ask {
				ask[i] = smooth*best.price[i] + (1-smooth)*y[i]
			}
		}
		before := best.bound
		c := query(ask)
		if m.reduced(c) > 1e-12*math.Max(1, math.Abs(best.bound)) {
			smooth = 0.5
			if !m.enter(c) {
				break
			}
			continue
		}
		if best.bound >= before {
			if smooth == 0 {
				break // at these multipliers no column is better, within rounding
			}
			smooth = 0
		}
	}
	if u.hasBudget() {
		best.mu = best.price[u.rows-1]
	}
	return best
}

// steepest returns a price at which no level is worth its demand.
func (u *dual) steepest() float64 {
	most := 1.0
	for i := range u.deps {
		p := u.deps[i].p
		for l, d := range p.dem {
			if d > 0 {
				most = math.Max(most, float64(p.rev[l])/float64(d))
			}
		}
		for _, v := range p.price {
			most = math.Max(most, v)
		}
	}
	return 10 * most
}
