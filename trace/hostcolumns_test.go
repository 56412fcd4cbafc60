package trace

import (
	"math"
	"strings"
	"testing"
	"time"
)

// A file of a monitor as people have it: other names, local times, memory in
// percent, a column that says whether the machine answered and one whether the
// monitor ran.
func TestReadHostColumns(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	columns, err := ParseHostColumns("time=when, host=node,cpu=util,used_percent=mem,alive=up,watched=seen")
	if err != nil {
		t.Fatal(err)
	}
	form, err := ParseTimeFormat("%d.%m.%Y %H:%M")
	if err != nil {
		t.Fatal(err)
	}
	text := "node,when,util,mem,up,seen,note\n" +
		"a,01.07.2024 12:00,25,75,1,1,\n" + // 10:00 UTC in summer
		"a,01.07.2024 12:05,,,down,yes,power\n" +
		"a,01.07.2024 12:10,,,,0,\n" +
		"a,01.07.2024 12:15,30,120,up,,\n" + // more promised than there is
		"a,01.07.2024 12:20,30,10,maybe,,\n" +
		"a,2024-07-01,30,10,1,1,\n"
	got, log, err := readHost(text, HostTraceOptions{Percent: true, Columns: columns, Time: form, Zone: berlin, TotalMB: 16000})
	if err != nil {
		t.Fatal(err)
	}
	at := float64(time.Date(2024, 7, 1, 10, 0, 0, 0, time.UTC).Unix())
	want := []Sample{
		{0, "a", 2, at, 0.25, 4000, true, false, false},
		{0, "a", 3, at + 300, 0, 0, false, true, false},
		{0, "a", 4, at + 600, 0, 0, false, false, true},
		{0, "a", 5, at + 900, 0.3, 0, true, false, false},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	if log.Malformed.Value != 2 {
		t.Errorf("%+v", log.Malformed)
	}
}

// Without a mapping the further columns go by their own names; percentages need the
// memory that they are of.
func TestReadHostOwnColumns(t *testing.T) {
	got, _, err := readHost("time,alive\n60,1\n120,0\n", HostTraceOptions{Columns: map[string]string{"alive": "alive"}})
	if err != nil || len(got) != 2 || got[0].Down || !got[1].Down {
		t.Errorf("%+v, %v", got, err)
	}
	for _, c := range []struct {
		text string
		o    HostTraceOptions
		want string
	}{
		{"time,cpu,free_percent\n60,0.5,50\n", HostTraceOptions{}, "column 3 is a free_percent of a memory that is not said"},
		{"time,cpu\n60,0.5\n", HostTraceOptions{Columns: map[string]string{"host": "node"}}, `no column "node"`},
		{"ts,cpu\n60,0.5\n", HostTraceOptions{}, `unknown column "ts"`},
		{"time,cpu\n01.02.2024,0.5\n", HostTraceOptions{Time: TimeFormat{layout: "2006-01-02"}}, "not of the form"},
	} {
		if _, log, err := readHost(c.text, c.o); err == nil || !strings.Contains(err.Error()+log.text(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func (l *SampleLog) text() string {
	var all []string
	for _, e := range l.Malformed.First {
		all = append(all, e.Error())
	}
	return strings.Join(all, "; ")
}

func TestParseTimeFormat(t *testing.T) {
	for _, c := range []struct {
		form, cell string
		want       float64
	}{
		{"ms", "1700000000500", 1700000000.5},
		{"us", "1700000000000000", 1700000000},
		{"unix", "1700000000", 1700000000},
		{"%Y-%m-%d %H:%M:%S", "2023-11-14 22:13:20", 1700000000},
		{"%b %e, %Y %I:%M:%S %p", "Nov 14, 2023 10:13:20 PM", 1700000000},
		{"%Y%m%d%H%M%S%z", "20231114231320+0100", 1700000000},
		{"%FT%T", "2023-11-14T22:13:20.25", 1700000000.25},
	} {
		f, err := ParseTimeFormat(c.form)
		if err != nil {
			t.Errorf("%s: %v", c.form, err)
			continue
		}
		if got, ok := f.read([]byte(c.cell), nil); !ok || math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s of %q: %v, %v", c.form, c.cell, got, ok)
		}
	}
	for _, text := range []string{"", "days", "%Q", "%", "%H 15", "2006-01-02"} {
		if f, err := ParseTimeFormat(text); err == nil {
			t.Errorf("%q: %+v", text, f)
		}
	}
	for _, text := range []string{"", "time", "time=", "tim=x", "time=a,time=b", "time=a,cpu=a", "=x"} {
		if c, err := ParseHostColumns(text); err == nil {
			t.Errorf("%q: %v", text, c)
		}
	}
}
