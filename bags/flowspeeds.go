package bags

import "github.com/capplan/capplan/bags/internal/attempts"

// flowSpeeds is to how many speeds the machines of a flow are taken together: most of
// them to eight, or fewSpeeds where none waits for a machine, those by which the last tasks
// may wait to the others (of fewer tasks than slowTasks these are all), and the slowest
// alone, where the law of speeds is cut.
const (
	flowSpeeds = 15
	mostSpeeds = 8
	fewSpeeds  = 2

	slowTasks  = 20   // of the bag that are on slow machines
	fewestSlow = 0.02 // tasks on machines that are too few to be told apart
)

// speeds are the times of a task on the machines of a flow.
func (m *model) speeds() attempts.Times {
	w := attempts.Sorted(m.times)
	if len(w) <= flowSpeeds {
		return w
	}
	// From the slowest on, where so many tasks are on slower machines.
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
