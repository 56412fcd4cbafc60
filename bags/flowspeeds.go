package bags

import "github.com/capplan/capplan/bags/internal/attempts"

// flowSpeeds is to how many speeds the machines of a flow are taken together: most of
// them to eight, those by which the last tasks may wait to six, and the slowest alone,
// where the law of speeds is cut.
const (
	flowSpeeds = mostSpeeds + slowSpeeds + 1
	mostSpeeds = 8
	slowSpeeds = 6

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
	slowest, slow := from(fewestSlow), from(slowTasks)
	out := attempts.Merged(w[:slow], mostSpeeds)
	out = append(out, attempts.Merged(w[slow:slowest], slowSpeeds)...)
	return append(out, attempts.Merged(w[slowest:], 1)...)
}
