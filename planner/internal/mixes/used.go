package mixes

import (
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
)

// mostUsed is the least limit on the utilization of a loss system; 1 where there is
// none. Of such a limit a further machine may do harm: a slow one serves more than it
// adds to the rate of fast ones.
func (x *Model) mostUsed() float64 {
	limit := 1.0
	if x.Fleet.Kind == sizing.Loss {
		for _, o := range x.all {
			if o.Metric == queueing.Utilization {
				limit = math.Min(limit, o.Limit)
			}
		}
	}
	return limit
}

// usedWorth bounds from below what mixes are worth that are used no more than a limit
// u. Of one or more servers of a rate of R in all loss is the greatest where one has
// it all, a/(a + R), since with whole servers Π(1 + vᵢt/a) ≥ 1 + Rt/a, so that
//
//	a/(a + R) ≤ u
//
// where R is the rate with all machines up, and what they are worth at least the
// smallest share of time up of it. 0 where a job takes several machines.
func (x *Model) usedWorth(items []cover.Item) float64 {
	limit, up := x.mostUsed(), 1.0
	for i, it := range items {
		if k := &x.Kinds[i]; it.Most > 0 {
			if up = math.Min(up, k.Up); k.PerJob > 1 {
				return 0
			}
		}
	}
	return up * x.Fleet.Load.Offered() * (1 - limit) / limit * (1 - 1e-9)
}

// usedMost bounds the machines of each type where nothing but the utilization of a loss
// system is limited: what is worth the load over the limit keeps it, lost or served.
func (x *Model) usedMost(items []cover.Item) []cover.Item {
	limit := x.mostUsed()
	if limit >= 1 || x.crossing != nil || slices.ContainsFunc(x.all, func(o queueing.Objective) bool {
		return o.Metric != queueing.Utilization
	}) {
		return items
	}
	for i := range items {
		it := &items[i]
		if most := x.covering(x.Fleet.Load.Offered() / limit / it.Worth); it.Worth > 0 && most < it.Most {
			it.Most = max(it.Least, most)
		}
	}
	return items
}

// usedWithin returns the worth that mixes between two ends need in order to be used no more than
// the limit, as they stand and after the loss of the greatest worth, and whether the greatest mix
// is. The ends serve at least what the least serves; a loss takes from each type all that may be
// lost.
func (x *Model) usedWithin(least, most []int64) (worth float64, ok bool) {
	limit := x.mostUsed()
	if limit >= 1 {
		return 0, true
	}
	served := func(counts []int64) float64 {
		f, err := x.At(counts, 0)
		if err != nil { // no machine
			return 0
		}
		return x.Fleet.Load.Offered() * (1 - f.Blocking) / limit * (1 - 1e-9)
	}
	one := math.Inf(1)
	rate := func(counts []int64) (sum float64) {
		for i, n := range counts {
			if k := &x.Kinds[i]; n > 0 {
				w := k.Up * k.Speed / k.PerJob
				sum, one = sum+float64(n)*w, math.Min(one, w)
			}
		}
		return sum
	}
	worth = served(least)
	if ok = rate(most) >= worth; !ok || x.Room == nil {
		return worth, ok
	}
	left := x.Room.ZonesLeft(least)
	for i := range left {
		left[i] = max(0, left[i]-x.Room.Spare)
	}
	after := served(left)
	return math.Max(worth, Raised(x.Room, after, one)), rate(x.leastLeft(most)) >= after
}
