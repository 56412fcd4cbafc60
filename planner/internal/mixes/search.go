package mixes

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/numeric"
)

// Bounds on the search, in nodes of the cover; a box counts as 100. A mix in a table of the model
// costs some microseconds, one of waits of two types ten times that, and one of three types that come
// and go some thirty milliseconds (BenchmarkMeets).
const (
	tableNodes = 600_000
	modelNodes = 30_000
	fewNodes   = 40_000 // where the mix of the plan itself is not asked for
	crowdNodes = 2000   // likewise, of many types that come and go
	dearNodes  = 3000   // likewise, where a mix is dear
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
	f := &finding{Model: x, items: items, held: held, need: need, most: mostOf(items), beside: nodes > 0,
		from: x.work.Steps}
	if len(x.rising) > 0 && need > 0 && !x.reachesWithin(make([]int64, len(items)), f.most) {
		return nil, f.tooFew()
	}
	f.nodes = f.budget()
	if f.beside {
		f.nodes = min(nodes, f.nodes)
	}
	x.allow(f.from, provenShare)
	// There is one plane only: its search both finds and proves.
	find := f.byBoth
	if x.short == nil || x.proven != nil && &x.proven[0] == &x.short[0] {
		find = f.byOne
	}
	s, err := find(ctx)
	if err != nil {
		return nil, err
	}
	return worthOf(s, items), nil
}

// A finding is one search for the cheapest mix.
type finding struct {
	*Model
	items  []cover.Item
	held   *Crossing // nil: none
	need   float64
	most   []int64 // all machines
	beside bool    // it is not for the mix of the plan itself
	nodes  int
	from   float64 // steps made before
}

// tooFew is the error of a need beyond all machines.
func (f *finding) tooFew() error {
	return &cover.InfeasibleError{Need: f.need, Later: func() float64 { return f.equivalent(f.leastLeft(f.most)) }}
}

// budget is the number of nodes that a search may take. A node costs what the model does: least where
// its losses stand in a table.
func (f *finding) budget() int {
	switch {
	case f.loss != nil:
		return tableNodes
	case f.beside && f.crowded(f.most):
		return crowdNodes
	case f.need >= mostTable:
		return fewNodes / 10
	case f.dear(f.items) && f.beside:
		return dearNodes
	case f.dear(f.items):
		return modelNodes / 2
	}
	return modelNodes
}

// above searches above a plane through points at a share of the need.
func (f *finding) above(ctx context.Context, points []float64, share float64, nodes int) (*cover.Solution, error) {
	better, goal := f.plane(f.items, f.need, points, share)
	p := &cover.Problem{Items: better, Need: goal, MostCounted: -1, MaxNodes: nodes, Ends: f.ends()}
	s, err := cover.SolveWithin(ctx, p, f.Model, nil)
	// A search that ended early before it found a mix does not say that there is none.
	none, ok := errors.AsType[*cover.InfeasibleError](err)
	if ok && none.Limited && (f.ended || f.held != nil) {
		if found := f.lifted(ctx, f.items, f.need); found != nil {
			return unproven(found, none.Bound), nil
		}
		// The last search goes on to its end, but where all machines together are enough.
		last := len(f.short) == 0 || len(points) > 0 && &points[0] == &f.short[0]
		if last && f.ended && (f.held != nil || !f.Plain) {
			p.Ends = nil
			s, err = cover.SolveWithin(ctx, p, f.Model, nil)
		}
	}
	// Without a crossing the only limit is that of the objectives: more machines are needed than
	// can be had.
	if none, ok := errors.AsType[*cover.InfeasibleError](err); ok && none.Limited && f.held == nil {
		return nil, f.tooFew()
	}
	return s, err
}

// covered returns the least cost above a plane without any limit, which bounds that of every mix, and
// the machines by their worth on the plane.
func (f *finding) covered(points []float64) (low *cover.Solution, better []cover.Item, err error) {
	better, goal := f.plane(f.items, f.need, points, 1-1e-9)
	low, err = cover.Solve(&cover.Problem{Items: better, Need: goal, MostCounted: -1})
	return low, better, err
}

// byOne searches above the only plane there is.
func (f *finding) byOne(ctx context.Context) (*cover.Solution, error) {
	f.allow(f.from, planeShare)
	s, err := f.above(ctx, f.short, 1-1e-9, f.nodes)
	if f.held == nil && errors.As(err, new(*cover.InfeasibleError)) {
		// It may have ended before it found one that there is.
		low, better, e := f.covered(f.short)
		if e == nil && f.Admits(mostOf(better)) {
			s, err = unproven(f.fewer(f.items, mostOf(better)), low.Bound), nil
		}
	}
	if err != nil {
		return nil, err
	}
	f.allow(f.from, 1)
	return f.exchanged(ctx, f.items, s), nil
}

// byBoth searches above the proven plane first, and then above the measured one.
func (f *finding) byBoth(ctx context.Context) (s *cover.Solution, err error) {
	// Beside the mix of the plan nobody asks for a bound, and that of the rate alone, where jobs
	// wait, finds no mix: what is just worth the load keeps no limit.
	if f.proven != nil || !f.beside || !f.dear(f.items) && f.need < mostTable {
		s, err = f.above(ctx, f.proven, 1-1e-9, max(f.nodes/4, 2000))
	}
	if err != nil && !errors.As(err, new(*cover.InfeasibleError)) {
		return nil, err
	}
	if s != nil && s.Proven {
		return s, nil
	}
	// Within its budget the first search may have found nothing.
	low, _, e := f.covered(f.proven)
	if e != nil {
		return nil, f.tooFew()
	}
	f.allow(f.from, planeShare)
	t, e := f.above(ctx, f.short, f.measured(), f.nodes)
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
	case f.held == nil && ctx.Err() == nil && f.Admits(f.most):
		s = unproven(f.fewer(f.items, f.most), low.Bound)
	default:
		return nil, e
	}
	f.allow(f.from, 1)
	// Above a plane at the share that is needed there may be a mix that boxes met too late.
	if over := f.overPlane(ctx, f.items, f.need); over != nil && over.Cost < s.Cost*(1-1e-12) {
		s = unproven(over, s.Bound)
	}
	return f.exchanged(ctx, f.items, f.paired(ctx, f.items, s)), nil
}

// mostOf are all machines that can be had.
func mostOf(items []cover.Item) []int64 {
	most := make([]int64, len(items))
	for i, it := range items {
		most[i] = it.Most
	}
	return most
}

// dear reports whether a mix has so many states that judging it takes tens of milliseconds: three or more
// types that come and go, with hundreds of machines or of more types.
func (x *Model) dear(items []cover.Item) bool {
	coming := 0
	for i, it := range items {
		if x.Kinds[i].Up < 1 && it.Most > 0 {
			coming++
		}
	}
	return coming > 4 || coming > 2 && x.Fleet.Load.Offered() > 1000
}

// mostCrowd is how many types in the greatest mix of a box may come and go for it to be asked
// whether that mix meets the objectives.
const mostCrowd = 12

// crowded reports whether so many types come and go that the figures of their mix take longer than
// they are worth for a box, which its plane bounds in any case: a mix of all types takes ten times
// as long as one of three.
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
	counts, order := slices.Clone(from), numeric.Indices[int](len(items))
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
