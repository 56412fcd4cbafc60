package planner

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
)

// secantShare is how far below the secant plane of the objectives a mix may
// meet them where no plane is proven; see [mixFigure.measured].
const (
	secantShare   = 0.95
	averagedShare = 0.985 // for loss averaged over the machines up
)

// Bounds on the search, in nodes of the cover (100 a box): a mix of which the
// figure has a table costs some ten microseconds, another up to a millisecond.
const (
	tableNodes = 600_000
	modelNodes = 30_000
	fewNodes   = 40_000 // where the mix of the plan itself is not asked for
)

// mostTable is the need up to which one table of the figure stands for all
// mixes: beyond it would be wide, and a few machines more or less cost nothing.
const mostTable = 20_000

// enoughOfOne reports whether one type alone is enough.
func (x *mixFigure) enoughOfOne(counts []float64) bool {
	for i, enough := range x.enough {
		if enough > 0 && counts[i] >= enough {
			return true
		}
	}
	return false
}

// wellAbove is the height above the secant plane from which mixes are taken to
// meet the objectives where that only saves looking into a box.
const wellAbove = 1.05

// above is the height of counts over the secant plane; 0 where there is none.
func (x *mixFigure) above(counts []float64) (height float64) {
	for i, s := range x.short {
		if s > 0 {
			height += counts[i] / s
		}
	}
	return height
}

// reaches reports whether so many machines may meet what more never harm. It
// says no only where they do not.
func (x *mixFigure) reaches(most []int64) bool {
	n := x.floats(most)
	return x.above(n) > wellAbove || x.enoughOfOne(n) || x.slack(n, x.rising) >= -1e-9
}

// prepare finds how many machines of each type are just enough alone, and just
// not enough. With xⱼ of the latter every mix that meets the objectives has
// about
//
//	Σ nⱼ/xⱼ ≥ 1
//
// It is proven for loss of machines that are always there, because −ln B is
// convex in the counts: below the plane through the points xⱼ lie only mixtures
// of 0 and those. For N machines up p of the time, r of which hold a job, it is
// proven with another xⱼ: by Jensen's inequality and, for r ≥ 1, the concavity
// of the r-th root
//
//	1/E[B] ≤ E[1/B] ≤ ∫ e^(−t) (1 + p·t/a)^(N/r) … dt
//
// so that no mix loses less than with N/r servers of p times the speed that are
// always there; where m = 1/r > 1 jobs share a machine p^(1/m) stands for p,
// by Minkowski's inequality. It is proven for any objective where all machines
// have one speed and are always there. Outages that machines share leave fewer of them, so
// that a plane without those outages lies below one with them.
func (x *mixFigure) prepare(items []cover.Item, need float64) {
	f := x.fleet
	load := f.Load.Offered()
	if x.short != nil || x.rising == nil || !(load > 0) || !(need > 0) {
		return
	}
	x.enough, x.short = make([]float64, len(items)), make([]float64, len(items))
	if f.Kind == sizing.Loss && need < mostTable {
		if m, err := unlike.NewLossMix(load, x.kinds, math.Max(x.rising[0].Limit/100, 1e-200)); err == nil {
			x.loss = m
		}
	}
	alike, speed := true, 0.0
	for i, k := range x.kinds[:len(items)] {
		if items[i].Most == 0 {
			continue
		}
		alike = alike && k.Up == 1 && (speed == 0 || k.Speed == speed)
		speed = k.Speed
		x.alone(i, need/items[i].Worth)
	}
	if f.Kind != sizing.Loss {
		if alike && x.plain {
			x.proven = x.short
		}
		return
	}
	coming := false
	for i, k := range x.kinds[:len(items)] {
		coming = coming || k.Up < 1 && items[i].Most > 0
	}
	if x.proven = x.short; !coming || len(x.rising) != 1 {
		return
	}
	x.proven = make([]float64, len(items))
	for i, k := range x.kinds[:len(items)] {
		x.proven[i] = x.short[i]
		if k.Up == 1 || items[i].Most == 0 {
			continue
		}
		slow := queueing.Loss{
			ArrivalRate: load,
			ServiceTime: 1 / (k.Speed * math.Pow(within(k), math.Min(k.PerJob, 1))),
		}
		r, err := queueing.LeastServers(slow, x.rising[0])
		if err != nil {
			x.proven = nil
			return
		}
		x.proven[i] = math.Min(r.Real*k.PerJob*(1-1e-9), x.short[i])
	}
}

// alone finds a number of machines of one type that is enough by itself, and
// one that is not: 1e-9 below it, of machines that come and go less than one. Of
// machines that share outages it is not enough without these.
func (x *mixFigure) alone(i int, guess float64) {
	k := x.kinds[i]
	shared := k.Outages.Groups > 0 && k.Up < 1
	if k.Up = within(k); k.Up == 1 { // closed forms
		model := x.queue
		model.AddedSpeed = k.Speed
		most := 0.0
		for _, o := range x.rising {
			r, err := queueing.LeastServers(model, o)
			if err != nil {
				x.short[i] = 0.02
				return
			}
			most = math.Max(most, r.Real)
		}
		x.short[i] = math.Max(most*k.PerJob*(1-1e-9), 1e-9)
		if x.enough[i] = most * k.PerJob * (1 + 1e-9); shared {
			x.enough[i] = 0
		}
		return
	}
	counts := make([]float64, len(x.kinds))
	slack := func(n float64) float64 {
		counts[i] = n
		if shared {
			return x.slackOf(k, n)
		}
		return x.slack(counts, x.rising)
	}
	low, high, under, over := 0.0, math.Max(math.Ceil(guess), 1), math.Inf(-1), 0.0
	for over = slack(high); over < 0; over = slack(high) {
		if low, under, high = high, over, math.Ceil(1.1*high)+1; high > 1e13 {
			x.short[i] = low
			return
		}
	}
	// Slack is about straight in the count, so that most steps of regula falsi
	// land beside the root; every third halves.
	for k := 0; high-low > 1 && high-low > 1e-6*high; k++ {
		middle := math.Floor((low + high) / 2)
		if math.IsInf(under, -1) {
			middle = math.Floor(0.9 * high)
		} else if width := over - under; k%3 < 2 && width > 0 && !math.IsInf(width, 1) {
			middle = math.Floor(low - under/width*(high-low))
			if k%3 == 1 { // from the other side
				middle++
			}
		}
		middle = math.Min(math.Max(middle, low+1), high-1)
		if s := slack(middle); s >= 0 {
			high, over = middle, s
		} else {
			low, under = middle, s
		}
	}
	if x.short[i] = math.Max(low, 0.02); !shared { // with the outages no number may be enough
		x.enough[i] = high
	}
}

// plane states the choice as one whose worths are those of a plane.
func (x *mixFigure) plane(items []cover.Item, need float64, points []float64, share float64) ([]cover.Item, float64) {
	out := append([]cover.Item(nil), items...)
	load := x.fleet.Load.Offered()
	if points == nil {
		// The rate of all machines exceeds the load where jobs wait.
		if x.fleet.Kind == sizing.Wait && load > 0 {
			return out, x.roomFor(load, items)
		}
		return out, 0
	}
	for i := range out {
		if out[i].Most > 0 {
			out[i].Worth = math.Min(need/points[i], 1e15)
		}
		if x.plain && x.crossing == nil && x.enough[i] > 0 && x.covering(x.enough[i]) < out[i].Most {
			out[i].Most = max(out[i].Least, x.covering(x.enough[i])) // more is of no use
		}
	}
	return out, x.roomFor(need*share, out)
}

// measured returns the share of the plane from which on random fleets met the
// objectives, less a margin: loss averaged over the machines up did from 0.996
// on and the others from 0.97 (TestMixSecant).
func (x *mixFigure) measured() float64 {
	if x.fleet.Kind == sizing.Loss {
		return averagedShare
	}
	return secantShare
}

// within chooses the cheapest mix that meets the objectives by its own figures.
// Solution.Proven and Bound say only what is proven: the search is made between
// proven bounds first, and where those are too wide once more above a plane that
// is measured.
func (x *mixFigure) within(
	ctx context.Context, items []cover.Item, held *crossing, need float64, nodes int,
) (*cover.Solution, error) {
	x.crossing = nil
	if held != nil {
		x.crossing = &crossingLimit{crossing: held.by(x), items: items}
	}
	x.prepare(items, need)
	items = x.grouping(items)
	most := make([]int64, len(items))
	for i, it := range items {
		most[i] = it.Most
	}
	short := func() error { return &cover.InfeasibleError{Need: need, Reach: x.equivalent(x.leastLeft(most))} }
	if len(x.rising) > 0 && need > 0 && !x.reachesWithin(make([]int64, len(most)), most) {
		return nil, short()
	}
	budget := modelNodes
	switch {
	case x.loss != nil:
		budget = tableNodes
	case need >= mostTable:
		budget = fewNodes / 10
	}
	if nodes == 0 || nodes > budget {
		nodes = budget
	}
	search := func(points []float64, share float64, nodes int) (*cover.Solution, error) {
		better, goal := x.plane(items, need, points, share)
		p := &cover.Problem{Items: better, Need: goal, MostCounted: -1, MaxNodes: nodes}
		s, err := cover.SolveWithin(ctx, p, x, nil)
		var none *cover.InfeasibleError
		if errors.As(err, &none) && none.Limited && held == nil {
			return nil, short()
		}
		return s, err
	}
	if x.short == nil || x.proven != nil && &x.proven[0] == &x.short[0] {
		s, err := search(x.short, 1-1e-9, nodes)
		if err != nil {
			return nil, err
		}
		return worthOf(s, items), nil
	}
	s, err := search(x.proven, 1-1e-9, max(nodes/4, 2000))
	if err != nil && !errors.As(err, new(*cover.InfeasibleError)) {
		return nil, err
	}
	if err == nil && s.Proven {
		return worthOf(s, items), nil
	}
	// Within its budget the first search may have found nothing.
	better, goal := x.plane(items, need, x.proven, 1-1e-9)
	low, e := cover.Solve(&cover.Problem{Items: better, Need: goal, MostCounted: -1})
	if e != nil {
		return nil, short()
	}
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
	case held == nil && ctx.Err() == nil && x.Admits(most):
		s = unproven(x.fewer(items, most), low.Bound)
	default:
		return nil, e
	}
	return worthOf(x.paired(ctx, items, s), items), nil
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
func (x *mixFigure) fewer(items []cover.Item, from []int64) *cover.Solution {
	counts, order := slices.Clone(from), make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(items[j].Price*items[i].Worth, items[i].Price*items[j].Worth)
	})
	for _, i := range order {
		low, high := items[i].Least-1, counts[i]
		for high-low > 1 {
			if counts[i] = low + (high-low)/2; x.Admits(counts) {
				high = counts[i]
			} else {
				low = counts[i]
			}
		}
		counts[i] = high
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

// fewer bounds the search of mixes beside that of the plan.
func (p *planning) fewer() int {
	if p.mixing.figure == nil {
		return 0
	}
	return fewNodes
}
