package ishare

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/papers/paper"
)

// Figure 7 of hand-made days: 2 failures an hour on weekdays, 1 on weekends, twice as
// many after 10:00.
func TestHourWords(t *testing.T) {
	a := &paper.Reproduction{}
	for kind, name := range []string{"weekday", "weekend"} {
		for h := 1; h <= 24; h++ {
			x, v := float64(h), float64(2-kind)
			if h > 10 {
				v *= 2
			}
			if h == 5 {
				v = 20 // updatedb
			}
			low, high := v/2, v*3/2
			a.Rows = append(a.Rows, paper.Row{Quantity: "failures in the hour, " + name, X: &x, Computed: &v, Low: &low, High: &high})
		}
	}
	hourWords(a)
	got := a.Rows[48:]
	if len(got) != 3 || *got[0].Computed != 2 || got[0].Verdict != paper.Agrees || *got[1].Computed != 14 || got[1].Verdict != paper.Agrees ||
		math.Abs(*got[2].Computed-0.5) > 1e-12 || got[2].Verdict != paper.CannotBeTold {
		t.Errorf("%+v", got)
	}
}
