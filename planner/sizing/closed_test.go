package sizing

import (
	"testing"

	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// In a night in which nobody comes servers stand for those who are still served, and for an
// hour or two of a service of minutes: a server stood there until the morning.
func TestNobodyStaffsAClosedNight(t *testing.T) {
	c := &traffic.Curve{End: 24 * 3600}
	for h := range 24 {
		rate := 0.
		if h >= 8 && h < 20 {
			rate = 2. / 60
		}
		c.Start, c.Rate = append(c.Start, float64(h)*3600), append(c.Rate, rate)
	}
	q := &SizeQuestion{
		Traffic:    Traffic{Curve: c, ServiceTime: units.Exactly(units.Duration(360)), Patience: new(units.Duration(180))},
		Objectives: Objectives{MaxWait: new(units.Duration(30)), Percentile: new(units.Percentile(0.8))},
	}
	a, err := Size(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	// The mean number in service falls from 12 by e in 6 min: below 0.01 after 43 min.
	for h, v := range a.Staffing.Intervals {
		open := h >= 8 && h < 20
		if want := open || h == 20; (v.Servers > 0) != want {
			t.Errorf("%d o'clock: %d servers, mean number in service %v, want some: %v", h, v.Servers, v.LoadMOL, want)
		}
	}
}
