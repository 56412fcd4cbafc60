package bags

import (
	"math"
	"slices"
	"sort"
)

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
func (m *model) speeds() times {
	w := sorted(m.times)
	if len(w) <= flowSpeeds {
		return w
	}
	// From the slowest on, where so many tasks are on slower machines.
	from := func(tasks float64) int {
		sum := 0.0
		for i := len(w) - 1; i > 0; i-- {
			if sum += m.n * w[i].share; sum >= tasks {
				return i
			}
		}
		return 0
	}
	slowest, slow := from(fewestSlow), from(slowTasks)
	out := merged(w[:slow], mostSpeeds)
	out = append(out, merged(w[slow:slowest], slowSpeeds)...)
	return append(out, merged(w[slowest:], 1)...)
}

// sorted are times from the shortest on.
func sorted(w times) times {
	out := slices.Clone(w)
	sort.Slice(out, func(i, j int) bool { return out[i].speed < out[j].speed })
	return out
}

// merged takes times together to at most so many, by order, with equal spans of
// their logarithm, so that the few slow ones stay apart.
func merged(w times, most int) times {
	if len(w) <= most {
		return w
	}
	w = sorted(w)
	low, high := w[0].speed, w[len(w)-1].speed
	out := make(times, 0, most)
	k, share, sum := 0, 0.0, 0.0
	for i, n := range w {
		share += n.share
		sum += n.share * n.speed
		end := low * math.Pow(high/low, float64(k+1)/float64(most))
		if i == len(w)-1 || w[i+1].speed > end {
			if share > 0 {
				out = append(out, node{share, sum / share})
			}
			share, sum = 0, 0
			for i < len(w)-1 && w[i+1].speed > low*math.Pow(high/low, float64(k+1)/float64(most)) {
				k++
			}
		}
	}
	return out
}
