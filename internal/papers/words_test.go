package papers

import (
	"math"
	"testing"

	"github.com/capplan/capplan/sim/pool"
)

// A job of two hours from half past the first is in service in half of the first hour,
// all of the second and half of the third.
func TestHourlyLoads(t *testing.T) {
	got := hourlyLoads(pool.Log{{At: 1800, Work: 7200}, {At: 3 * 3600, Work: 1}})
	for i, want := range []float64{0.5, 1, 0.5, 1. / 3600} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("hour %d: %v, want %v", i, got[i], want)
		}
	}
}

// What the text says in words is judged by the numbers of the figure, and one that
// chance may have made cannot be told.
func TestTells(t *testing.T) {
	for _, c := range []struct {
		difference, half float64
		want             Verdict
	}{{2, 1, Agrees}, {-2, 1, Differs}, {0.5, 1, CannotBeTold}, {-0.5, 1, CannotBeTold}, {1, math.NaN(), CannotBeTold}} {
		a := &Reproduction{}
		if a.tells(c.difference, c.half, "quantity", "", ""); a.Rows[0].Verdict != c.want {
			t.Errorf("%v ± %v: %q, want %q", c.difference, c.half, a.Rows[0].Verdict, c.want)
		}
	}
}

// Figure 7 of hand-made days: 2 failures an hour on weekdays, 1 on weekends, twice as
// many after 10:00.
func TestHourWords(t *testing.T) {
	a := &Reproduction{}
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
			a.Rows = append(a.Rows, Row{Quantity: "failures in the hour, " + name, X: &x, Computed: &v, Low: &low, High: &high})
		}
	}
	a.hourWords()
	got := a.Rows[48:]
	if len(got) != 3 || *got[0].Computed != 2 || got[0].Verdict != Agrees || *got[1].Computed != 14 || got[1].Verdict != Agrees ||
		math.Abs(*got[2].Computed-0.5) > 1e-12 || got[2].Verdict != CannotBeTold {
		t.Errorf("%+v", got)
	}
}
