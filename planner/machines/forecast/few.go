package forecast

import (
	"fmt"

	"github.com/capplan/capplan/planner/ask"
)

// fewMachines is the number below which the law of frailties rests on little.
const fewMachines = 10

// fewFailures is the number below which the hazard itself rests on little: of three the
// limits of 90 % are a fourth and two and a half times what was seen.
const fewFailures = 3

// few warns of a fleet of few machines or few failures. A single machine says
// nothing of differences.
func (f *Fleet) few() []string {
	var out []string
	switch n := len(f.Records); {
	case n == 1:
		out = append(out, "1 machine tells nothing of how unlike machines of a fleet are")
	case n < fewMachines:
		out = append(out, fmt.Sprintf("%d machines tell little of how unlike machines of a fleet are", n))
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
			"no failure was ever seen, in %s machine-days: the hazard is taken for half a failure by that time, at any age and hour",
			watched,
		)}
	case failures < fewFailures:
		return []string{fmt.Sprintf("%d failure(s) in %s machine-days tell little of the hazard", failures, watched)}
	}
	return nil
}
