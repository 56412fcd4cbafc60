package planner

import (
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
)

// Headroom is what a fleet of the scenario has to be able to lose; nil: nothing.
func (q *PlanQuestion) Headroom() *sizing.Headroom {
	o := ask.Value(q.Objectives)
	if o.Spare == nil && o.Zones == nil && o.Survive == nil {
		return nil
	}
	room := &sizing.Headroom{
		Spare:   int64(ask.Value(o.Spare)),
		Zones:   int64(ask.Value(o.Zones)),
		Survive: int64(ask.Value(o.Survive)),
	}
	if o.Zones != nil && o.Survive == nil {
		room.Survive = 1
	}
	return room
}

// checkHeadroom looks at what may be lost.
func (q *PlanQuestion) checkHeadroom() error {
	room := q.Headroom()
	if err := room.Check(); err != nil {
		return ask.In("objectives", err)
	}
	if ways := room.Ways(len(q.Machines)); ways > sizing.MostLosses {
		return wrong("objectives.spare", "fewer spare machines or fewer types",
			"%d machines of %d types can be lost in %.3g ways, and at most %d are looked at", room.Spare,
			len(q.Machines), ways, sizing.MostLosses)
	}
	return nil
}

// covering returns how many machines of one type are enough where so many are
// enough of it after every loss.
func (x *mixFigure) covering(enough float64) int64 {
	return int64(math.Min(x.room.Covers(math.Ceil(enough)), cover.MostCount))
}

// roomFor raises what mixes have to be worth by what they have to be able to
// lose. The fullest K of Z zones hold at least K/Z of the machines, so that from
// Σ wᵢleftᵢ ≥ R for what is left of nᵢ after every loss of k more follows
//
//	Σ wᵢnᵢ ≥ (R + k·min wᵢ)·Z/(Z − K)
func (x *mixFigure) roomFor(worth float64, items []cover.Item) float64 {
	if x.room == nil || !(worth > 0) {
		return worth
	}
	least := math.Inf(1)
	for _, it := range items {
		if it.Most > 0 {
			least = math.Min(least, it.Worth)
		}
	}
	return raised(x.room, worth, least)
}

// raised is the worth of machines worth so much after a loss, those that are
// lost beside the zones being worth one each.
func raised(room *sizing.Headroom, worth, one float64) float64 {
	if room == nil || math.IsInf(one, 1) {
		return worth
	}
	worth += float64(room.Spare) * one
	if room.Zones > 0 {
		worth *= float64(room.Zones) / float64(room.Zones-room.Survive) * (1 - 1e-12)
	}
	return math.Min(worth, 1e15)
}

// reachesWithin reports whether mixes between two ends may meet what more machines
// never harm, as they stand and after every loss. It says no only where none does:
// a loss that the least can take every mix can take, and leaves no more than of
// the most; where the least cannot take any, some mix takes one of those of the
// most.
func (x *mixFigure) reachesWithin(least, most []int64) bool {
	if x.room == nil {
		return x.reaches(most)
	}
	low, high := x.room.ZonesLeft(least), x.room.ZonesLeft(most)
	spare := sizing.Headroom{Spare: x.room.Spare}
	some := false
	for left := range spare.Losses(high) {
		reached := x.reaches(left)
		some = some || reached
		every := true // mix can lose so many
		for i := range left {
			every = every && high[i]-left[i] <= low[i]
		}
		if every && !reached {
			return false
		}
	}
	return some
}

// leastLeft is what is left after the loss that takes the most worth.
func (x *mixFigure) leastLeft(counts []int64) []int64 {
	if x.room == nil {
		return counts
	}
	worth := make([]float64, len(counts))
	for i := range counts {
		worth[i] = x.kinds[i].Up * x.kinds[i].Speed / x.kinds[i].PerJob
	}
	return dearestLost(x.room, counts, worth)
}

// dearestLost is what is left of machines where the zones are lost, and of those
// left the ones worth the most.
func dearestLost(room *sizing.Headroom, counts []int64, worth []float64) []int64 {
	left := room.ZonesLeft(counts)
	if room == nil {
		return left
	}
	for spare := room.Spare; spare > 0; {
		at := -1
		for i, n := range left {
			if n > 0 && (at < 0 || worth[i] > worth[at]) {
				at = i
			}
		}
		if at < 0 {
			break
		}
		gone := min(spare, left[at])
		left[at], spare = left[at]-gone, spare-gone
	}
	return left
}

// raisedNeed is the worth of mixes that are worth the need after every loss, about:
// of machines worth the least or the most each.
func (p *planning) raisedNeed(items []cover.Item, need float64, pick func(a, b float64) float64) float64 {
	one := math.Inf(1)
	for _, it := range items {
		if it.Most > 0 {
			if math.IsInf(one, 1) {
				one = it.Worth
			}
			one = pick(one, it.Worth)
		}
	}
	return raised(p.Headroom(), need, one)
}
