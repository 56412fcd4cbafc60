package trace

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A zone lives an hour twice when its clocks are put back, half an hour on Lord Howe.
// Samples of the clock of the place are those of UTC, for each of several hosts.
func TestSamplesWhenClocksArePutBack(t *testing.T) {
	form, err := ParseTimeFormat("%d.%m.%Y %H:%M")
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []struct{ zone, night string }{
		{"Europe/Berlin", "2026-10-24T20:00:00Z"}, {"America/New_York", "2026-11-01T01:00:00Z"},
		{"Australia/Lord_Howe", "2026-04-04T10:00:00Z"},
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
		for _, step := range []int{5, 30, 60} {
			if step == 60 && at.zone == "Australia/Lord_Howe" {
				continue // a single sample within the half hour is of either pass
			}
			var local, own, utc strings.Builder
			for _, b := range []*strings.Builder{&local, &own, &utc} {
				b.WriteString("time,host,cpu\n")
			}
			for i := range 12 * 60 / step {
				now := start.Add(time.Duration(i*step) * time.Minute)
				for _, host := range []string{"a", "b"} {
					rest := fmt.Sprintf(",%s,%g\n", host, float64(i%20)/20)
					local.WriteString(now.In(zone).Format(time.DateTime) + rest)
					own.WriteString(now.In(zone).Format("02.01.2006 15:04") + rest)
					utc.WriteString(now.Format(time.RFC3339) + rest)
				}
			}
			want, _, err := readHost(utc.String(), HostTraceOptions{Zone: zone})
			if err != nil || len(want) != 2*12*60/step {
				t.Fatalf("%d samples, %v", len(want), err)
			}
			for text, o := range map[string]HostTraceOptions{
				local.String(): {Zone: zone}, own.String(): {Zone: zone, Time: form},
			} {
				got, log, err := readHost(text, o)
				if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s from %s each %d minutes: %d samples, want %d, %+v, %v", at.zone, at.night, step,
						len(got), len(want), log.Malformed, err)
				}
			}
		}
	}
}

// A row that stands twice is no second pass where samples are minutes apart, and rows
// with an offset mean what they say.
func TestSampleTwiceWhenClocksArePutBack(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"time,cpu\n2026-10-25 02:00:00,0\n2026-10-25 02:05:00,0\n2026-10-25 02:05:00,0\n2026-10-25 02:10:00,0\n" +
			"2026-10-25 02:00:00,0\n": 4,
		"time,cpu\n2026-10-25 02:00:00,0\n2026-10-25 02:00:00,0\n2026-10-25 02:10:00,0\n": 2,
		"time,cpu\n2026-10-25T02:10:00+02:00,0\n2026-10-25T02:05:00+02:00,0\n":            1,
	} {
		got, log, err := readHost(text, HostTraceOptions{Zone: berlin})
		if err != nil || len(got) != want {
			t.Errorf("%d samples, want %d, %+v, %v of\n%s", len(got), want, log.Malformed, err, text)
		}
	}
}
