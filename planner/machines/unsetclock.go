package machines

import (
	"math"
	"time"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// longAbsence is the number of days without a sample beyond which a wrong clock
// is likelier than a machine that was gone.
const longAbsence = 3 * 365

// askAboutClock warns of times without a sample that are so long that a wrong clock is likely. If
// less is known before the longest than after it, what is before it is left out: a record of decades
// with nothing in it is slow, and says that the machine is away for most of its life.
func (l *Labelled) askAboutClock() {
	h := l.History
	for {
		gap := smp.Run{Steps: int64(longAbsence * 86400 / h.Period)}
		after, known, before := 0, int64(0), int64(0) // steps with a sample, and those before the gap
		for i, run := range h.Runs {
			if i > 0 {
				end := h.Runs[i-1].End()
				if hole := run.First - end; hole > gap.Steps {
					gap, after, before = smp.Run{First: end, Steps: hole}, i, known
				}
			}
			switch {
			case run.State != smp.S5:
				known += run.Steps
			case run.Steps > gap.Steps:
				gap, after, before = run, i+1, known
			}
		}
		if after == 0 {
			return
		}
		without := ask.Sprintf("no sample for %s days from %s on: perhaps the clock of the machine was not set",
			ask.Digits(math.Round(float64(gap.Steps)*h.Period/86400)), l.Moment(gap.First).Format(time.RFC3339))
		if before >= known-before {
			l.Warnings = append(l.Warnings, without)
			return
		}
		l.Warnings = append(l.Warnings, without+"; what is before it is left out")
		h.Runs, l.Resumed = h.Runs[after:], false
	}
}
