package bags

import (
	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/bags/internal/attempts"
)

// leastStragglers is the number of stragglers below which there are none.
const leastStragglers = 1e-3

// stragglers returns how many of the units that are done ahead of those followed, and given out evenly until a time,
// are not done by a time within the span after it. Most are done soon, but some are left as more of their results wait
// for machines that are away than can be spared: of 2,823 tasks of 60 s on 228 machines that stay away for hours the
// 95 % point was 27 % early without them (B1 of TestFinishOfStragglers in package planner/bags). Until the slowest
// result can be back, units count as those of that age do, since what is under way is done at the constant rate.
func (q *quorum) stragglers(paces []pace, out *handedOut, units, until, span float64) func(t float64) float64 {
	if units < leastStragglers || until <= 0 || q.course.Down == nil {
		return func(float64) float64 { return 0 }
	}
	left := q.leftBy(paces, out)
	if units*left.F[q.slowestCell(left.Step)] < leastStragglers {
		return func(float64) float64 { return 0 }
	}
	left = q.leftBy(q.paces((until+span)/(flowCells-1)), out)
	slowest := q.slowestCell(left.Step)
	sum := attempts.Grid{Step: left.Step, F: make([]float64, len(left.F))} // the integral over the age
	for i := range left.F[1:] {
		sum.F[i+1] = sum.F[i] + left.Step*(left.F[max(i, slowest)]+left.F[max(i+1, slowest)])/2
	}
	return func(t float64) float64 { return units / until * (sum.At(max(0, t)) - sum.At(max(0, t-until))) }
}

// slowestCell returns the first cell of an age at which the slowest result can be back.
func (q *quorum) slowestCell(step float64) int {
	return min(flowCells-1, int(q.times.Slowest()/step)+1)
}

// leftBy returns the chance that a unit is not done, by its age, if its results go to machines as they do on average.
func (q *quorum) leftBy(paces []pace, out *handedOut) attempts.Grid {
	room := attempts.Rooms.Get().(*attempts.Room)
	defer room.Leave()
	average, given := make([]mix, len(paces)), floats.Sum(out.starts)
	for k, n := range out.starts {
		for p := range out.mixes[k] {
			for a, share := range out.mixes[k][p] {
				average[p][a] += n / given * share
			}
		}
	}
	like := paces[0].laws[0].Kept
	result := attempts.Grid{Step: like.Step, F: room.Zeros(len(like.F))}
	mixed(result.F, ofAll(paces, room), average)
	left := attempts.Grid{Step: like.Step, F: make([]float64, len(like.F))}
	attempts.Missed(left.F, result.F, attempts.Again(result, q.rules.Deadline+out.again).F, 0)
	of := attempts.Quorum{Results: q.rules.Results, Wanted: q.rules.Quorum}
	chances := make([]float64, min(of.Results, attempts.MostApart))
	for i, missing := range left.F {
		for j := range chances {
			chances[j] = missing
		}
		left.F[i] = 1 - of.Back(chances)
	}
	return left
}
