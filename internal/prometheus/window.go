package prometheus

import (
	"cmp"
	"math"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A Window is a stretch of time, cut into steps.
type Window struct {
	End   float64 // s, Unix time
	Since float64 // s before End; 0: DefaultSince
	Step  float64 // s; 0: DefaultStep
}

// What is asked for where nothing is said: two weeks hold each day of the week
// twice. 5 minutes are the range of rate(...[5m]), as most queries have it.
const (
	DefaultSince = 14 * 86400.0
	DefaultStep  = 300.0
)

const (
	// perQuery is how many values of a series a server gives at a time: 11,000,
	// both ends counted.
	perQuery = 11_000
	// mostValues bounds what is kept of all series together, at 16 bytes each.
	mostValues = 8_000_000
)

// times are the moments of a window at which values are asked for: multiples of
// the step, so that the same question a little later meets the same moments, and
// the same cached answers of the server.
type times struct {
	first, step float64 // s
	n           int
}

func (t times) at(i int) float64 { return t.first + float64(i)*t.step }

// times checks the window. The first value, of the step before it, reaches back
// to End − Since. Errors: *ask.InputError of step, since or ending.
func (w Window) times() (times, error) {
	w.Since = cmp.Or(w.Since, DefaultSince)
	w.Step = cmp.Or(w.Step, DefaultStep)
	switch {
	case !(w.Step >= 0.001 && w.Step <= source.MaxSeconds):
		return times{}, ask.Inputf("step", "is %s, want a time of 1 ms or more such as 5min",
			units.FormatDuration(w.Step, 3))
	case !(w.Since >= 2*w.Step):
		return times{}, ask.Inputf("since", "%s is less than two steps of %s: want a longer one, or a shorter --step",
			units.FormatDuration(w.Since, 3), units.FormatDuration(w.Step, 3))
	case !(w.End > 0 && w.End <= source.MaxSeconds):
		return times{}, ask.Inputf("ending", "is not a time that a server knows, want one such as "+
			"2026-11-22T15:00:00Z")
	case w.Since > w.End:
		return times{}, ask.Inputf("since", "%s reach back before 1970", units.FormatDuration(w.Since, 3))
	}
	n := math.Floor(w.Since/w.Step + 1e-9)
	if n > mostValues {
		return times{}, ask.Inputf("step", "%s in steps of %s are %s values: want at most %s, with a longer step",
			units.FormatDuration(w.Since, 3), units.FormatDuration(w.Step, 3), units.FormatNumber(n, 3),
			units.FormatNumber(mostValues, 3))
	}
	// Milliseconds are what servers count in: a step of a third of a second is
	// asked for as it will be answered.
	step := math.Round(w.Step*1000) / 1000
	// Multiples of the step, counted from 1970.
	last := math.Floor(w.End/step+1e-9) * step
	return times{first: last - (n-1)*step, step: step, n: int(n)}, nil
}

// pieces cuts the times into those of one query each.
func (t times) pieces() []times {
	var all []times
	for from := 0; from < t.n; from += perQuery {
		all = append(all, times{first: t.at(from), step: t.step, n: min(perQuery, t.n-from)})
	}
	return all
}
