package alloc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/lp"
)

// A Method is a way to choose levels and resources.
type Method string

const (
	LPRound      Method = "lp-round"       // rounded relaxation, improved by exchanges between pairs of resources
	LPRoundPaper Method = "lp-round-paper" // QoS-GRAF figures 5 and 6 as they stand
	MaxBig       Method = "max-big"        // section 5.1: by greatest revenue, to the largest room
	MaxBest      Method = "max-best"       // by greatest revenue, to the best fit
	UnitBig      Method = "unit-big"       // by revenue per unit of demand, to the largest room
	UnitBest     Method = "unit-best"      // by revenue per unit of demand, to the best fit
	Exact        Method = "exact"          // lp-round, then a general solver, begun from it, where that is not proven
)

// heuristics are the methods of section 5.1.
var heuristics = map[Method]heuristic{
	MaxBig: {}, MaxBest: {best: true}, UnitBig: {unit: true}, UnitBest: {unit: true, best: true},
}

// Options say how to look for an assignment. The zero value is a sensible
// choice.
type Options struct {
	Method    Method        // empty means LPRound
	Effort    float64       // scales the search after rounding, ≥ 0; 0 means 1. At 1 it ends at a gap of 0.003 % above 500 jobs, 0.01 % above 20,000
	Seed      uint64        // of the search's random choices; the same seed, the same answer unless time ran out
	TimeLimit time.Duration // for the search; 0 means none. Then the best answer so far is returned; a first one is always made
	Bounds    BoundOptions
	Solver    lp.Solver // for Exact, which needs one
	// Fallback answers where a published method (all but LPRound and Exact) does
	// not place all jobs: LPRound, or empty for none, by default: then the error
	// says how many it places. What it answered is named in the plan.
	Fallback Method
	turns    *turns // of Exact's problems
}

// published reports whether a method is one of the paper's, which may end
// without a place for every job.
func (m Method) published() bool {
	_, heuristic := heuristics[m]
	return heuristic || m == LPRoundPaper
}

func (o Options) method() (Method, error) {
	switch o.Method {
	case "":
		return LPRound, nil
	case LPRound, LPRoundPaper, MaxBig, MaxBest, UnitBig, UnitBest:
		return o.Method, nil
	case Exact:
		if o.Solver == nil {
			return "", &DomainError{"Allocate", "Solver", nil, "a solver for the method exact"}
		}
		return Exact, nil
	}
	return "", &DomainError{"Allocate", "Method", o.Method, "lp-round, lp-round-paper, max-big, max-best, unit-big, unit-best or exact"}
}

// check returns the options with their defaults.
func (o Options) check() (Options, error) {
	m, err := o.method()
	if err != nil {
		return o, err
	}
	o.Method = m
	if !(o.Effort >= 0) || math.IsInf(o.Effort, 1) {
		return o, &DomainError{"Allocate", "Effort", o.Effort, "finite effort >= 0"}
	}
	if o.Effort == 0 {
		o.Effort = 1
	}
	switch {
	case o.Fallback != "" && o.Fallback != LPRound:
		return o, &DomainError{"Allocate", "Fallback", o.Fallback, "lp-round, or none"}
	case o.Fallback != "" && !m.published():
		return o, &DomainError{"Allocate", "Fallback", o.Fallback, "one of the published methods beside a fallback"}
	}
	if o.TimeLimit < 0 {
		return o, &DomainError{"Allocate", "TimeLimit", o.TimeLimit, "a time limit >= 0"}
	}
	return o, nil
}

// limited returns ctx with the time limit.
func (o Options) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.TimeLimit > 0 {
		return context.WithTimeout(ctx, o.TimeLimit)
	}
	return context.WithCancel(ctx)
}

// effort returns how long to search a problem. A kick costs about as many
// pairs as there are bins; large problems end at a gap too small to matter.
func (o Options) effort(p *problem, seed uint64) effort {
	bins, jobs := len(p.cap), p.jobs()
	e := effort{
		sweeps: max(1, int(math.Round(10*o.Effort))),
		kicks:  int(math.Round(3000 / float64(max(bins, 10)) * o.Effort)),
		nodes:  int(exactNodes * math.Min(o.Effort, 1000)),
		seed:   o.Seed*0x9e3779b97f4a7c15 + seed,
	}
	switch {
	case jobs > 20_000:
		e.enough = 1e-4 / o.Effort
	case jobs > 500:
		e.enough = 3e-5 / o.Effort
	}
	return e
}

// A Plan is an assignment of primaries.
type Plan struct {
	Method       Method           `json:"method"`
	Revenue      int64            `json:"revenue"`   // of levels and base fees
	BaseFees     int64            `json:"base_fees"` // part of the revenue
	Spending     float64          `json:"spending"`  // price of the capacity used
	Net          float64          `json:"net"`       // revenue − spending: what is made greatest
	Rejected     []string         `json:"rejected"`  // optional jobs that are left out
	Bounds       *Bounds          `json:"bounds"`
	Bound        float64          `json:"bound"`    // best proven on the net revenue, by exhaustion included
	Gap          float64          `json:"gap"`      // (bound − net) / bound; 0 when that is 0
	Optimal      bool             `json:"optimal"`  // proven
	Stopped      bool             `json:"stopped"`  // not proven, for time ran out or the context ended
	Open         []string         `json:"open"`     // of Exact: by dependency, why the solver left it unproven
	Fallback     []string         `json:"fallback"` // dependencies that Options.Fallback answered, the method having no place for every job
	Dependencies []DependencyPlan `json:"dependencies"`
	Choices      Choices          `json:"-"`

	solver float64 // bound of a general solver, where it was asked; else 0
}

// A DependencyPlan is what one dependency earns.
type DependencyPlan struct {
	Dependency string           `json:"dependency"`
	Revenue    int64            `json:"revenue"`  // of levels
	Spending   float64          `json:"spending"` // price of the capacity used
	Net        float64          `json:"net"`      // revenue − spending
	Bound      float64          `json:"bound"`    // best proven on the net revenue, without budget and as if admission were its own; that itself when it is optimal
	Gap        float64          `json:"gap"`      // (bound − net) / bound
	Levels     []int            `json:"levels"`   // jobs by level, from level 1 on
	ByClass    map[string]int64 `json:"by_class"` // revenue by class of job
	Unused     []float64        `json:"unused"`   // share of every resource's capacity, in the order of the batch
	MeanUnused float64          `json:"mean_unused"`
	MostUnused float64          `json:"most_unused"`
}

// Allocate chooses one level and one resource for every job and dependency
// (MRPA), with the bounds that say how far the answer can be from the best.
// The net revenue is made greatest. Jobs whose admission is optional may be
// left out; the price of all capacity used keeps to the budget. The answer has
// been checked by [Verify].
//
// Errors: *DomainError for an option, *InfeasibleError with its certificate
// when no assignment exists, *NotFoundError when none was found.
func (s *System) Allocate(ctx context.Context, o Options) (*Plan, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	limited, cancel := o.limited(ctx)
	defer cancel()
	bounds, err := s.bounds(limited, o.Bounds)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Method: o.Method, Bounds: bounds, Choices: s.empty(), Dependencies: make([]DependencyPlan, len(s.deps))}
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
	return plan, nil
}

// allocateApart solves the dependencies one by one, side by side.
func (s *System) allocateApart(ctx, limited context.Context, o Options, bounds *Bounds, plan *Plan) error {
	o.turns = &turns{}
	o.turns.left.Store(int64(len(s.deps)))
	open, fallback := make([]string, len(s.deps)), make([]string, len(s.deps))
	missed := make([]*NotFoundError, len(s.deps))
	err := parallel.Each(context.WithoutCancel(ctx), 0, len(s.deps), func(i int) (err error) {
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

// total sums up a plan and checks it.
func (s *System) total(o Options, bounds *Bounds, plan *Plan) error {
	r := Verify(s.Batch, plan.Choices, nil, true)
	if !r.Feasible {
		return fmt.Errorf("alloc: Allocate: the answer of %s fails its check: %v", o.Method, r.Violations)
	}
	var levels int64
	plan.Bound = float64(s.fees)
	for i := range plan.Dependencies {
		levels += plan.Dependencies[i].Revenue
		plan.Bound += plan.Dependencies[i].Bound
	}
	if bounds.tied {
		if plan.Bound = bounds.Best(); plan.solver != 0 {
			plan.Bound = math.Min(plan.Bound, plan.solver)
		}
	}
	if r.Revenue != levels+r.BaseFees {
		return fmt.Errorf("alloc: Allocate: the answer of %s fails its check: revenue %d, not %d", o.Method, r.Revenue, levels+r.BaseFees)
	}
	plan.Revenue, plan.BaseFees, plan.Spending = r.Revenue, r.BaseFees, r.Spending
	plan.Net = float64(r.Revenue) - r.Spending
	plan.Rejected = s.rejected(plan.Choices)
	plan.Optimal = plan.Net >= plan.Bound-1e-9*math.Abs(plan.Bound)
	if plan.Gap = gap(plan.Bound, plan.Net); plan.Optimal {
		plan.Gap = 0
	}
	return nil
}

// rejected lists the jobs without any level.
func (s *System) rejected(c Choices) []string {
	list := []string{}
	for b := range s.Batch.Jobs {
		served := false
		for d := range s.deps {
			served = served || c[d][b].Level > 0
		}
		if !served {
			list = append(list, s.Batch.Jobs[b].ID)
		}
	}
	return list
}

func gap(bound, value float64) float64 {
	if bound == 0 {
		return 0
	}
	return (bound - value) / math.Abs(bound)
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
func (s *System) allocate(ctx context.Context, o Options, i int, p *problem, b *DependencyBounds, plan *Plan) (open string, substituted bool, err error) {
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
		if proven {
			return "", false, &InfeasibleError{Dependency: d.name, Exhausted: true, Jobs: s.jobNames(d, waiting)}
		}
		return "", false, &NotFoundError{Dependency: d.name, Jobs: s.jobNames(d, waiting)}
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
func solveBy(ctx context.Context, o Options, p *problem, bound float64, seed uint64) (sol solution, waiting []int32, proven, substituted bool) {
	t, culprits := p.trimmed()
	if len(culprits) > 0 {
		return solution{}, culprits, true, false
	}
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

// describe sums up the primaries of one dependency.
func (s *System) describe(d *dependency, choices []Choice) DependencyPlan {
	r := DependencyPlan{Dependency: d.name, ByClass: map[string]int64{}}
	used := make([]int64, len(d.resource))
	for _, k := range d.job {
		c := choices[k]
		if c.Level == 0 {
			continue
		}
		at := d.first[d.at[k]] + c.Level - 1
		l := Level{d.demand[at], d.revenue[at]}
		for len(r.Levels) < int(c.Level) {
			r.Levels = append(r.Levels, 0)
		}
		r.Levels[c.Level-1]++
		r.Revenue += l.Revenue
		r.ByClass[s.Batch.Jobs[k].Class] += l.Revenue
		used[d.local[c.Resource]] += l.Demand
	}
	for j, u := range used {
		if d.price != nil {
			r.Spending += d.price[j] * float64(u)
		}
		share := 0.0
		if d.primary[j] > 0 {
			share = float64(d.primary[j]-u) / float64(d.primary[j])
		}
		r.Unused = append(r.Unused, share)
		r.MeanUnused += share / float64(len(used))
		r.MostUnused = math.Max(r.MostUnused, share)
	}
	r.Net = float64(r.Revenue) - r.Spending
	return r
}
