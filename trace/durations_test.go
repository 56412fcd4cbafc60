package trace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

func readDurations(text string, o DurationOptions) ([]Duration, *TraceLog, error) {
	var out []Duration
	log, err := ReadDurations(context.Background(), "d.csv", strings.NewReader(text), o, func(d Duration) error {
		out = append(out, d)
		return nil
	})
	return out, log, err
}

func TestReadDurations(t *testing.T) {
	for _, c := range []struct {
		text string
		unit string
		want []Duration
	}{
		{"duration_h\n1\n2.5+\n", "", []Duration{{3600, false, 2}, {9000, true, 3}}},
		{"censored,duration_min\n1,2\nFALSE,0\ntrue,3\n0,4+\n", "", []Duration{{120, true, 2}, {0, false, 3}, {180, true, 4}, {240, true, 5}}},
		{"# times\n6\n6 +\n 7+\n", "d", []Duration{{518400, false, 2}, {604800, true, 4}}},
		{"duration\n5\n\n", "ms", []Duration{{0.005, false, 2}}},
		{"duration_s\n5\n", "s", []Duration{{5, false, 2}}},
		{"\xef\xbb\xbf5+\r\n", "s", []Duration{{5, true, 1}}},
	} {
		got, log, err := readDurations(c.text, DurationOptions{Unit: c.unit})
		if err != nil || !slices.Equal(got, c.want) || log.Rows != len(c.want) {
			t.Errorf("%q: %+v, want %+v; %v", c.text, got, c.want, err)
		}
	}
	got, log, err := readDurations("duration_d,censored\n1,2\n-1,0\n,0\n200000,0\nx,0\n1\n7,1\n2,\n", DurationOptions{})
	if m := log.Malformed; err != nil || len(got) != 1 || m.Value != 3 || m.Range != 2 || m.Columns != 1 || log.Skipped != 1 || log.First != 604800 {
		t.Errorf("%+v, %+v, %v", got, log, err)
	}
}

func TestReadDurationsErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		unit string
		err  error
		say  string
	}{
		{"5\n", "", source.ErrMalformed, "no unit"},
		{"duration\n5\n", "", source.ErrMalformed, "no unit"},
		{"duration_weeks\n5\n", "", source.ErrMalformed, `unknown unit "weeks"`},
		{"duration_h\n5\n", "s", source.ErrMalformed, "the file is in h, not in s"},
		{"duration_h,event\n5,1\n", "", source.ErrMalformed, `d.csv:1:12: unknown column "event"`},
		{"duration_h,duration_s\n5,1\n", "", source.ErrMalformed, `unknown column "duration_s"`},
		{"duration_h,duration_h\n5,1\n", "", source.ErrMalformed, "twice"},
		{"length\n5\n", "s", source.ErrMalformed, `no column "duration_s"`},
		{"\"a\nb\"\n", "s", source.ErrMalformed, "quote"},
		{"duration_h\n", "", ErrNoRows, "no usable row"},
		{"duration_h\n" + strings.Repeat("x\n", 200), "", source.ErrMalformed, `none of the first 100 rows is usable; duration = "x"`},
		{"", "s", source.ErrEmpty, "no content"},
		{"\x00", "s", source.ErrBinary, "binary"},
	} {
		_, _, err := readDurations(c.text, DurationOptions{Unit: c.unit})
		sourcetest.CheckFileError(t, err, "d.csv", c.err, c.say, `want a header with "duration_s"`)
	}
	if _, _, err := readDurations("5\n-1\n", DurationOptions{Unit: "s", Strict: true}); !errors.Is(err, source.ErrMalformed) {
		t.Errorf("strict: %v", err)
	}
	var d *source.DomainError
	if _, _, err := readDurations("5\n", DurationOptions{Unit: "y"}); !errors.As(err, &d) {
		t.Errorf("unit: %v", err)
	}
}

func FuzzReadDurations(f *testing.F) {
	f.Add("duration_h,censored\n1,0\n2+,1\n", "", false)
	f.Add("6\n6+\n-1\n", "d", true)
	f.Fuzz(func(t *testing.T, text, unit string, strict bool) {
		got, log, err := readDurations(text, DurationOptions{Unit: unit, Strict: strict})
		for _, d := range got {
			if !(d.Seconds >= log.First && d.Seconds <= log.Last && log.First >= 0 && log.Last <= source.MaxSeconds) {
				t.Errorf("%+v in %+v", d, log)
			}
		}
		if len(got) != log.Rows || err == nil && (len(got) == 0 || strict && log.Malformed.Total() > 0) {
			t.Errorf("%d durations, %+v, %v", len(got), log, err)
		}
	})
}

func BenchmarkReadDurations(b *testing.B) {
	var s strings.Builder
	s.WriteString("duration_s,censored\n")
	for i := range 20000 {
		fmt.Fprintf(&s, "%d.5,%d\n", i*7919%100003, i%2)
	}
	text := s.String()
	b.Run("rows=20000", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if log, err := ReadDurations(context.Background(), "f", strings.NewReader(text), DurationOptions{}, func(Duration) error { return nil }); err != nil || log.Rows != 20000 {
				b.Fatal(err)
			}
		}
	})
}
