package traffic_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/traffic"
)

// A series becomes the record that a file of the same rows would be: values are
// those of the interval before their time, and a gap stands at the greater side.
func TestSeriesRecord(t *testing.T) {
	monday := float64(time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC).Unix())
	s := &traffic.Series{Width: 3600}
	for hour := range 48 {
		if hour == 30 || hour == 31 {
			continue
		}
		s.End, s.Rate = append(s.End, monday+float64(hour+1)*3600), append(s.Rate, float64(hour%24+1))
	}
	r, err := s.Record()
	if err != nil {
		t.Fatal(err)
	}
	c := r.Curve()
	if r.Days() != 2 || len(r.Gaps) != 1 || c.Start[0] != monday || c.End != monday+48*3600 || !c.Clock {
		t.Fatalf("%d days, gaps %v, from %v to %v", r.Days(), r.Gaps, c.Start[0]-monday, c.End-monday)
	}
	at, err := c.RateAt(monday + 30.5*3600)
	if err != nil || at != 9 {
		t.Errorf("in the gap %v %v, want the 9 after it", at, err)
	}
	if !slices.ContainsFunc(c.Notes, func(n string) bool {
		return strings.Contains(n,
			"2026-11-17 06:00 to 2026-11-17 08:00")
	}) {
		t.Errorf("the gap is not named: %q", c.Notes)
	}
	day, err := r.Day(traffic.Level{Percentile: 1})
	if err != nil || len(day.Start) != 24 || day.Rate[5] != 6 {
		t.Errorf("day %+v %v", day, err)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	s.Zone = berlin
	if r, err = s.Record(); err != nil || r.Intervals[0].Wall != monday+3600 {
		t.Errorf("in Berlin the first interval begins at %v %v", r.Intervals[0].Wall-monday, err)
	}
	for name, bad := range map[string]*traffic.Series{
		"nil":      nil,
		"one":      {End: []float64{1}, Rate: []float64{1}, Width: 1},
		"lengths":  {End: []float64{1, 2}, Rate: []float64{1}, Width: 1},
		"backward": {End: []float64{2, 1}, Rate: []float64{1, 1}, Width: 1},
		"negative": {End: []float64{1, 2}, Rate: []float64{1, -1}, Width: 1},
		"NaN":      {End: []float64{1, 2}, Rate: []float64{1, math.NaN()}, Width: 1},
		"width":    {End: []float64{1, 2}, Rate: []float64{1, 1}},
	} {
		if _, err := bad.Record(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
