package sizing

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// A curve from 8 to 18 o'clock repeats after ten hours. Its answer says what that
// asks of the opening, which is what the same day with its night closed asks less.
func TestCurveShorterThanADaySaysThatItRepeats(t *testing.T) {
	const hour = 3600
	open := &traffic.Curve{Start: []float64{8 * hour, 10 * hour, 16 * hour}, Rate: []float64{0.5, 1, 0.5}, End: 18 * hour}
	closed := &traffic.Curve{Start: append([]float64{0}, append(open.Start, open.End)...), Rate: []float64{0, 0.5, 1, 0.5, 0}, End: 24 * hour}
	ask := func(c *traffic.Curve, m StaffingMethod) (*SizeAnswer, []string) {
		a := size(t, &SizeQuestion{
			Traffic:    Traffic{Curve: c, ServiceTime: rng[units.Duration](t, "1h")},
			Objectives: Objectives{MaxBlocking: parse[units.Fraction](t, "1%")}, Staffing: m,
		})
		return a, slices.DeleteFunc(slices.Clone(a.Warnings), func(w string) bool { return !strings.Contains(w, "repeats") })
	}
	for _, m := range []StaffingMethod{MOL, LaggedSIPP} {
		a, said := ask(open, m)
		night, silent := ask(closed, m)
		if less, more := night.Staffing.Intervals[1].Servers, a.Staffing.Intervals[0].Servers; less >= more || len(said) != 1 ||
			!strings.Contains(said[0], "would need fewer") || !strings.Contains(said[0], "14 h until the next day") ||
			!strings.Contains(said[0], "the interval from 08:00 needs "+fmt.Sprintf("%d instead of %d;", less, more)) {
			t.Errorf("%s: %d servers at the opening, %d after a closed night: %q", m, more, less, said)
		}
		if len(silent) > 0 {
			t.Errorf("%s, a whole day: %q", m, silent)
		}
	}
	if _, said := ask(open, SIPP); len(said) > 0 {
		t.Errorf("SIPP: %q", said)
	}
	open.Rate = []float64{0.5, 1, 0}
	if _, said := ask(open, MOL); len(said) != 1 {
		t.Errorf("two hours run off: %q", said)
	}
}
