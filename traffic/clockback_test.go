package traffic_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/traffic"
)

// A zone lives an hour twice when its clocks are put back, half an hour on Lord Howe.
// Rows of the clock of the place are those of UTC: their order tells the passes apart,
// whether a time has one row or several.
func TestClocksPutBack(t *testing.T) {
	for _, at := range []struct{ zone, night string }{
		{"Europe/Berlin", "2026-10-24T20:00:00Z"}, {"Europe/London", "2026-10-24T20:00:00Z"},
		{"America/New_York", "2026-11-01T01:00:00Z"}, {"Australia/Lord_Howe", "2026-04-04T10:00:00Z"},
		{"Europe/Berlin", "2026-03-28T20:00:00Z"}, // put forward
	} {
		zone, err := time.LoadLocation(at.zone)
		if err != nil {
			t.Fatal(err)
		}
		start, err := time.Parse(time.RFC3339, at.night)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []int{10, 30} {
			for rows := 1; rows <= 2; rows++ {
				var local, utc strings.Builder
				local.WriteString("time,count\n")
				utc.WriteString("time,count\n")
				for i := range 12 * 60 / step {
					now := start.Add(time.Duration(i*step) * time.Minute)
					for range rows {
						fmt.Fprintf(&local, "%s,%d\n", now.In(zone).Format("2006-01-02 15:04"), 100+i)
						fmt.Fprintf(&utc, "%s,%d\n", now.Format(time.RFC3339), 100+i)
					}
				}
				name := fmt.Sprintf("%s from %s, %d rows each %d minutes", at.zone, at.night, rows, step)
				options := traffic.Options{Zone: zone}
				got, want := mustRead(t, local.String(), options), mustRead(t, utc.String(), options)
				if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
					t.Errorf("%s: %+v, in UTC %+v", name, got, want)
				}
			}
		}
	}
}

// A row per hour has no time before that of the row above: one that stands twice is of
// both passes. Where all times stand twice, they are rows of two machines.
func TestClocksPutBackByTheHour(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"time,count\n2026-10-25 01:00,7\n2026-10-25 02:00,7\n2026-10-25 02:00,7\n2026-10-25 03:00,7\n":                                         4,
		"time,count\n2026-10-25 01:00,3\n2026-10-25 01:00,4\n2026-10-25 02:00,3\n2026-10-25 02:00,4\n2026-10-25 04:00,7\n2026-10-25 05:00,7\n": 4,
		"time,count\n2026-10-25 03:00,7\n2026-10-25 02:00,7\n2026-10-25 01:00,7\n":                                                             3,
	} {
		r := mustRead(t, text, traffic.Options{Zone: berlin})
		if len(r.Intervals) != want {
			t.Errorf("%d intervals, want %d of\n%s", len(r.Intervals), want, text)
		}
		for _, v := range r.Intervals {
			if math.Abs(v.Rate*v.Width-7) > 1e-9 {
				t.Errorf("%v requests a second, want 7 in each hour of\n%s", v.Rate, text)
			}
		}
	}
}

// Intervals without a request are on the clock of the zone too, however far the next request is.
// The clock of the nearest request read those of up to half a day before a change one hour off.
func TestIntervalsOfFewRequestsKeepTheClock(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{"2006-01-02T15:04:05Z", "unix"} {
			var rows strings.Builder
			rows.WriteString("time,duration_s\n")
			for day := range 365 {
				now := time.Date(2026, 1, 1, 12, 7, 0, 0, time.UTC).AddDate(0, 0, day)
				if form == "unix" {
					fmt.Fprintf(&rows, "%d,1\n", now.Unix())
				} else {
					fmt.Fprintf(&rows, "%s,1\n", now.Format(form))
				}
			}
			record := mustRead(t, rows.String(), traffic.Options{Zone: zone, Interval: 1800})
			for _, v := range record.Intervals {
				_, offset := time.Unix(int64(v.Start), 0).In(zone).Zone()
				if v.Wall != v.Start+float64(offset) {
					t.Fatalf("%s, %s: the interval from %v is on %v by the clock, want %v", name, form, v.Start,
						v.Wall, v.Start+float64(offset))
				}
			}
		}
	}
}
