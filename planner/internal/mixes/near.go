package mixes

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/internal/cover"
)

// A NearCost is what a draw costs about: by a mix that meets the objectives, +Inf
// where none does, and by one with servers missing at a price; no mix that meets them
// costs less than Bound.
type NearCost struct{ Met, Bound, Short float64 }

// nearShares are the heights above the plane at which a mix is looked for.
var nearShares = []float64{1, 1.001, 1.002, 1.004, 1.008, 1.016, 1.03, 1.06, 1.12, 1.25, 1.6, 2, 2.6, 3.4, 4.5, 6}

// hastyShare is the first height that is looked at once the steps are spent.
const hastyShare = 1.06

// Near finds mixes close to the cheapest: those worth enough by the plane, which
// is raised until one meets the objectives.
func (x *Model) Near(ctx context.Context, items []cover.Item, held *Crossing, need,
	price float64) (NearCost, error) {
	c, err := x.nearest(ctx, items, held, need, price)
	return c, beyondCover(err)
}

// nearest bounds the cost from below by the proven plane, and looks for a mix that meets the
// objectives on planes at rising shares of the need; where none does, it searches as Cheapest does. An
// infeasible plane is an answer, infinite costs, and no error.
func (x *Model) nearest(
	ctx context.Context, items []cover.Item, held *Crossing, need, price float64,
) (NearCost, error) {
	out := NearCost{math.Inf(1), 0, math.Inf(1)}
	x.crossing, x.ended = nil, false
	if held != nil {
		x.crossing = &crossingLimit{Crossing: held.By(x), items: items}
	}
	x.Prepare(items, need)
	items = x.grouping(items)
	x.allow(x.work.Steps, 1)
	solve := func(points []float64, share, price float64) (*cover.Solution, error) {
		better, goal := x.plane(items, need, points, share)
		p := &cover.Problem{Items: better, Need: goal, MostCounted: -1, Shortfall: price, MaxNodes: 2000,
			Ends: func(found bool) bool { return found && x.spent() }}
		if x.crossing == nil {
			return cover.Solve(p)
		}
		return cover.SolveWithin(ctx, p, x.crossing, nil)
	}
	var short *cover.InfeasibleError
	if price > 0 {
		switch s, err := solve(x.short, 1, price); {
		case err == nil:
			out.Short = x.improved(items, s.Counts, need, price)
		case !errors.As(err, &short):
			return out, err
		}
	}
	most := make([]int64, len(items))
	for i, it := range items {
		most[i] = it.Most
	}
	// No mix meets the objectives if that of all machines does not.
	if len(x.rising) > 0 && !x.reachesWithin(make([]int64, len(most)), most) {
		return out, nil
	}
	points := x.proven
	switch low, err := solve(points, 1-1e-9, 0); {
	case errors.As(err, &short):
		return out, nil
	case err != nil:
		return out, err
	default:
		out.Bound = low.Bound
	}
	before := 0.
	for _, share := range nearShares {
		if share < hastyShare && x.spent() {
			continue
		}
		s, err := solve(x.short, share, 0)
		if errors.As(err, &short) {
			break
		}
		if err != nil {
			return out, err
		}
		if !x.Admits(s.Counts) {
			before = share
			continue
		}
		out.Met = s.Cost
		// Three halvings bring the share to within an eighth of the step between two tries; the search
		// that is exact costs far more than the rest is worth.
		for range 3 {
			if before == 0 || x.spent() {
				break
			}
			middle := (before + share) / 2
			s, err := solve(x.short, middle, 0)
			if err != nil {
				return out, err
			}
			if x.Admits(s.Counts) {
				share, out.Met = middle, math.Min(out.Met, s.Cost)
			} else {
				before = middle
			}
		}
		return out, nil
	}
	// No share met the objectives: the plane misjudges this mix, and the search by the model itself
	// has to decide.
	s, err := x.within(ctx, items, held, need, 4000)
	switch {
	case errors.As(err, &short):
	case err != nil:
		return out, err
	default:
		out.Met, out.Bound = s.Cost, math.Max(out.Bound, s.Bound)
	}
	return out, nil
}

// improved returns the cost of a mix with its missing servers, after machines
// were taken or left one by one as long as that costs less.
func (x *Model) improved(items []cover.Item, counts []int64, need, price float64) float64 {
	best := math.Inf(1)
	cost := func(counts []int64) float64 {
		if x.crossing != nil && !x.crossing.Admits(counts) {
			return math.Inf(1)
		}
		sum := 0.0
		for i, n := range counts {
			sum += items[i].Price * float64(n)
		}
		if sum >= best {
			return sum
		}
		return sum + price*x.missing(counts, need, (best-sum)/price)
	}
	at := append([]int64(nil), counts...)
	best = cost(at)
	for range 20 {
		moved := false
		for i := range at {
			for _, step := range []int64{-1, 1} {
				if n := at[i] + step; n < items[i].Least || n > items[i].Most || moved || x.spent() {
					continue
				}
				at[i] += step
				if c := cost(at); c < best*(1-1e-9) {
					best, moved = c, true
				} else {
					at[i] -= step
				}
			}
		}
		if !moved {
			break
		}
	}
	return best
}
