package backtest

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
)

// What a submission time takes is foreseen by, in nanoseconds of one processor for each machine, as measured on
// machines of an hour and of five minutes a step.
const (
	momentWork = 1500
	jobWork    = 100 // and for each length of job
	windowWork = 10  // and for each day of its record
	loadWork   = 3   // and for each step of the horizon on it, where loads are known
)

// mostReplayed bounds what the submission times that nobody asked for take, in nanoseconds of one processor.
const mostReplayed = 12e9

// usualTimes is how many submission times there are where nobody says, and fewestTimes how many at least.
const usualTimes, fewestTimes = 60, 5

// times is how many submission times there are: fewer than usual where nobody asked for as many and they would take
// more than the bound.
func (r *replay) times() int {
	if r.q.Times > 0 {
		return r.q.Times
	}
	one := 0.0
	for i, l := range r.hosts {
		days, _ := knownDays(l)
		day := float64(windowWork)
		if r.loaded(i) {
			day += loadWork * float64(r.horizon)
		}
		one += momentWork + jobWork*float64(len(r.lengths)) + day*days
	}
	few := max(fewestTimes, int(mostReplayed/math.Max(one, 1)))
	if few >= usualTimes {
		return usualTimes
	}
	ask.Warn(&r.warnings, "jobs come at %d times and not at %d, which of so large a fleet would take some %s of "+
		"computing: ask for more times to have them", few, usualTimes, ask.Time(math.Round(usualTimes*one/1e9)))
	return few
}
