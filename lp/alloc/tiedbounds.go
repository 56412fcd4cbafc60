package alloc

import (
	"context"
	"math"
)

// dualWork limits the work for one bound: levels looked at, and entries of the
// simplex tableau. It is counted rather than timed, so that the same batch has
// the same bound everywhere.
const dualWork = 1_000_000_000

// uniform returns multipliers that are the same for all pools.
func (u *dual) uniform(prices ...float64) []float64 {
	y := make([]float64, u.rows)
	for i := range u.deps {
		e := &u.deps[i]
		for g := range e.widest {
			y[e.row+g] = prices[i]
		}
	}
	return y
}

// required returns the part of a problem that must be served.
func (s *System) required(at int, p *problem) *problem {
	if s.optional == nil {
		return p
	}
	q := *p
	q.first, q.last, q.sites = nil, nil, nil
	for k, b := range s.deps[at].job {
		if s.optional[b] {
			continue
		}
		q.first, q.last = append(q.first, p.first[k]), append(q.last, p.last[k])
		if p.sites != nil {
			q.sites = append(q.sites, p.sites[k])
		}
	}
	return &q
}

// optionalBounds computes the bounds of one dependency in which jobs may be
// left out.
func (s *System) optionalBounds(ctx context.Context, at int, p *problem, b *DependencyBounds) error {
	d := &s.deps[at]
	must := s.required(at, p)
	if b.LeastDemand = must.least(); b.LeastDemand > b.Capacity {
		return &InfeasibleError{Dependency: d.name, Need: b.LeastDemand, Have: b.Capacity}
	}
	pooled := newDual(s, []int{at}, []*problem{p}, false).solve(ctx, nil, dualWork)
	b.LP, b.ShadowPrice = pooled.bound, shadowPrice(pooled.price[1], b.Capacity, pooled.bound)
	t, culprits := p.trimmed()
	var missing []int32
	for _, k := range culprits {
		if !s.optional[d.job[k]] {
			missing = append(missing, k)
		}
	}
	if len(missing) > 0 {
		return &InfeasibleError{Dependency: d.name, Jobs: s.jobNames(d, missing)}
	}
	n := newNested(s.required(at, t), 0)
	if row, need := n.infeasible(); row >= 0 {
		return &InfeasibleError{Dependency: d.name, Need: need, Have: int64(n.room[row]), Largest: n.bins[row]}
	}
	if b.Eligible = b.LP; !t.same(p) || len(culprits) > 0 {
		coarse := newDual(s, []int{at}, []*problem{t}, false)
		coarse.bar(s, at, culprits)
		b.Eligible = math.Min(b.LP, coarse.solve(ctx, nil, dualWork).bound)
	}
	return nil
}

// shadowPrice is a multiplier that an iteration came to, or 0 where the whole capacity at that
// price is below the accuracy of the bound.
func shadowPrice(price float64, capacity int64, bound float64) float64 {
	if price*float64(capacity) < 1e-9*math.Abs(bound) {
		return 0
	}
	return price
}

// bar leaves out optional jobs.
func (u *dual) bar(s *System, at int, jobs []int32) {
	if len(jobs) > 0 && u.barred == nil {
		u.barred = make([]bool, u.jobs)
	}
	for _, k := range jobs {
		u.barred[s.deps[at].job[k]] = true
	}
}

// tiedBounds computes the bounds of the whole. Each dependency for itself is
// feasible.
func (s *System) tiedBounds(ctx context.Context, b *Bounds) error {
	all := make([]int, len(s.deps))
	whole, fitting := make([]*problem, len(s.deps)), make([]*problem, len(s.deps))
	culprits := make([][]int32, len(s.deps))
	same := true
	for d := range s.deps {
		all[d] = d
		whole[d] = s.deps[d].primaryProblem()
		fitting[d], culprits[d] = whole[d].trimmed()
		same = same && fitting[d].same(whole[d]) && len(culprits[d]) == 0
	}
	pooled := newDual(s, all, whole, false).withBudget(s)
	if pooled.hasBudget() {
		if spending := s.leastSpending(ctx, pooled); spending > pooled.budget*(1+1e-12) {
			return &InfeasibleError{Dependency: "budget", Spending: spending, Budget: pooled.budget}
		}
	}
	answer := pooled.solve(ctx, nil, dualWork)
	b.tied, b.LP = true, answer.bound
	b.prices = answer.price[1 : 1+len(s.deps)]
	for d := range b.Dependencies {
		b.Dependencies[d].ShadowPrice = shadowPrice(b.prices[d], b.Dependencies[d].Capacity, b.LP)
	}
	if pooled.hasBudget() {
		b.BudgetPrice = &answer.mu
	}
	// First with whole dependencies as pools: that is quick and a good start.
	coarse := newDual(s, all, fitting, false).withBudget(s)
	for d := range s.deps {
		coarse.bar(s, d, culprits[d])
	}
	start := answer
	if !same {
		start = coarse.solve(ctx, answer.price, dualWork)
	}
	b.Eligible = math.Min(b.LP, start.bound)
	fine := newDual(s, all, fitting, true).withBudget(s)
	fine.barred = coarse.barred
	from := fine.uniform(start.price[1 : 1+len(s.deps)]...)
	if fine.hasBudget() {
		from[fine.rows-1] = start.mu
	}
	b.Eligible = math.Min(b.Eligible, fine.solve(ctx, from, dualWork/5).bound)
	return nil
}
