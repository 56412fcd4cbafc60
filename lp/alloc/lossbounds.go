package alloc

import (
	"context"
	"math"
)

// taskStates limits the dynamic programming for the integer bound of one
// failure.
const taskStates = 200_000

// losses are LossBounds in the making; what is infeasible is NaN, and so is its sum with others.
type losses struct{ published, lp, eligible, best float64 }

// add adds the bounds of another, independent problem.
func (b *losses) add(c losses) {
	b.published, b.lp, b.eligible, b.best = b.published+c.published, b.lp+c.lp, b.eligible+c.eligible, b.best+c.best
}

// bounds returns what was summed up.
func (b losses) bounds() LossBounds {
	feasible := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	return LossBounds{feasible(b.published), feasible(b.lp), feasible(b.eligible), b.best}
}

// lossBounds computes the bounds of one task: the summed capacity of the
// surviving resources as one, in the forms of [Bounds]. The nested rows need
// that every job may use every bin, else Eligible only drops levels that fit
// nowhere. In strict mode the error is an *InfeasibleError when the least
// demands do not fit.
func (s *System) lossBounds(ctx context.Context, t *task, p *problem, o BackupOptions, primary []Choice) error {
	d := &s.deps[t.dep]
	capacity := sum(p.cap)
	loss := func(revenue float64) float64 { return float64(t.earned) - revenue }
	t.bounds = losses{math.NaN(), math.NaN(), math.NaN(), 0}
	// The printed rows know no "left out" and mix levels above the primary's.
	n := len(t.jobs)
	whole := &problem{dem: d.demand, rev: d.revenue, first: make([]int32, 0, n), last: make([]int32, 0, n)}
	ceiling := make([]int64, n)
	for i, k := range t.jobs {
		whole.first = append(whole.first, d.first[k])
		whole.last = append(whole.last, d.first[k+1])
		ceiling[i] = d.demand[d.first[k]+primary[d.job[k]].Level-1]
	}
	printed := capacity
	if t.crowd != nil {
		printed = t.crowd.beside(d, t.unit)
	}
	if bound, ok := whole.published(printed, ceiling); ok {
		t.bounds.published = loss(bound)
	}
	if least := p.least(); least > capacity {
		return &InfeasibleError{Dependency: d.name, Need: least, Have: capacity}
	}
	full := p.relax(capacity)
	t.bounds.lp = loss(full.bound)
	q, culprits := p.trimmed()
	if len(culprits) > 0 {
		return &InfeasibleError{Dependency: d.name, Jobs: s.jobNames(d, pick(t.jobs, culprits))}
	}
	pooled := full
	if !q.same(p) {
		pooled = q.relax(capacity)
	}
	eligible := pooled.bound
	if q.free() {
		work := t.stint.most(nestedWork, 4) // a quarter of the stint: the search comes after it
		n := newNested(q, work)
		if row, need := n.infeasible(); row >= 0 {
			return &InfeasibleError{Dependency: d.name, Need: need, Have: int64(n.room[row]), Largest: n.bins[row]}
		}
		eligible = n.bound(pooled, capacity)
		t.stint.take(work - n.work)
	}
	t.bounds.eligible = loss(eligible)
	best := math.Floor(eligible + 1e-9*math.Abs(eligible))
	if o.Bounds.maxStates() > 0 {
		states := t.stint.most(min(taskStates, o.Bounds.maxStates()), 1)
		v, steps, proven := q.integer(ctx, capacity, states, states)
		if t.stint.take(steps); proven {
			best = math.Min(best, float64(v))
		}
	}
	t.bounds.best = float64(t.earned) - best
	return nil
}

func pick(from, at []int32) []int32 {
	list := make([]int32, len(at))
	for i, a := range at {
		list[i] = from[a]
	}
	return list
}
