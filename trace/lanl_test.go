package trace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zone of the clocks' change

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

const lanlHeader = "System,nodenumz,purpose,Prob Started,Prob Fixed,Down Time,Hardware\n"

func readLANL(text string, o LANLOptions) ([]Interval, *LANLLog, error) {
	var out []Interval
	log, err := ReadLANL(context.Background(), "f.csv", strings.NewReader(text), o, func(i Interval) error {
		out = append(out, i)
		return nil
	})
	return out, log, err
}

func TestReadLANL(t *testing.T) {
	text := lanlHeader +
		`2,0,"graphics, fe",1/2/1970 0:00,1/2/1970 1:00,60,CPU` + "\n" + // 2
		"2,1,compute,1/2/1970 0:30,1/2/1970 0:30,0,\n" + // 3
		"2,0,compute,1/2/1970 0:30,1/2/1970 2:00,91,\n" + // 4, joined, another down time
		"2,0,compute,1/2/1970 2:00,1/2/1970 3:00,60,\n" + // 5, joined
		"2,0,compute,1/2/1970 2:30,1/2/1970 2:40,10,\n" + // 6, within
		"2,0,compute,1/2/1970 5:00,1/2/1970 6:00,60,\n" + // 7
		"2,,compute,1/2/1970 5:00,1/2/1970 6:00,60,\n" + // 8, no node
		"2,0,compute,1/1/1970 5:00,1/1/1970 6:00,60,\n" + // 9, before
		"2,0,compute,1/3/1970 5:00,1/3/1970 4:00,60,\n" + // 10, backward
		"2,0,compute,13/1/1970 5:00,1/1/1971 6:00,60,\n" + // 11
		"2,0\n" // 12
	got, log, err := readLANL(text, LANLOptions{})
	const day, hour = 86400, 3600
	want := []Interval{
		{0, "2/0", 2, day, day + 3*hour, false, false, false},
		{0, "2/0", 6, day + 3*hour, day + 5*hour, true, false, false},
		{0, "2/0", 7, day + 5*hour, day + 6*hour, false, false, false},
		{1, "2/1", 3, day + hour/2, day + hour/2, false, false, false},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v, want %+v; %v", got, want, err)
	}
	m := log.Malformed
	if log.Rows != 6 || log.Joined != 3 || log.Skipped != 1 || log.DownTimeDiffers != 1 || log.Nodes != 2 || m.Overlap != 1 || m.Backward != 1 || m.Value != 1 || m.Columns != 1 {
		t.Errorf("%+v", log)
	}
	var o *OrderError
	if _, _, err := readLANL(text, LANLOptions{Strict: true}); !errors.As(err, &o) || o.Node != "2/0" || o.Line != 9 {
		t.Errorf("strict: %v", err)
	}
}

// A clock set back between start and end: the zone tells the hour that the
// clock times hide.
func TestReadLANLZone(t *testing.T) {
	zone, err := time.LoadLocation("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	text := lanlHeader + "9,9,,10/31/2004 0:30,10/31/2004 3:30,240,\n"
	// What is out of order is named by the file's own clock.
	_, _, err = readLANL(text+"9,9,,10/30/2004 22:15,10/30/2004 23:00,45,\n", LANLOptions{Strict: true, Location: zone})
	if want := "from 2004-10-30 22:15:00 MDT overlaps the one of line 2, which ends at 2004-10-31 03:30:00 MST"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	for location, want := range map[*time.Location]float64{nil: 180, zone: 240} {
		got, log, err := readLANL(text, LANLOptions{Location: location})
		if err != nil || (got[0].End-got[0].Start)/60 != want || log.DownTimeDiffers != map[bool]int{true: 1}[location == nil] {
			t.Errorf("%v: %+v, %+v, %v", location, got, log, err)
		}
	}
}

func TestReadLANLErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		err  error
		say  string
	}{
		{"System,nodenumz,Prob Started\n", source.ErrMalformed, `no column "Prob Fixed"`},
		{lanlHeader, ErrNoRows, "no usable row"},
		{lanlHeader + "2,,,1/2/1970 5:00,1/2/1970 6:00,60,\n", ErrNoRows, "1 without a value"},
		{"", source.ErrEmpty, "no content"},
	} {
		_, log, err := readLANL(c.text, LANLOptions{})
		sourcetest.CheckFileError(t, err, "f.csv", c.err, c.say, "want the failure records LA-UR-05-7318")
		if log == nil || log.File != "f.csv" {
			t.Errorf("log %+v", log)
		}
	}
	for _, text := range []string{"", "1/2/1970", "1/2/1970 5", "1/2/1970 5:60", "1/2/1970 24:00", "2/30/1970 5:00", "1-2-1970 5:00", "1/2/1970 5:00 AM", "/2/1970 5:00", "1/2/00001970 5:00", "1/2/0 5:00"} {
		if v, ok := parseSlashTime([]byte(text), time.UTC); ok {
			t.Errorf("%q = %v, want no time", text, v)
		}
	}
}

func FuzzReadLANL(f *testing.F) {
	f.Add(lanlHeader+"2,0,\"a\",1/2/1970 0:00,1/2/1970 1:00,60,CPU\n2,0,,1/2/1970 0:30,1/2/1970 2:00,90,\n2,0,,1/3/1970 0:30,1/3/1970 2:00,90,\n", false)
	f.Fuzz(func(t *testing.T, text string, strict bool) {
		got, log, err := readLANL(text, LANLOptions{Strict: strict})
		orderedIntervals(t, &log.TraceLog, got, err, strict)
	})
}

func BenchmarkReadLANL(b *testing.B) {
	var s strings.Builder
	s.WriteString(lanlHeader)
	for i := range 20000 {
		day := fmt.Sprintf("%d/%d/%d", 1+i/50/28%12, 1+i/50%28, 2001+i/50/28/12)
		fmt.Fprintf(&s, "2,%d,compute,%s 5:00,%s 5:30,30,CPU\n", i%50, day, day)
	}
	text := s.String()
	b.Run("failures=20000", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if log, err := ReadLANL(context.Background(), "f", strings.NewReader(text), LANLOptions{}, func(Interval) error { return nil }); err != nil || log.Rows != 20000 {
				b.Fatal(log.Rows, log.Malformed, err)
			}
		}
	})
}
