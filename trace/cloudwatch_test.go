package trace

import (
	_ "github.com/capplan/capplan/packed" // the tests read packed files

	"context"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

func readCloudWatch(text string, o CloudWatchOptions) ([]Sample, *SampleLog, error) {
	var out []Sample
	log, err := ReadCloudWatch(context.Background(), "cpu.csv", strings.NewReader(text), o, func(s Sample) error {
		out = append(out, s)
		return nil
	})
	return out, log, err
}

func TestReadCloudWatch(t *testing.T) {
	text := "timestamp,value\n" +
		"1970-01-02 00:00:00,12.5\n" +
		"1970-01-02 00:05:00,100\n" +
		"1970-01-02 00:05:00,50\n" + // the same time again
		"1970-01-02 00:10:00,100.1\n" +
		"1970-01-02 00:15:00,\n" +
		"1970-01-02 00:14:00,0\n" + // in order: no value at 0:15
		"1970-01-02 00:13:00,0\n"
	got, log, err := readCloudWatch(text, CloudWatchOptions{Host: "h"})
	want := []Sample{{0, "h", 2, 86400, 0.125, 0, false, false, false}, {0, "h", 3, 86700, 1, 0, false, false, false}, {0, "h", 5, 87000, 1, 0, false, false, false}, {0, "h", 7, 87240, 0, 0, false, false, false}}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v, want %+v; %v", got, want, err)
	}
	if m := log.Malformed; m.Overlap != 1 || m.Range != 0 || m.Backward != 1 || log.Skipped != 1 || log.MinStep != 240 || log.MaxStep != 300 || len(log.Warnings) != 2 {
		t.Errorf("%+v", log)
	}
	if got, _, err := readCloudWatch("value,timestamp\n0.25,60\n", CloudWatchOptions{Fraction: true}); err != nil || got[0] != (Sample{0, "cpu.csv", 2, 60, 0.25, 0, false, false, false}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, c := range []struct {
		text string
		err  error
		say  string
	}{
		{"timestamp,value\n" + strings.Repeat("2014-02-14 14:30:00,12345\n", 200), source.ErrMalformed, "value = 12345 is outside 0..100"},
		{"time,value\n", source.ErrMalformed, `unknown column "time"`},
		{"timestamp,value\n", ErrNoRows, "no usable row"},
		{"", source.ErrEmpty, "no content"},
	} {
		_, _, err := readCloudWatch(c.text, CloudWatchOptions{})
		sourcetest.CheckFileError(t, err, "cpu.csv", c.err, c.say, `want a header "timestamp,value"`)
	}
}

func FuzzReadCloudWatch(f *testing.F) {
	f.Add("timestamp,value\n2014-02-14 14:30:00,12.5\n2014-02-14 14:35:00,\n", false, true)
	f.Fuzz(func(t *testing.T, text string, fraction, strict bool) {
		got, log, err := readCloudWatch(text, CloudWatchOptions{Fraction: fraction, Strict: strict})
		orderedSamples(t, log, got, err, strict)
	})
}

func BenchmarkReadCloudWatch(b *testing.B) {
	var s strings.Builder
	s.WriteString("timestamp,value\n")
	for i := range 28 {
		for m := range 1440 {
			s.WriteString("2014-02-" + two(i+1) + " " + two(m/60) + ":" + two(m%60) + ":00,12.345\n")
		}
	}
	text := s.String()
	b.Run("samples=40320", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if log, err := ReadCloudWatch(context.Background(), "f", strings.NewReader(text), CloudWatchOptions{}, func(Sample) error { return nil }); err != nil || log.Rows != 40320 {
				b.Fatal(err)
			}
		}
	})
}

func two(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }
