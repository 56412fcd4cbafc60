package bags

import "github.com/capplan/capplan/bags/internal/attempts"

// flowSpeeds is the greatest number of speeds of a flow, into which the machines are merged: most
// of them into mostSpeeds, or fewSpeeds if no task waits for a machine; the slow ones, for which
// the last tasks may wait (all machines, if the bag has fewer than slowTasks tasks), into the
// others; and the slowest, where the law of speeds is cut, into one.
const (
	flowSpeeds = 15
	mostSpeeds = 8
	fewSpeeds  = 2

	slowTasks  = 20   // tasks of the bag that are on slow machines
	fewestSlow = 0.02 // tasks on machines that are too few to be told apart
)

// speeds returns the times of a task on the machines of a flow.
func (m *model) speeds() attempts.Times {
	w := attempts.Sorted(m.times)
	if len(w) <= flowSpeeds {
		return w
	}
	// from returns the index from which on the slower machines have this many tasks.
	from := func(tasks float64) int {
		sum := 0.0
		for i := len(w) - 1; i > 0; i-- {
			if sum += m.n * w[i].Share; sum >= tasks {
				return i
			}
		}
		return 0
	}
	slowest, slow, most := from(fewestSlow), from(slowTasks), mostSpeeds
	if 2*m.n <= m.there {
		most = fewSpeeds
	}
	out := attempts.Merged(w[:slow], most)
	out = append(out, attempts.Merged(w[slow:slowest], flowSpeeds-1-len(out))...)
	return append(out, attempts.Merged(w[slowest:], 1)...)
}
