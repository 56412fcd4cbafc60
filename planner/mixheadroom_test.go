package planner

import (
	"math/rand/v2"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

// safer asks for headroom, or a limit on public machines, of some kind.
func safer(rng *rand.Rand, o *scenario.Objectives) {
	if rng.IntN(2) == 0 {
		o.Spare = new(units.Count(1 + rng.IntN(2)))
	}
	if rng.IntN(2) == 0 {
		zones := 2 + rng.IntN(3)
		o.Zones, o.Survive = new(units.Count(zones)), new(units.Count(1+rng.IntN(zones-1)))
	}
	if rng.IntN(2) == 0 {
		o.MaxPublicShare = new(units.Fraction(0.8 * rng.Float64()))
	}
}

// sharedBy reports whether no more of the worth is public than may be.
func sharedBy(q *scenario.Question, items []cover.Item, counts []int64) bool {
	if q.Objectives.MaxPublicShare == nil {
		return true
	}
	public, all := 0.0, 0.0
	for i, n := range counts {
		all += items[i].Worth * float64(n)
		if q.Machines[i].Kind == scenario.Public {
			public += items[i].Worth * float64(n)
		}
	}
	return public <= float64(*q.Objectives.MaxPublicShare)*all*(1+1e-12)
}

// afterEveryLoss reports whether machines keep the objectives whole, and whatever
// is lost: the machines are put into zones one by one, the first zones are taken
// away, and then any machines one by one.
func afterEveryLoss(o *scenario.Objectives, counts []int64, keeps func([]int64) bool) bool {
	if !keeps(counts) {
		return false
	}
	left := make([]int64, len(counts))
	for i, n := range counts {
		zones := max(int64(ask.Value(o.Zones)), 1)
		for k := range n {
			if k%zones >= int64(ask.Value(o.Survive)) {
				left[i]++
			}
		}
	}
	var lose func(left []int64, spare int64) bool
	lose = func(left []int64, spare int64) bool {
		any := false
		for i := range left {
			if spare == 0 || left[i] == 0 {
				continue
			}
			any = true
			left[i]--
			kept := lose(left, spare-1)
			left[i]++
			if !kept {
				return false
			}
		}
		return any || keeps(left)
	}
	return lose(left, int64(ask.Value(o.Spare)))
}
