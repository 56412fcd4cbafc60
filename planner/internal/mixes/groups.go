package mixes

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/queueing/unlike"
)

// within is the share of the time that a machine is up while its group is there.
func within(k unlike.Coming) float64 {
	if k.Outages.Groups > 0 && k.Up > 0 {
		return math.Min(k.Up/k.Outages.Up, 1)
	}
	return k.Up
}

// slackOf returns the slack of n independent machines alone, for the objectives that more machines
// never harm.
func (x *Model) slackOf(k unlike.Coming, n float64) float64 {
	k.Machines, k.Outages = n, unlike.Outages{}
	f, err := (unlike.Varying{Queue: x.queue, Coming: []unlike.Coming{k}}).At(0)
	least := math.Inf(1)
	if err != nil {
		least = math.Inf(-1)
	}
	for _, o := range x.rising {
		if err == nil {
			least = math.Min(least, o.Slack(f))
		}
	}
	return least
}

// grouping bounds the machines of types that share outages: twice as many in each
// group as are enough alone without outages. A group more that is there is then all
// that helps, and more machines in it change nothing that can be told.
func (x *Model) grouping(items []cover.Item) []cover.Item {
	out := slices.Clone(items)
	for i := range out {
		k := &x.Kinds[i]
		if k.Outages.Groups == 0 || k.Up == 1 || len(x.short) == 0 {
			continue
		}
		if most := x.covering(2 * k.Outages.Groups * (x.short[i] + 1)); most < out[i].Most {
			out[i].Most = max(out[i].Least, most)
		}
	}
	return out
}

// pairParts are the steps in which pairs of types are gone through.
const pairParts = 6

// paired betters a mix of machines that share outages, which the search above a plane
// without these does not see well: by the fewest of each type beside some of another.
func (x *Model) paired(ctx context.Context, items []cover.Item, s *cover.Solution) *cover.Solution {
	if s.Proven || !slices.ContainsFunc(x.Kinds, func(k unlike.Coming) bool { return k.Outages.Groups > 0 && k.Up < 1 }) {
		return s
	}
	best, bound := *s, s.Bound
	counts, least := make([]int64, len(items)), make([]int64, len(items))
	for k, it := range items {
		least[k] = it.Least
	}
	base := cost(items, least)
	for i := range items {
		for j := range items {
			for part := range pairParts {
				if i == j && part > 0 || ctx.Err() != nil || x.spent() {
					break
				}
				price := base
				copy(counts, least)
				if items[j].Most > 0 && len(x.short) > 0 {
					some := min(items[j].Most, int64(x.short[j]*float64(part)/pairParts))
					price += items[j].Price * float64(max(some-counts[j], 0))
					counts[j] = max(some, counts[j])
				}
				high := items[i].Most
				if items[i].Price > 0 { // no more than cost less than the best
					high = min(high, counts[i]+int64(math.Max(best.Cost-price, 0)/items[i].Price*(1+1e-12)))
				}
				low := max(counts[i], x.leastBeside(counts, i)) - 1
				if counts[i] = high; high <= low || !x.Admits(counts) {
					continue
				}
				for high-low > 1 {
					if counts[i] = low + (high-low)/2; x.Admits(counts) {
						high = counts[i]
					} else {
						low = counts[i]
					}
				}
				counts[i] = high
				if cost(items, counts) < best.Cost*(1-1e-12) {
					best = *priced(items, slices.Clone(counts))
				}
			}
		}
	}
	return unproven(&best, math.Min(bound, best.Cost))
}

// Alone returns about how many machines of one type are enough alone with the
// outages that they share; where no number is, as many as leave enough in one group.
func (x *Model) Alone(i int) float64 {
	k := &x.Kinds[i]
	if k.Outages.Groups == 0 || k.Up == 1 {
		return x.short[i]
	}
	counts := make([]float64, len(x.Kinds))
	low, high := math.Floor(x.short[i]), math.Ceil(2*k.Outages.Groups*(x.short[i]+1))
	if counts[i] = high; x.slack(counts, x.rising) < 0 {
		return k.Outages.Groups * x.short[i]
	}
	for high-low > 1 {
		counts[i] = math.Floor((low + high) / 2)
		if x.slack(counts, x.rising) < 0 {
			low = counts[i]
		} else {
			high = counts[i]
		}
	}
	return high
}

// Prepared reports whether it is known how many machines of each type are enough
// alone.
func (x *Model) Prepared() bool { return x.short != nil }

// AtMean counts machines that come and go at how many are up on average, but for
// outages that they share: those last, and are looked at one by one.
func AtMean(k unlike.Coming) unlike.Coming {
	own := within(k)
	k.PerJob /= own
	if k.Up = 1; k.Outages.Groups > 0 {
		k.Up = k.Outages.Up // as written: by division it may come out above
	}
	return k
}
