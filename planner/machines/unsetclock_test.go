package machines

import (
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/smp"
)

// A few samples before the clock was set are left out, and say so. If more is known before the gap
// than after it, or the gap may be true, all stays.
func TestSamplesBeforeTheClockWasSet(t *testing.T) {
	const set, year = 1704067200, 365 * 86400
	for _, c := range []struct {
		name          string
		early, late   int
		gap           float64
		warned, leave bool
	}{
		{"unset", 3, 288, set, true, true},
		{"unset later", 288, 3, set, true, false},
		{"two years", 3, 288, 2 * year, false, false},
	} {
		for _, unwatched := range []bool{false, true} {
			l := &Labelling{Unwatched: unwatched}
			r := l.NewRecorder("m")
			for i := range c.early + c.late {
				at := 300 * float64(i)
				if i >= c.early {
					at += c.gap
				}
				if err := r.Add(smp.Sample{Time: at, Load: 0.1, FreeMemory: math.NaN()}); err != nil {
					t.Fatal(err)
				}
			}
			got, err := r.Labelled()
			if err != nil {
				t.Fatal(err)
			}
			warnings := strings.Join(got.Warnings, "\n")
			if warned := strings.Contains(warnings, "clock of the machine was not set"); warned != c.warned {
				t.Errorf("%s, unwatched %v: warned %v of the clock, want %v: %q", c.name, unwatched, warned, c.warned, warnings)
			}
			if strings.Contains(warnings, "left out") != c.leave {
				t.Errorf("%s, unwatched %v: want left out %v in %q", c.name, unwatched, c.leave, warnings)
			}
			first := got.Moment(got.History.Runs[0].First).Unix()
			if want := int64(c.early) * 300; c.leave && first != set+want || !c.leave && first != 0 {
				t.Errorf("%s, unwatched %v: the record begins at %d", c.name, unwatched, first)
			}
		}
	}
}
