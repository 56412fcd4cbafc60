package attempts

import "math"

// flowSpeeds is the number of speeds of a flow, into which the machines are merged: most
// of them into mostSpeeds, or fewSpeeds if no task waits for a machine; the slow ones, for which
// the last tasks may wait (all machines, if the bag has fewer than slowTasks tasks), into the
// others; and the slowest, where the law of speeds is cut, into one.
//
// If machines do fewer than slowWaves tasks, slow ones are done soon after the others or a whole
// task of theirs later, as their speed is: these are merged over ratios of slowRatio at most, into
// mostSlow at most. Of 1371 tasks of 940 s on 366 machines whose speeds spread by .25 the median was
// 9 % late with 6 slow speeds, and 16 % early if these do not leave; of 32 tasks on 106 machines that spread by .3
// it was 8 % early with 12 (A9 of TestFinishOfUnseenBags in package planner/bags).
const (
	flowSpeeds = 15
	mostSpeeds = 8
	fewSpeeds  = 2

	slowTasks  = 20   // tasks of the bag that are on slow machines
	fewestSlow = 0.02 // tasks on machines that are too few to be told apart
	slowWaves  = 20
	slowRatio  = 1.07
	fewRatio   = 1.12 // if no task waits
	mostSlow   = 22
)

// OfFlow returns the times of a task on the machines of a flow of so many tasks, of which there are so many.
func (t Times) OfFlow(tasks, there float64) Times {
	w := Sorted(t)
	if len(w) <= flowSpeeds {
		return w
	}
	// from returns the index from which on the slower machines have this many tasks.
	from := func(wanted float64) int {
		sum := 0.0
		for i := len(w) - 1; i > 0; i-- {
			if sum += tasks * w[i].Share; sum >= wanted {
				return i
			}
		}
		return 0
	}
	slowest, slow, most, ratio := from(fewestSlow), from(slowTasks), mostSpeeds, slowRatio
	if 2*tasks <= there { // none waits
		most, ratio = fewSpeeds, fewRatio
	}
	out := Merged(w[:slow], most)
	parts := flowSpeeds - 1 - len(out)
	if slow < slowest && tasks < slowWaves*there {
		apart := math.Log(w[slowest-1].Speed/w[slow].Speed) / math.Log(ratio)
		parts = max(parts, min(mostSlow, int(math.Ceil(apart))))
	}
	out = append(out, Merged(w[slow:slowest], parts)...)
	return append(out, Merged(w[slowest:], 1)...)
}
