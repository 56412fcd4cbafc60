package alloc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
)

// Allocate chooses one level and one resource for every job and dependency
// (MRPA), with the bounds that say how far the answer can be from the best.
// The net revenue is made greatest. Jobs whose admission is optional may be
// left out; the price of all capacity used keeps to the budget. The answer has
// been checked by [Verify].
//
// Errors: *DomainError for an option, *InfeasibleError with its certificate
// when no assignment exists, *NotFoundError when none was found.
func (s *System) Allocate(ctx context.Context, o Options) (*Plan, error) {
	ctx = given.Context(ctx)
	if err := s.made("Allocate"); err != nil {
		return nil, err
	}
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.size, o.parts = s.size(), len(s.deps); s.tied() {
		if o.size *= 2; o.hurried() == 1 {
			o.parts *= tiedSearches
		}
	}
	begun := time.Now()
	limited, cancel := o.limited(ctx)
	defer cancel()
	bounds, err := s.bounds(limited, o.Bounds)
	if err != nil {
		return nil, err
	}
	if o.TimeLimit > 0 {
		// The answer is summed up and checked within the limit: at a million jobs
		// that takes an eighth of what the bounds do (half a second).
		closing := min(time.Since(begun)/4, o.TimeLimit/10)
		var end context.CancelFunc
		limited, end = context.WithDeadline(limited, begun.Add(o.TimeLimit-closing))
		defer end()
	}
	plan := &Plan{
		Method:       o.Method,
		Bounds:       bounds,
		Choices:      s.empty(),
		Dependencies: make([]DependencyPlan, len(s.deps)),
	}
	if s.tied() {
		inner := o
		if o.Method == Exact {
			inner.Method = LPRound
		}
		err = s.allocateTied(limited, inner, bounds, plan)
	} else {
		err = s.allocateApart(ctx, limited, o, bounds, plan)
	}
	if err != nil {
		return nil, err
	}
	if err := s.total(o, bounds, plan); err != nil {
		return nil, err
	}
	if s.tied() && o.Method == Exact {
		if err := s.improveTied(limited, o.Solver, o.TimeLimit, plan); err != nil {
			return nil, err
		}
		if err := s.total(o, bounds, plan); err != nil {
			return nil, err
		}
	}
	plan.Stopped = limited.Err() != nil && !plan.Optimal
	plan.Hurried = o.hurried() > 1 && !o.Method.published() && plan.Gap > 1e-4
	return plan, nil
}

// allocateApart solves the dependencies one by one, side by side.
func (s *System) allocateApart(ctx, limited context.Context, o Options, bounds *Bounds, plan *Plan) error {
	o.turns = &turns{}
	o.turns.left.Store(int64(len(s.deps)))
	open, fallback := make([]string, len(s.deps)), make([]string, len(s.deps))
	missed := make([]*NotFoundError, len(s.deps))
	err := parallel.Each(context.WithoutCancel(ctx), aside(s.largest()), len(s.deps), func(i int) (err error) {
		var substituted bool
		open[i], substituted, err = s.allocate(limited, o, i, s.deps[i].primaryProblem(), &bounds.Dependencies[i], plan)
		if substituted {
			fallback[i] = s.deps[i].name
		}
		if o.Method.published() && errors.As(err, &missed[i]) {
			return nil // how many jobs the others place is part of the answer
		}
		return err
	})
	plan.Open, plan.Fallback = said(open), said(fallback)
	if err != nil {
		return err
	}
	return s.noAnswer(o.Method, missed)
}

// noAnswer says how many of all pairs of job and dependency a published method
// places, nil where it places all.
func (s *System) noAnswer(m Method, missed []*NotFoundError) error {
	var first *NotFoundError
	pairs, left := 0, 0
	for i, e := range missed {
		pairs += len(s.deps[i].job)
		if e == nil {
			continue
		}
		if left += len(e.Jobs); first == nil {
			first = e
		}
	}
	if first == nil {
		return nil
	}
	first.Method, first.Placed, first.Pairs = m, pairs-left, pairs
	return first
}

// said returns the texts that are not empty.
func said(all []string) []string {
	list := []string{}
	for _, text := range all {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// allocate solves one dependency and writes its part of the plan. open says
// why the solver of Exact left it unproven.
func (s *System) allocate(ctx context.Context, o Options, i int, p *problem, b *DependencyBounds,
	plan *Plan) (open string, substituted bool, err error) {
	d := &s.deps[i]
	bound, given := b.Best(), p
	p, scale, whole := p.priced(1)
	sol, waiting, proven, substituted := solveBy(ctx, o, p, bound*float64(scale), uint64(i))
	// With prices that had to be rounded the search proves nothing of revenue.
	shown := proven && (whole || len(waiting) > 0)
	if o.Method == Exact && shown {
		o.turns.left.Add(-1)
	} else if o.Method == Exact {
		var none bool
		if sol, bound, none, open, err = generally(ctx, o, given, sol, bound); err != nil {
			return "", false, fmt.Errorf("alloc: Allocate: exact: %s: %w", d.name, err)
		}
		if open != "" {
			open = d.name + ": " + open
		}
		if proven = none; sol.level != nil {
			waiting = nil
		}
	}
	if len(waiting) > 0 {
		return "", false, s.none(d, p, nil, waiting, proven)
	}
	out := plan.Choices[i]
	for k, l := range sol.level {
		out[d.job[k]] = Choice{d.resource[sol.bin[k]], l - p.first[k] + 1}
	}
	plan.Dependencies[i] = s.describe(d, out)
	dp := &plan.Dependencies[i]
	dp.Bound = bound
	if shown {
		dp.Bound = math.Min(dp.Bound, dp.Net)
	} else if o.Method == Exact {
		dp.Bound = math.Max(dp.Bound, dp.Net)
	}
	dp.Gap = math.Max(0, gap(dp.Bound, dp.Net))
	return open, substituted, nil
}

// solveBy runs the method of the options on one problem. It returns jobs that
// wait for a place when there is no solution, and whether the result is proven
// to be the best, or that there is none. substituted says that the solution is
// of the fallback: the method, as it is written, ended without room for all.
func solveBy(ctx context.Context, o Options, p *problem, bound float64,
	seed uint64) (sol solution, waiting []int32, proven, substituted bool) {
	t, culprits := p.trimmed()
	if len(culprits) > 0 {
		return solution{}, culprits, true, false
	}
	defer func() { p.short = t.short }()
	if h, ok := heuristics[o.Method]; ok {
		sol, waiting = h.run(p)
	} else if o.Method == LPRoundPaper {
		sol, waiting = t.paperRound()
	} else {
		sol, waiting, proven = t.search(ctx, o.effort(t, seed), bound)
		return sol, waiting, proven, false
	}
	if len(waiting) == 0 {
		return sol, nil, false, false
	}
	if o.Fallback != "" {
		sol, waiting, proven = t.search(ctx, o.effort(t, seed), bound)
		return sol, waiting, proven, true
	}
	// That there is none at all is worth knowing: it is no fault of the method.
	if none, _, proven := t.search(ctx, effort{nodes: exactNodes}, bound); none.level == nil && proven {
		return solution{}, waiting, true, false
	}
	return solution{}, waiting, false, false
}
