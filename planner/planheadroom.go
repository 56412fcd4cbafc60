package planner

import (
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
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
	return mixes.Raised(p.Headroom(), need, one)
}
