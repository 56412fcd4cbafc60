package forecast

import (
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp/frailty"
	"github.com/capplan/capplan/units"
)

// fewMachines is the number below which the law of frailties rests on little.
const fewMachines = 10

// fewFailures is the number below which the hazard itself rests on little: of three the
// limits of 90 % are a fourth and two and a half times what was seen.
const fewFailures = 3

// unseen warns of a window that a machine of a given age, or of any, spends at ages beyond all that were
// seen.
func (f *Fleet) unseen(w frailty.Window, given bool) []string {
	oldest := -1
	for i := range f.Records {
		f.Records[i].Exposure.Each(func(age, _ int, n int64) {
			if n > 0 {
				oldest = max(oldest, age%(frailty.Ages/2))
			}
		})
	}
	until := w.Steps
	if given {
		until += w.Age.Steps
	}
	// Ages of bin b are below 2^b steps.
	if oldest < 0 || oldest == frailty.Ages/2-1 || until <= 1<<oldest {
		return nil
	}
	length := func(steps int64) string { return units.FormatDuration(float64(steps)*f.Hazard.Period, 3) }
	return []string{fmt.Sprintf(
		"no stay of %s was ever seen to continue, and this one would last %s: beyond the ages seen, the hazard is "+
			"assumed to keep falling as it does between them",
		length(1<<oldest), length(until),
	)}
}

// few warns of a fleet of few machines or few failures. A single machine says
// nothing of differences.
func (f *Fleet) few() []string {
	var out []string
	switch n := len(f.Records); {
	case n == 1:
		out = append(out, "1 machine does not show how much the machines of a fleet differ")
	case n < fewMachines:
		out = append(out, fmt.Sprintf("%d machines show little of how much the machines of a fleet differ", n))
	}
	return append(out, f.Seldom()...)
}

// Seldom warns of a fleet in which hardly anything was ever seen to fail: chances to stay
// free then rest on how long that was, and their bands say how little it is.
func (f *Fleet) Seldom() []string {
	if f == nil {
		return nil
	}
	failures, half := int64(0), int64(0)
	for i := range f.Records {
		failures += f.Records[i].Failures.Total()
		half += f.Records[i].Exposure.Total()
	}
	watched := ask.Digits(float64(half) / 2 * f.Hazard.Period / 86400)
	switch {
	case failures == 0:
		return []string{fmt.Sprintf(
			"no failure was seen in %s machine-days: the hazard assumes half a failure in that time, at any age and "+
				"hour",
			watched,
		)}
	case failures < fewFailures:
		return []string{fmt.Sprintf("%d failure(s) in %s machine-days say little about the hazard", failures, watched)}
	}
	return nil
}
