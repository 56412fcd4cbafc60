package alloc

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
)

// allocateTied chooses primaries where optional admission or a budget ties the
// dependencies. The multipliers of the bounds say which jobs are worth serving
// and what capacity and money are worth; each dependency is then packed for
// those jobs as usual, what exceeds the budget is cut, what is left is filled,
// and the whole is shaken and packed again.
func (s *System) allocateTied(ctx context.Context, o Options, bounds *Bounds, plan *Plan) error {
	mu := 0.0
	if bounds.BudgetPrice != nil {
		mu = *bounds.BudgetPrice
	}
	t := s.newJoint(bounds.prices, mu)
	t.bar()
	order, value := t.order()
	enough := 1e-9
	switch {
	case len(t.served) > 20_000:
		enough = 1e-4 / o.Effort
	case len(t.served) > 500:
		enough = 3e-5 / o.Effort
	}
	target := bounds.Best() - math.Max(enough*math.Abs(bounds.Best()), 1e-9)
	k := &kept{joint: t}
	waiting := k.first(ctx, o, order, value, target)
	if k.best == nil && o.Method.published() {
		if o.Fallback == "" && waiting == nil {
			waiting = &NotFoundError{Dependency: "budget", Excess: t.spent - t.s.budget(), Method: o.Method}
		}
		var missed *NotFoundError
		if o.Fallback == "" {
			if errors.As(waiting, &missed) {
				missed.Method = o.Method
			}
			return waiting
		}
		o.Method, o.Fallback = o.Fallback, ""
		if err := s.allocateTied(ctx, o, bounds, plan); err != nil {
			return err
		}
		for i := range s.deps {
			plan.Fallback = append(plan.Fallback, s.deps[i].name)
		}
		return nil
	}
	if k.best == nil {
		if waiting = t.sparse(ctx, o, order); waiting != nil {
			return waiting
		}
		k.keep()
	}
	t.load(*k.best)
	if o.Method == LPRound || o.Method == Exact {
		k.improve(ctx, o, order, target)
	}
	best := k.best
	for d := range s.deps {
		for k, b := range s.deps[d].job {
			if j := best.bin[d][k]; j >= 0 {
				plan.Choices[d][b] = Choice{s.deps[d].resource[j], best.level[d][k] - s.deps[d].first[k] + 1}
			}
		}
		plan.Dependencies[d] = s.describe(&s.deps[d], plan.Choices[d])
		plan.Dependencies[d].Bound = bounds.Dependencies[d].Best()
		plan.Dependencies[d].Gap = gap(plan.Dependencies[d].Bound, plan.Dependencies[d].Net)
	}
	return nil
}

// A kept is a joint assignment with the best of those seen; nil: none was feasible.
type kept struct {
	*joint
	best *snapshot
}

// keep makes the assignment the best if it is.
func (k *kept) keep() {
	if k.best == nil || k.net > k.best.net {
		v := k.save()
		k.best = &v
	}
}

// first makes assignments of the jobs whose value, by the prices, is above 0 or above a share of what
// they earn, and returns the error of the last that could not be made.
func (k *kept) first(ctx context.Context, o Options, order []int32, value []float64, target float64) (err error) {
	asked := make([]bool, len(k.served)) // to be served by the share before
	for n, share := range []float64{0, 0.01, 0.05} {
		enough := k.best != nil && (k.best.net >= target || o.hurried() > 1)
		if n > 0 && (o.Method != LPRound || ctx.Err() != nil || enough) {
			break
		}
		again := n > 0
		for b := range asked {
			serve := !k.optional(int32(b)) || (value[b] > share*k.gross(int32(b)) && !k.isBarred(int32(b)))
			again, asked[b] = again && serve == asked[b], serve
		}
		if again {
			continue // the same jobs come to the same assignment
		}
		k.clear()
		copy(k.served, asked)
		if err = k.construct(ctx, o); err != nil {
			continue
		}
		k.recount()
		first := ctx
		if k.best == nil { // a first assignment is always made
			first = context.WithoutCancel(ctx)
		}
		if k.cut(first) {
			k.fill(ctx, order)
			k.keep()
		}
	}
	return err
}

// improve kicks and repacks the best assignment until that brings nothing more.
func (k *kept) improve(ctx context.Context, o Options, order []int32, target float64) {
	rng := rand.New(rand.NewPCG(o.Seed, 0x6a09e667f3bcc909))
	for range int(3 / o.hurried()) {
		before := k.best.net
		if k.best.net >= target || ctx.Err() != nil {
			return
		}
		k.kick(ctx, k.kicks(o), target, order, rng)
		k.keep()
		if ctx.Err() != nil {
			return
		}
		k.repack(ctx, o)
		if k.cut(ctx) {
			k.fill(ctx, order)
			k.keep()
		}
		k.load(*k.best)
		if k.best.net <= before {
			return
		}
	}
}

// bar finds the optional jobs with a dependency that fits nowhere.
func (t *joint) bar() {
	t.barred = make([]bool, len(t.served))
	for d := range t.pack {
		_, culprits := t.pack[d].p.trimmed()
		for _, k := range culprits {
			t.barred[t.s.deps[d].job[k]] = true
		}
	}
}

func (t *joint) isBarred(b int32) bool { return t.barred[b] }

// order returns all jobs, the most valuable first, and their values.
func (t *joint) order() ([]int32, []float64) {
	order, value := make([]int32, len(t.served)), make([]float64, len(t.served))
	for b := range order {
		order[b] = int32(b)
		if value[b] = t.value(int32(b)); !t.optional(int32(b)) {
			value[b] = math.Inf(1)
		}
	}
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(value[y], value[x]) })
	return order, value
}

// gross is the greatest revenue of a job.
func (t *joint) gross(b int32) float64 {
	v := t.fee(b)
	for d := range t.pack {
		if k := t.s.deps[d].at[b]; k >= 0 {
			r, _ := t.level(d, t.pack[d].p.last[k]-1)
			v += r
		}
	}
	return v
}

func (t *joint) clear() {
	for d := range t.pack {
		t.pack[d] = newPacking(t.pack[d].p)
	}
	clear(t.served)
	t.net, t.spent = 0, 0
}

// recount sums up net revenue and spending anew.
func (t *joint) recount() {
	t.net, t.spent = 0, 0
	for b, yes := range t.served {
		if yes {
			t.net += t.fee(int32(b))
		}
	}
	for d, a := range t.pack {
		for k, j := range a.bin {
			if j >= 0 {
				r, q := t.level(d, a.level[k])
				t.net += r - t.unit(d, j)*q
				t.spent += t.unit(d, j) * q
			}
		}
	}
}

// part is the packing problem of the served jobs in one dependency, with money
// at its multiplier, and which jobs of the dependency these are.
func (t *joint) part(d int) (*problem, []int32) {
	dep := &t.s.deps[d]
	p := dep.primaryProblem()
	q := *p
	q.first, q.last, q.sites = nil, nil, nil
	var jobs []int32
	for k, b := range dep.job {
		if !t.served[b] {
			continue
		}
		jobs = append(jobs, int32(k))
		q.first, q.last = append(q.first, p.first[k]), append(q.last, p.last[k])
		if p.sites != nil {
			q.sites = append(q.sites, p.sites[k])
		}
	}
	r, _, _ := q.priced(1 + t.mu)
	return r, jobs
}

// construct packs the served jobs, each dependency by itself. Optional jobs
// that find no place are left out. The error says that required ones did not.
func (t *joint) construct(ctx context.Context, o Options) error {
	// A fallback is for the whole, see allocateTied.
	inner := o
	inner.Fallback = ""
	errs := make([]error, len(t.pack))
	out := make([][]int32, len(t.pack))
	_ = parallel.Each(context.WithoutCancel(ctx), 0, len(t.pack), func(d int) error {
		served := *t
		served.served = slices.Clone(t.served)
		for range 8 {
			p, jobs := served.part(d)
			sol, waiting := solution{}, []int32(nil)
			own := inner
			own.mayWait = make([]bool, len(jobs))
			for i, k := range jobs {
				own.mayWait[i] = t.optional(t.s.deps[d].job[k])
			}
			if len(jobs) > 0 {
				bound := math.Inf(1)
				if capacity := sum(p.cap); p.least() <= capacity {
					bound = p.relax(capacity).bound
				}
				sol, waiting, _, _ = solveBy(ctx, own, p, math.Min(bound, limit), uint64(d))
			}
			if len(waiting) == 0 {
				for i, k := range jobs {
					t.pack[d].put(k, sol.bin[i], sol.level[i])
				}
				return nil
			}
			dropped := false
			var names []int32
			for _, i := range waiting {
				if b := t.s.deps[d].job[jobs[i]]; t.optional(b) {
					served.served[b], dropped = false, true
					out[d] = append(out[d], b)
				} else {
					names = append(names, jobs[i])
				}
			}
			errs[d] = &NotFoundError{Dependency: t.s.deps[d].name, Jobs: t.s.jobNames(&t.s.deps[d], names)}
			if !dropped {
				return nil
			}
			if len(names) == 0 {
				errs[d] = nil
			}
		}
		errs[d] = &NotFoundError{Dependency: t.s.deps[d].name}
		return nil
	})
	for d := range t.pack {
		if errs[d] != nil {
			return errs[d]
		}
		for _, b := range out[d] {
			t.served[b] = false
		}
	}
	for b, yes := range t.served {
		if !yes {
			t.drop(int32(b))
		}
	}
	return nil
}

// sparse serves the required jobs at their least levels, then fills.
func (t *joint) sparse(ctx context.Context, o Options, order []int32) error {
	t.clear()
	for b := range t.served {
		t.served[b] = !t.optional(int32(b))
	}
	for d := range t.pack {
		p, jobs := t.part(d)
		a := newPacking(p)
		left := a.fitDecreasing(context.WithoutCancel(ctx), p.first)
		if len(left) > 0 {
			sol, waiting, proven, _ := solveBy(ctx, Options{Method: LPRound, Effort: o.Effort}, p, limit, uint64(d))
			if len(waiting) > 0 {
				return t.s.none(&t.s.deps[d], p, jobs, waiting, proven)
			}
			a.restore(sol)
		}
		for i, k := range jobs {
			t.pack[d].put(k, a.bin[i], a.level[i])
		}
	}
	t.recount()
	if !t.cut(context.WithoutCancel(ctx)) {
		return &NotFoundError{Dependency: "budget", Excess: t.spent - t.s.budget()}
	}
	t.fill(ctx, order)
	return nil
}

// repack improves each dependency for the jobs that are served.
func (t *joint) repack(ctx context.Context, o Options) {
	_ = parallel.Each(context.WithoutCancel(ctx), 0, len(t.pack), func(d int) error {
		p, jobs := t.part(d)
		if len(jobs) == 0 || len(p.cap) < 2 {
			return nil
		}
		at := solution{level: make([]int32, len(jobs)), bin: make([]int32, len(jobs))}
		for i, k := range jobs {
			at.level[i], at.bin[i] = t.pack[d].level[k], t.pack[d].bin[k]
		}
		bound := p.relax(sum(p.cap)).bound
		e := o.effort(p, uint64(d))
		x := newExchange(p, at, e)
		x.run(ctx, int64(bound-e.enough*math.Abs(bound)))
		for _, k := range jobs {
			t.pack[d].remove(k)
		}
		for i, k := range jobs {
			t.pack[d].put(k, x.a.bin[i], x.a.level[i])
		}
		return nil
	})
	t.recount()
}

// kicks returns how often to shake: each time all jobs and levels are looked at.
func (t *joint) kicks(o Options) int {
	size := len(t.served)
	for d := range t.pack {
		size += len(t.pack[d].p.dem)
	}
	return int(math.Min(1500, 1e6/float64(size)) * math.Min(o.Effort, 1000))
}
