package alloc

import (
	"context"
	"math"
	"slices"
)

// taskStates limits the dynamic programming for the integer bound of one
// failure.
const taskStates = 200_000

func zeroBounds() LossBounds {
	return LossBounds{Published: new(float64), LP: new(float64), Eligible: new(float64)}
}

// add adds the bounds of another, independent problem; one that is infeasible
// makes the sum infeasible.
func (b *LossBounds) add(c LossBounds) {
	b.Published, b.LP, b.Eligible = plus(b.Published, c.Published), plus(b.LP, c.LP), plus(b.Eligible, c.Eligible)
	b.Best += c.Best
}

func plus(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	t := *a + *b
	return &t
}

// lossBounds computes the bounds of one task: the summed capacity of the
// surviving resources as one, in the forms of [Bounds]. The nested rows need
// that every job may use every bin, else Eligible only drops levels that fit
// nowhere. In strict mode the error is an *InfeasibleError when the least
// demands do not fit.
func (s *System) lossBounds(ctx context.Context, t *task, p *problem, o BackupOptions, primary []Choice) error {
	d := &s.deps[t.dep]
	capacity := sum(p.cap)
	loss := func(revenue float64) *float64 {
		l := float64(t.earned) - revenue
		return &l
	}
	// The printed rows know no "left out" and mix levels above the primary's.
	whole := &problem{dem: d.demand, rev: d.revenue}
	ceiling := make([]int64, len(t.jobs))
	for i, k := range t.jobs {
		whole.first = append(whole.first, d.first[k])
		whole.last = append(whole.last, d.first[k+1])
		ceiling[i] = d.demand[d.first[k]+primary[d.job[k]].Level-1]
	}
	printed := capacity
	if t.crowd != nil {
		printed = t.crowd.total - t.crowd.of[t.unit]
	}
	if bound, ok := whole.published(printed, ceiling); ok {
		t.bounds.Published = loss(bound)
	}
	if least := p.least(); least > capacity {
		return &InfeasibleError{Dependency: d.name, Need: least, Have: capacity}
	}
	full := p.relax(capacity)
	t.bounds.LP = loss(full.bound)
	q, culprits := p.trimmed()
	if len(culprits) > 0 {
		return &InfeasibleError{Dependency: d.name, Jobs: s.jobNames(d, pick(t.jobs, culprits))}
	}
	pooled := q.relax(capacity)
	eligible := pooled.bound
	if q.free() {
		n := newNested(q)
		if row, need := n.infeasible(); row >= 0 {
			return &InfeasibleError{Dependency: d.name, Need: need, Have: int64(n.room[row]), Largest: n.bins[row]}
		}
		eligible = n.bound(pooled, capacity)
	}
	t.bounds.Eligible = loss(eligible)
	best := math.Floor(eligible + 1e-9*math.Abs(eligible))
	if o.Bounds.maxStates() > 0 {
		if v, proven := q.integer(ctx, capacity, min(taskStates, o.Bounds.maxStates())); proven {
			best = math.Min(best, float64(v))
		}
	}
	t.bounds.Best = float64(t.earned) - best
	return nil
}

func pick(from, at []int32) []int32 {
	list := make([]int32, len(at))
	for i, a := range at {
		list[i] = from[a]
	}
	return list
}

// mayUse reports whether job k is eligible for resource j.
func (d *dependency) mayUse(k, j int32) bool {
	if d.sites == nil || d.sites[k] == nil {
		return true
	}
	_, found := slices.BinarySearch(d.sites[k], j)
	return found
}
