package mixes

import (
	"context"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/cover"
)

// Bounds on how many mixes an exchange looks at, by what one of them costs (BenchmarkMeets).
const (
	tableTrials = 4000
	modelTrials = 600
	plainTrials = 200 // without a crossing, where a search is mostly near
	dearTrials  = 60
	fewMachines = 8
)

// exchanged betters a mix under a crossing by machines of one type in the place of those
// of another, many at a time and then fewer. Link and epoch are neither kept by more
// machines nor by fewer, so that the boxes of the search meet an admitted mix late, and one
// that ends early is left with a dear one (TestSearchesBesideUnderLink). Without a crossing
// so is one above a plane that is not proven (TestPlanBelowItsAlternatives).
func (x *Model) exchanged(ctx context.Context, items []cover.Item, s *cover.Solution) *cover.Solution {
	if s.Proven || x.crossing == nil && x.loss != nil {
		return s
	}
	best := s
	begin := [][]int64{s.Counts, x.Begin}
	if x.crossing == nil { // the cheapest one alone: a mix of waits costs ten of losses or more
		begin = begin[:1]
		least := s.Price
		for _, other := range [][]int64{x.cheapestOfOne(items), x.Begin} {
			if other != nil && cost(items, other) < least && x.Admits(other) {
				begin[0], least = other, cost(items, other)
			}
		}
	}
	for _, from := range begin {
		if from != nil && x.Admits(from) {
			if t := x.exchangedFrom(ctx, items, from); t.Price < best.Price*(1-1e-12) {
				best = t
			}
		}
	}
	if best == s {
		return s
	}
	return unproven(best, s.Bound)
}

// cheapestOfOne returns the cheapest mix that meets the objectives with machines of one type
// besides those that are bought in any case; nil if no type is enough alone.
func (x *Model) cheapestOfOne(items []cover.Item) []int64 {
	var all [][]int64
	for i, it := range items {
		counts := make([]int64, len(items))
		for j := range items {
			counts[j] = items[j].Least
		}
		if i >= len(x.enough) || !(x.enough[i] > 0) || x.covering(x.enough[i]) > it.Most {
			continue
		}
		counts[i] = max(counts[i], x.covering(x.enough[i]))
		all = append(all, counts)
	}
	sort.Slice(all, func(i, j int) bool { return cost(items, all[i]) < cost(items, all[j]) })
	for _, counts := range all {
		if x.Meets(counts) {
			return counts
		}
	}
	return nil
}

// cost is what machines cost.
func cost(items []cover.Item, counts []int64) (sum float64) {
	for i, n := range counts {
		sum += items[i].Price * float64(n)
	}
	return sum
}

// exchangedFrom betters an admitted mix.
func (x *Model) exchangedFrom(ctx context.Context, items []cover.Item, from []int64) *cover.Solution {
	e := &exchange{Model: x, items: items, best: from, trials: modelTrials}
	switch {
	case x.loss != nil:
		e.trials = tableTrials
	case x.crossing == nil && x.dear(items):
		e.trials = dearTrials
	case x.crossing == nil:
		e.trials = plainTrials
	}
	step := int64(1)
	for step < slices.Max(from) {
		step *= 2
	}
	for ; step > 0 && e.trials > 0 && !e.spent() && ctx.Err() == nil; step /= 2 {
		for e.round(step) && e.trials > 0 && !e.spent() && ctx.Err() == nil {
		}
	}
	out := &cover.Solution{Counts: slices.Clone(e.best)}
	out.Price = cost(items, e.best)
	out.Cost = out.Price
	return out
}

// An exchange is the state of a search by exchanges.
type exchange struct {
	*Model
	items  []cover.Item
	best   []int64
	trials int
}

// round takes a number of machines of each type away, alone or together with some of another type,
// and adds none or the fewest of a third type that keep the objectives. It reports whether some
// exchange made the mix cheaper. Exchanges of two types cannot reach what two types give up for a
// third if link or epoch forbid what lies between.
func (e *exchange) round(step int64) bool {
	cheaper := false
	for i := range e.items {
		for j := range e.items {
			// Of most types there is none, so that most of the triples need no look.
			if !e.spares(i, step) {
				break
			}
			cheaper = e.swap(i, j, step, j, 0) || cheaper
			for k := range e.items {
				if k == i || k == j || i == j || !e.spares(k, max(step/8, 1)) {
					continue
				}
				// Of few machines all numbers are tried.
				for other := max(step, fewMachines); other > 0 && other >= step/8; {
					cheaper = e.swap(i, j, step, k, other) || cheaper
					if other--; other > fewMachines {
						other = (other + 1) / 2
					}
				}
			}
		}
	}
	return cheaper
}

// spares reports whether step machines of a type can be taken away.
func (e *exchange) spares(i int, step int64) bool { return e.best[i]-step >= e.items[i].Least }

// swap takes machines of type i away, and others of type k, and adds the fewest of type j
// that keep the objectives and cost less; i for j adds none.
func (e *exchange) swap(i, j int, step int64, k int, other int64) bool {
	if e.trials <= 0 || e.spent() || !e.spares(i, step) || !e.spares(k, other) {
		return false
	}
	trial := slices.Clone(e.best)
	trial[i] -= step
	trial[k] -= other
	if i == j {
		return e.take(trial)
	}
	saved, price := e.items[i].Price*float64(step)+e.items[k].Price*float64(other), e.items[j].Price
	room := e.items[j].Most - e.best[j]
	if price > 0 {
		room = min(room, int64(saved/price*(1+1e-12)))
	}
	if price > 0 && float64(room)*price >= saved*(1-1e-12) {
		room--
	}
	at := func(more int64) bool {
		e.trials--
		trial[j] = e.best[j] + more
		return e.Meets(trial)
	}
	low, high := max(e.leastBeside(trial, j)-e.best[j], 0)-1, room
	if room < 1 {
		return false
	}
	if low >= high { // counted as one that was looked at
		e.trials--
		return false
	}
	if !at(high) {
		return false
	}
	for high-low > 1 && e.trials > 0 && !e.spent() {
		if middle := low + (high-low)/2; at(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	trial[j] = e.best[j] + high
	return e.take(trial)
}

// take keeps a cheaper mix that the objectives and the crossing admit.
func (e *exchange) take(trial []int64) bool {
	e.trials--
	if !e.Admits(trial) {
		return false
	}
	e.best = trial
	return true
}
