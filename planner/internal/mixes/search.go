package mixes

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
)

// Bounds on the search, in nodes of the cover (100 a box): a mix of which the
// model has a table costs some ten microseconds, another up to a millisecond.
const (
	tableNodes = 600_000
	modelNodes = 30_000
	fewNodes   = 40_000 // where the mix of the plan itself is not asked for
	crowdNodes = 2000   // likewise, of many types that come and go
	dearNodes  = 3000   // likewise, where a mix costs up to ten milliseconds
)

// Cheapest chooses the cheapest mix that meets the objectives by its own figures.
// Solution.Proven and Bound say only what is proven: the search is made between
// proven bounds first, and where those are too wide once more above a plane that
// is measured.
func (x *Model) Cheapest(
	ctx context.Context, items []cover.Item, held *Crossing, need float64, nodes int,
) (*cover.Solution, error) {
	s, err := x.within(ctx, items, held, need, nodes)
	if err != nil {
		return nil, beyondCover(err)
	}
	return x.fewestFree(items, s), nil
}

// within searches within a number of nodes. The plane of proven points comes first, since what it
// proves holds; the plane of measured points finds cheaper mixes and proves no bound.
func (x *Model) within(
	ctx context.Context, items []cover.Item, held *Crossing, need float64, nodes int,
) (*cover.Solution, error) {
	x.crossing, x.ended = nil, false
	if held != nil {
		x.crossing = &crossingLimit{Crossing: held.By(x), items: items}
	}
	if s := x.hasty(ctx, items); s != nil {
		return worthOf(s, items), nil
	}
	x.Prepare(items, need)
	items = x.grouping(items)
	most := mostOf(items)
	short := func() error {
		return &cover.InfeasibleError{Need: need, Later: func() float64 { return x.equivalent(x.leastLeft(most)) }}
	}
	if len(x.rising) > 0 && need > 0 && !x.reachesWithin(make([]int64, len(most)), most) {
		return nil, short()
	}
	from := x.work.Steps
	// A node costs what the model does: least where its losses stand in a table.
	budget, beside := modelNodes, nodes > 0
	switch {
	case x.loss != nil:
		budget = tableNodes
	case beside && x.crowded(mostOf(items)):
		budget = crowdNodes
	case need >= mostTable:
		budget = fewNodes / 10
	case x.dear(items) && nodes > 0:
		budget = dearNodes
	case x.dear(items):
		budget = modelNodes / 2
	}
	if nodes == 0 || nodes > budget {
		nodes = budget
	}
	search := func(points []float64, share float64, nodes int) (*cover.Solution, error) {
		better, goal := x.plane(items, need, points, share)
		p := &cover.Problem{Items: better, Need: goal, MostCounted: -1, MaxNodes: nodes, Ends: x.ends()}
		s, err := cover.SolveWithin(ctx, p, x, nil)
		// A search that ended early before it found a mix does not say that there is none.
		none, ok := errors.AsType[*cover.InfeasibleError](err)
		if ok && none.Limited && (x.ended || held != nil) {
			if found := x.lifted(ctx, items, need); found != nil {
				return unproven(found, none.Bound), nil
			}
			// The last search goes on to its end, but where all machines together are enough.
			last := len(x.short) == 0 || len(points) > 0 && &points[0] == &x.short[0]
			if last && x.ended && (held != nil || !x.Plain) {
				p.Ends = nil
				s, err = cover.SolveWithin(ctx, p, x, nil)
			}
		}
		// Without a crossing the only limit is that of the objectives: more machines are needed than
		// can be had.
		if none, ok := errors.AsType[*cover.InfeasibleError](err); ok && none.Limited && held == nil {
			return nil, short()
		}
		return s, err
	}
	x.allow(from, provenShare)
	// There is one plane only: its search both finds and proves.
	if x.short == nil || x.proven != nil && &x.proven[0] == &x.short[0] {
		x.allow(from, planeShare)
		s, err := search(x.short, 1-1e-9, nodes)
		if held == nil && errors.As(err, new(*cover.InfeasibleError)) {
			// It may have ended before it found one that there is.
			better, goal := x.plane(items, need, x.short, 1-1e-9)
			low, e := cover.Solve(&cover.Problem{Items: better, Need: goal, MostCounted: -1})
			if e == nil && x.Admits(mostOf(better)) {
				s, err = unproven(x.fewer(items, mostOf(better)), low.Bound), nil
			}
		}
		if err != nil {
			return nil, err
		}
		x.allow(from, 1)
		return worthOf(x.exchanged(ctx, items, s), items), nil
	}
	// Beside the mix of the plan nobody asks for a bound, and that of the rate alone, where jobs
	// wait, finds no mix: what is just worth the load keeps no limit.
	var s *cover.Solution
	var err error
	if x.proven != nil || !beside || !x.dear(items) && need < mostTable {
		s, err = search(x.proven, 1-1e-9, max(nodes/4, 2000))
	}
	if err != nil && !errors.As(err, new(*cover.InfeasibleError)) {
		return nil, err
	}
	if s != nil && s.Proven {
		return worthOf(s, items), nil
	}
	// Within its budget the first search may have found nothing.
	better, goal := x.plane(items, need, x.proven, 1-1e-9)
	low, e := cover.Solve(&cover.Problem{Items: better, Need: goal, MostCounted: -1})
	if e != nil {
		return nil, short()
	}
	x.allow(from, planeShare)
	t, e := search(x.short, x.measured(), nodes)
	switch {
	case e == nil && (s == nil || t.Cost < s.Cost):
		bound := low.Bound
		if s != nil {
			bound = math.Max(bound, s.Bound)
		}
		s = unproven(t, bound)
	case s != nil:
		s = unproven(s, math.Max(low.Bound, s.Bound))
	// All machines together meet the objectives, so that an answer is there though no search found
	// one: machines are taken away from them as far as goes.
	case held == nil && ctx.Err() == nil && x.Admits(most):
		s = unproven(x.fewer(items, most), low.Bound)
	default:
		return nil, e
	}
	x.allow(from, 1)
	// Above a plane at the share that is needed there may be a mix that boxes met too late.
	if over := x.overPlane(ctx, items, need); over != nil && over.Cost < s.Cost*(1-1e-12) {
		s = unproven(over, s.Bound)
	}
	return worthOf(x.exchanged(ctx, items, x.paired(ctx, items, s)), items), nil
}

// mostOf are all machines that can be had.
func mostOf(items []cover.Item) []int64 {
	most := make([]int64, len(items))
	for i, it := range items {
		most[i] = it.Most
	}
	return most
}

// dear reports whether numbers up are so many that a mix takes milliseconds: those of
// three types or more that come and go, of some hundred machines or of more types.
func (x *Model) dear(items []cover.Item) bool {
	coming := 0
	for i, it := range items {
		if x.Kinds[i].Up < 1 && it.Most > 0 {
			coming++
		}
	}
	return coming > 4 || coming > 2 && x.Fleet.Load.Offered() > 1000
}

// mostCrowd is how many types that come and go the most of a box may have of which it is
// asked whether they meet the objectives.
const mostCrowd = 12

// crowded reports whether so many types come and go among machines that their figures take
// longer than what they may tell of a box is worth: about its plane, which bounds it in any
// case, a mix of all types takes ten times as long as one of three.
func (x *Model) crowded(most []int64) bool {
	coming := 0
	for i, n := range most {
		if n > 0 && x.Kinds[i].Up < 1 {
			coming++
		}
	}
	return coming > mostCrowd && x.loss == nil
}

// unproven is a solution with another bound, which is proven.
func unproven(s *cover.Solution, bound float64) *cover.Solution {
	out := *s
	out.Bound = math.Min(bound, out.Cost)
	out.Proven = out.Cost <= out.Bound*(1+1e-10)
	return &out
}

// fewer takes machines away from a mix that meets the objectives, the dearest
// for their worth first, as many as can be missed.
func (x *Model) fewer(items []cover.Item, from []int64) *cover.Solution {
	counts, order := slices.Clone(from), make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(items[j].Price*items[i].Worth, items[i].Price*items[j].Worth)
	})
	for _, i := range order {
		counts[i] = x.leastOf(items, counts, i)
	}
	s := &cover.Solution{Counts: counts}
	for i, n := range counts {
		s.Price += items[i].Price * float64(n)
	}
	s.Cost = s.Price
	return s
}

// worthOf is a solution with the worth of its machines, not of a plane.
func worthOf(s *cover.Solution, items []cover.Item) *cover.Solution {
	out := *s
	out.Worth = 0
	for i, n := range out.Counts {
		out.Worth += items[i].Worth * float64(n)
	}
	return &out
}
