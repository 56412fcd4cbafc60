package alloc

import (
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/numeric"
)

// nested is the linear relaxation in which a level may use only the bins it
// fits in. Bins ordered from large to small, a level fits the first m of them,
// so that Hall's condition is one row for each m:
//
//	Σ d·x over levels that fit at most m bins ≤ C₁ + … + C_m.
//
// Only the m that some level has are kept.
type nested struct {
	p     *problem
	class []int32   // by level, the row it enters first
	room  []float64 // by row, C₁ + … + C_m
	bins  []int     // by row, m
	work  int       // levels that may be looked at for the bound
}

// nestedWork limits the levels looked at for the nested bounds of a batch, or of its backups: some seconds. Beyond it
// a bound is one, but not quite the least.
const nestedWork = 300_000_000

// newNested lays out the rows of a trimmed problem whose jobs may all use
// every bin. work is how many levels may be looked at.
func newNested(p *problem, work int) *nested {
	caps := make([]int64, 0, len(p.cap))
	for _, j := range slices.Backward(p.byRoom()) {
		caps = append(caps, p.cap[j])
	}
	fits := func(d int64) int { return sort.Search(len(caps), func(i int) bool { return caps[i] < d }) }
	row := make([]int32, len(caps)+1)
	n := &nested{p: p, class: make([]int32, len(p.dem)), work: work}
	for k := range p.first {
		for l := p.first[k]; l < p.last[k]; l++ {
			n.class[l] = int32(fits(p.dem[l]))
			row[n.class[l]] = 1
		}
	}
	total, next := 0.0, int32(0)
	for m := range row {
		if m > 0 {
			total += float64(caps[m-1])
		}
		if row[m] == 1 {
			row[m] = next
			n.room = append(n.room, total)
			n.bins = append(n.bins, m)
			next++
		}
	}
	for k := range p.first {
		for l := p.first[k]; l < p.last[k]; l++ {
			n.class[l] = row[n.class[l]]
		}
	}
	return n
}

// usage adds the rows' use of one level, without the sum over rows above.
func (n *nested) usage(use []float64, l int32, share float64) {
	use[n.class[l]] += share * float64(n.p.dem[l])
}

// accumulate turns use by class into use by row.
func accumulate(use []float64) {
	for i := 1; i < len(use); i++ {
		use[i] += use[i-1]
	}
}

// violated returns the row that is exceeded most, -1 for none.
func (n *nested) violated(use []float64) int {
	worst, by := -1, 1e-9
	for i, u := range use {
		if e := (u - n.room[i]) / math.Max(1, n.room[i]); e > by {
			worst, by = i, e
		}
	}
	return worst
}

// infeasible returns the first row that the least levels exceed, -1 for none:
// they are the least demanding choice in every row.
func (n *nested) infeasible() (row int, need int64) {
	use := make([]float64, len(n.room))
	for _, l := range n.p.first {
		n.usage(use, l, 1)
	}
	accumulate(use)
	for i := range use {
		if use[i] > n.room[i] {
			return i, int64(use[i])
		}
	}
	return -1, 0
}

// holds reports whether the relaxed optimum with prices can be laid out so that
// every level fits: the cheapest bins are filled by it, and so only what they
// hold of the larger bins counts in the rows.
func (n *nested) holds(price float64, capacity int64) bool {
	p := n.p
	level, used := p.levelsAt(price, capacity)
	use := make([]float64, len(n.room))
	for _, l := range level {
		n.usage(use, l, 1)
	}
	accumulate(use)
	filled := make([]int64, len(p.cap))
	for _, j := range p.byPrice() {
		filled[j] = min(used, p.cap[j])
		used -= filled[j]
	}
	order := numeric.Indices[int32](len(p.cap))
	slices.SortFunc(order, func(a, b int32) int { return int(min(max(p.cap[b]-p.cap[a], -1), 1)) })
	room, m := 0.0, 0
	for i, u := range use {
		for ; m < n.bins[i]; m++ {
			room += float64(filled[order[m]])
		}
		if u > room {
			return false
		}
	}
	return true
}

// bound returns the value of the relaxation, given that of the pooled one.
// The least levels must satisfy every row. Most often the pooled optimum
// satisfies the rows and is returned as it is; else rows enter one by one as
// they are violated.
func (n *nested) bound(pooled relaxation, capacity int64) float64 {
	p := n.p
	level, used := p.levelsAt(pooled.price, capacity)
	use := make([]float64, len(n.room))
	for _, l := range level {
		n.usage(use, l, 1)
	}
	if residual := capacity - used; pooled.price > 0 && residual > 0 {
		n.split(use, level, pooled.price, residual)
	}
	accumulate(use)
	if n.violated(use) < 0 {
		return pooled.bound
	}
	active := []int{len(n.room) - 1}
	best := pooled.bound
	for len(active) <= len(n.room) && n.work > 0 {
		value, use := n.generate(active)
		best = min(best, value)
		w := n.violated(use)
		if w < 0 || slices.Contains(active, w) {
			break
		}
		active = append(active, w)
	}
	return best
}

// split moves the job at the break to its upper level in part.
func (n *nested) split(use []float64, level []int32, price float64, residual int64) {
	var buffer []segment
	for k := range level {
		buffer = n.p.hull(buffer[:0], int32(k))
		for _, s := range buffer {
			if s.slope == price && s.from == level[k] {
				share := float64(residual) / float64(s.extra)
				n.usage(use, s.from, -share)
				n.usage(use, s.to, share)
				return
			}
		}
	}
}

// generate solves the relaxation with the active rows by column generation
// and returns its value, from above, and the use of all rows at the optimum.
// Columns are whole choices for all jobs; the dual prices ask every job for
// its best level, a level of class c paying the prices of all rows from c on.
func (n *nested) generate(active []int) (float64, []float64) {
	p := n.p
	a := len(active)
	choice := func(pick func(k int32) int32) column {
		c := column{use: make([]float64, len(n.room)), row: make([]float64, a+1)}
		for k := range p.first {
			l := pick(int32(k))
			n.usage(c.use, l, 1)
			c.cost += float64(p.rev[l])
		}
		accumulate(c.use)
		c.row[0] = 1
		for i, r := range active {
			c.row[i+1] = c.use[r]
		}
		return c
	}
	rhs := make([]float64, a+1)
	rhs[0] = 1
	for i, r := range active {
		rhs[i+1] = n.room[r]
	}
	m := newMaster(choice(func(k int32) int32 { return p.first[k] }), rhs)
	best := math.Inf(1)
	prices := make([]float64, len(n.room))
	// The number of pivots is finite but for degenerate cycling, and rounding may keep the two values apart; whenever it
	// stops, the best dual value is a bound.
	levels, still := p.levels(), 0
	for range 200 * (a + 10) {
		if n.work < 0 || still > 20*(a+10) {
			break
		}
		y := m.duals()
		if i := m.negative(y); i >= 0 {
			m.enter(column{row: unitColumn(a+1, i), slack: true})
			continue
		}
		clear(prices)
		for i, r := range active {
			prices[r] = y[i+1]
		}
		for r := len(prices) - 2; r >= 0; r-- {
			prices[r] += prices[r+1]
		}
		dual := 0.0
		for i := range active {
			dual += y[i+1] * rhs[i+1]
		}
		c := choice(func(k int32) int32 {
			at, top := p.first[k], math.Inf(-1)
			for l := p.first[k]; l < p.last[k]; l++ {
				if v := float64(p.rev[l]) - prices[n.class[l]]*float64(p.dem[l]); v > top {
					at, top = l, v
				}
			}
			dual += top
			return at
		})
		n.work -= levels
		if still++; dual < best-1e-12*math.Abs(best) {
			still = 0
		}
		best = min(best, dual)
		if value := m.value(); best-value <= 1e-12*math.Abs(best) {
			break
		}
		if !m.enter(c) {
			break
		}
	}
	use := make([]float64, len(n.room))
	for i, c := range m.basis {
		if !c.slack {
			for r := range use {
				use[r] += m.x[i] * c.use[r]
			}
		}
	}
	return best, use
}

func unitColumn(n, i int) []float64 {
	u := make([]float64, n)
	u[i] = 1
	return u
}
