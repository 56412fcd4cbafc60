package backtest

import (
	"math"
	"testing"
	"time"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// No record shorter than a day is parted, over the change to summer time neither, so that those below
// shortDay need not be looked at.
func TestShortRecordsAreNotParted(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	parted := 0
	for _, window := range []float64{3600, 10 * 3600, 30 * 3600} {
		s, err := NewScoring(&ScoreQuestion{Day: "both", Windows: []float64{window}})
		if err != nil {
			t.Fatal(err)
		}
		for first := range 48 { // from Friday, 2024-03-29
			for hours := int(shortDay / 3600); hours < 26; hours++ {
				h := machines.Trace{Name: "m"}
				for i := range hours {
					h.Samples = append(h.Samples, smp.Sample{Time: 1711670400 + 3600*float64(first+i), FreeMemory: math.NaN()})
				}
				l, err := (&machines.Labelling{Location: berlin}).Label(&h)
				if err != nil {
					t.Fatal(err)
				}
				_, later, err := s.split(l, int(window/3600))
				switch {
				case err != nil:
					t.Fatal(err)
				case len(later) > 0 && hours < 23:
					t.Errorf("%d h from hour %d are parted by a window of %v s", hours, first, window)
				case len(later) > 0:
					parted++
				}
			}
		}
	}
	if parted == 0 {
		t.Error("no record of a day is parted: tells nothing")
	}
}
