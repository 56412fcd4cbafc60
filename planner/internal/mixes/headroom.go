package mixes

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
)

// covering returns how many machines of one type are needed for enough of them to be left after
// every loss.
func (x *Model) covering(enough float64) int64 {
	return int64(math.Min(x.Room.Covers(math.Ceil(enough)), cover.MostCount))
}

// roomFor raises what mixes have to be worth by what they have to be able to
// lose. The fullest K of Z zones hold at least K/Z of the machines, so that from
// Σ wᵢleftᵢ ≥ R for what is left of nᵢ after every loss of k more follows
//
//	Σ wᵢnᵢ ≥ (R + k·min wᵢ)·Z/(Z − K)
func (x *Model) roomFor(worth float64, items []cover.Item) float64 {
	if x.Room == nil || !(worth > 0) {
		return worth
	}
	least := math.Inf(1)
	for _, it := range items {
		if it.Most > 0 {
			least = math.Min(least, it.Worth)
		}
	}
	return Raised(x.Room, worth, least)
}

// Raised returns the worth needed before a loss for a given worth to be left, if each machine lost
// besides the zones is worth one.
func Raised(room *sizing.Headroom, worth, one float64) float64 {
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
func (x *Model) reachesWithin(least, most []int64) bool {
	if x.Room == nil {
		return x.reaches(most)
	}
	low, high := x.Room.ZonesLeft(least), x.Room.ZonesLeft(most)
	spare := sizing.Headroom{Spare: x.Room.Spare}
	some := false
	for left := range spare.Losses(high) {
		every := true // mix can lose so many
		for i := range left {
			every = every && high[i]-left[i] <= low[i]
		}
		if some && !every {
			continue
		}
		reached := x.reaches(left)
		some = some || reached
		if every && !reached {
			return false
		}
	}
	return some
}

// better reports whether one machine of a type does at least what one of another
// does, at any time: in its place it never harms. That holds of every figure that more
// machines never harm, because for servers of speeds vᵢ and a load a
//
//	1/B = ∫ e^(−t) Π (1 + vᵢt/a) dt,  C = B/(1 − (1 − B)·a/Σvᵢ)
//
// so that loss and wait fall with each speed.
func (x *Model) better(i, j int) bool {
	a, b := &x.Kinds[i], &x.Kinds[j]
	return a.Speed >= b.Speed && a.Up >= b.Up && a.PerJob <= b.PerJob &&
		(a.Up == 1 || a.Outages == b.Outages || a.Outages.Groups == 0 && b.Outages.Groups == 0)
}

// losses yields what is left of a mix by its losses, but for those that do no more
// harm than another: of two machines the better one was left.
func (x *Model) losses(counts []int64) iter.Seq[[]int64] {
	all := x.Room.Losses(counts)
	if !x.Plain {
		return all
	}
	had := x.Room.ZonesLeft(counts)
	mild := func(left []int64) bool {
		for j := range left {
			for i := range left {
				if left[j] < had[j] && left[i] > 0 && x.better(i, j) && (i < j || !x.better(j, i)) {
					return true
				}
			}
		}
		return false
	}
	return func(each func(left []int64) bool) {
		for left := range all {
			if !mild(left) && !each(left) {
				return
			}
		}
	}
}

// leastLeft is what is left after the loss that takes the most worth.
func (x *Model) leastLeft(counts []int64) []int64 {
	if x.Room == nil {
		return counts
	}
	worth := make([]float64, len(counts))
	for i := range counts {
		worth[i] = x.Kinds[i].Up * x.Kinds[i].Speed / x.Kinds[i].PerJob
	}
	return DearestLost(x.Room, counts, worth)
}

// DearestLost is what is left of machines where the zones are lost, and of those
// left the ones worth the most.
func DearestLost(room *sizing.Headroom, counts []int64, worth []float64) []int64 {
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

// WorstLoss returns what is left of a mix after the loss that does the most harm to
// the tightest objective, and whether that meets them all. Losses are looked at from the one that takes
// the most worth on; see [Model.Warnings].
func (x *Model) WorstLoss(counts []int64) (left []int64, met bool) {
	least, had := math.Inf(1), x.Room.ZonesLeft(counts)
	all, stays := [][]int64(nil), []float64(nil)
	for after := range x.losses(counts) {
		all, stays = append(all, slices.Clone(after)), append(stays, 0)
		for i, n := range after {
			stays[len(stays)-1] += x.Kinds[i].Up * x.Kinds[i].Speed / x.Kinds[i].PerJob * float64(n)
		}
	}
	places, first, begun, cut := make([]int, len(all)), 0, x.work.Steps, false
	floats.ArgsortStable(stays, places)
	for k, i := range places {
		if cut = x.beyond(begun, k); cut {
			x.worstOf = k
			break
		}
		slack, _, _, ok := x.slackAfter(had, all[i], 0)
		if !ok {
			slack = x.slack(x.floats(all[i]), x.all)
		}
		if left == nil || slack < least || slack == least && i < first {
			least, left, first = slack, all[i], i
		}
	}
	return left, x.keeps(nil, left) && (!cut || x.Meets(counts))
}

// lossSteps are those after which no more losses of a mix are looked at, and briefShare of them where few are
// made. Tests lower it.
var lossSteps = 2e9

const briefShare = 0.05

// beyond reports whether more steps were made since it was begun than losses are given; one is always looked at.
func (x *Model) beyond(begun float64, looked int) bool {
	most := lossSteps
	if x.brief {
		most *= briefShare
	}
	return x.work.Steps > begun+most && looked > 0
}

// Warnings says what the limit of work left out.
func (x *Model) Warnings() (all []string) {
	if x == nil {
		return nil
	}
	if x.worstOf > 0 {
		all = append(all, fmt.Sprintf("the worst loss is that of the %d that take the most speed: to look at all exceeds "+
			"the limit of work; check what another one leaves as a fleet of its own, without spare", x.worstOf))
	}
	if x.heldTo > 0 {
		all = append(all, fmt.Sprintf("after %d losses the others were not held to the objectives, which exceeds the limit "+
			"of work: mixes of which they are not known count as missing them, and a shortfall is that of those losses; "+
			"check what a loss leaves as a fleet of its own, without spare", x.heldTo))
	}
	if x.gap > 0 {
		all = append(all, ask.Sprintf(
			"the shortfall is too great by up to %.2g servers: computing it better exceeds the limit of work", x.gap))
	}
	return all
}

// slackAfter is [unlike.MixTable.SlackAfter] of all objectives for what a loss leaves of machines,
// with further servers of speed 1.
func (x *Model) slackAfter(had, left []int64, servers float64) (least float64, met, missed, ok bool) {
	if had == nil || slices.Equal(had, left) || x.loss != nil || x.alike || x.tabled() == nil {
		return 0, false, false, false
	}
	before, after := x.floats(had), x.floats(left)
	before[len(before)-1], after[len(after)-1] = servers, servers
	return x.table.SlackAfter(before, after, x.all)
}

// meetsAfterAny reports whether mixes of so many types that their losses take long meet the objectives
// beyond doubt after all of them; false tells nothing.
func (x *Model) meetsAfterAny(had []int64) bool {
	if !x.Plain || x.loss != nil || x.alike || x.Room.Spare == 0 || x.tabled() == nil {
		return false
	}
	return x.table.MeetsAfterAny(x.floats(had), float64(x.Room.Spare), x.all)
}
