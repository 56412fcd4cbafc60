package mixes

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/cover"
)

// Steps of a box of a search beside those of its figures, and of each of its types.
const (
	boxSteps     = 30_000
	boxTypeSteps = 3_000
)

// fewSteps is what is allowed to a search that only betters what is known: its first boxes
// take as much.
const fewSteps = 3e6

// Shares of what is allowed at which the parts of a search end: that of proven points, that
// of measured ones, and what begins from what both found.
const (
	provenShare = 0.35
	planeShare  = 0.75
)

// Steps returns the steps of work that the figures and boxes of this model took so far. They depend
// only on what was asked, not on the computer.
func (x *Model) Steps() float64 { return x.work.Steps }

// Ended reports whether the last search made as many steps as were allowed, so that it
// would have gone on.
func (x *Model) Ended() bool { return x.ended }

// EndsAfter returns a function that ends a search of other mixes, which asks this model how busy
// they are, after a number of steps of this model, once a mix was found.
func (x *Model) EndsAfter(steps float64) func(found bool) bool {
	until := x.work.Steps + steps
	return func(found bool) bool { return found && x.work.Steps > until }
}

// allow sets the end of a search that begins.
func (x *Model) allow(from, share float64) {
	if x.until = math.Inf(1); x.Allowed > 0 {
		x.until = from + share*x.Allowed
	}
}

// spent reports whether the steps are made that the search may make.
func (x *Model) spent() bool {
	if x.until == 0 || x.work.Steps <= x.until {
		return false
	}
	x.ended = true
	return true
}

// stopped reports whether mixes are held no more, so that what is said of them means nothing.
func (x *Model) stopped() bool { return x.stop > 0 && x.work.Steps > x.stop }

// ends is what ends a search of boxes; see [cover.Problem].
func (x *Model) ends() func(bool) bool { return func(bool) bool { return x.spent() } }

// lifted finds a mix that is admitted with few figures: one that is known to be admitted or
// more of each of its machines, or one above planes; nil where none of them is.
func (x *Model) lifted(ctx context.Context, items []cover.Item, need float64) *cover.Solution {
	for _, from := range [][]int64{x.Known, x.Begin} {
		if counts := x.grown(items, from); counts != nil {
			return priced(items, counts)
		}
	}
	return x.overPlane(ctx, items, need)
}

// overPlane finds the first mix that is admitted of those above planes at rising shares of the
// need; nil where none of them is.
func (x *Model) overPlane(ctx context.Context, items []cover.Item, need float64) *cover.Solution {
	for _, share := range nearShares {
		better, goal := x.plane(items, need, x.short, share)
		p := &cover.Problem{Items: better, Need: goal, MostCounted: -1, MaxNodes: 2000,
			Ends: func(found bool) bool { return found }}
		var limit cover.Limit
		if x.crossing != nil {
			limit = x.crossing
		}
		s, err := cover.SolveWithin(ctx, p, limit, nil)
		if err != nil {
			return nil
		}
		if x.Admits(s.Counts) {
			return s
		}
	}
	return nil
}

// priced is a mix with what it costs.
func priced(items []cover.Item, counts []int64) *cover.Solution {
	price := cost(items, counts)
	return &cover.Solution{Counts: counts, Price: price, Cost: price}
}

// grown finds the smallest of about a dozen multiples of a mix that is admitted, no type beyond
// its limits; nil where none is, and of no mix.
func (x *Model) grown(items []cover.Item, from []int64) []int64 {
	if len(from) != len(items) {
		return nil
	}
	for _, share := range nearShares {
		counts := make([]int64, len(items))
		for i, it := range items {
			counts[i] = max(it.Least, min(int64(math.Ceil(float64(from[i])*share*(1-1e-12))), it.Most))
		}
		if x.Admits(counts) {
			return counts
		}
		if x.spentTwice() {
			return nil
		}
	}
	return nil
}

// spentTwice reports whether looking for a mix that is admitted took as much again as a search.
func (x *Model) spentTwice() bool { return x.work.Steps > x.until+x.Allowed }

// hasty betters a mix that is known, without a search and before it is known how many of one
// type are enough, where hardly a step is allowed; nil where more is, or none is known.
func (x *Model) hasty(ctx context.Context, items []cover.Item) *cover.Solution {
	if !(x.Allowed > 0 && x.Allowed <= fewSteps) {
		return nil
	}
	x.until = x.work.Steps + x.Allowed
	for _, from := range [][]int64{x.Known, x.Begin} {
		if counts := x.grown(items, from); counts != nil {
			x.ended = true
			return x.exchanged(ctx, items, priced(items, counts))
		}
	}
	return nil
}
