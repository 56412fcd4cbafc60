package trace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

// hostCSV is a host's fortnight, made up: one sample in 300 s from Monday 1
// January 2024, busy in office hours on weekdays, quiet at weekends, with two
// outages.
func hostCSV(seed uint64) string {
	const begin, step, perDay = 1_704_067_200, 300, 288
	r := rand.New(rand.NewPCG(seed, 2))
	var b strings.Builder
	b.WriteString("time,cpu,free_mb\n")
	drift, burst := 0.0, 0
	for i := range 14 * perDay {
		day, slot := i/perDay, i%perDay
		level := 0.04
		if day%7 < 5 && slot >= 96 && slot < 216 { // 8:00 to 18:00
			level = 0.22
			if r.IntN(24) == 0 && burst == 0 {
				burst = 1 + r.IntN(18)
			}
		} else if r.IntN(400) == 0 && burst == 0 {
			burst = 1 + r.IntN(6)
		}
		if burst > 0 {
			burst--
			level = 0.75
		}
		drift += 0.3 * (0.03*r.NormFloat64() - drift)
		cpu := min(1, max(0, level+drift+0.02*r.NormFloat64()))
		free := 3000 - 2400*cpu + 100*r.NormFloat64()
		if day == 3 && slot >= 130 && slot < 138 || day == 8 && slot >= 170 && slot < 175 {
			continue // off
		}
		fmt.Fprintf(&b, "%d,%.3f,%.0f\n", begin+step*i, cpu, max(0, free))
	}
	return b.String()
}

func readHost(text string, o HostTraceOptions) ([]Sample, *SampleLog, error) {
	var out []Sample
	log, err := ReadHostTrace(context.Background(), "host.csv", strings.NewReader(text), o, func(s Sample) error {
		out = append(out, s)
		return nil
	})
	return out, log, err
}

func TestReadHostTrace(t *testing.T) {
	text := "\xef\xbb\xbfhost, free_mb ,time,cpu\r\n" + // 1
		"a,2048,1700000000,0.25\r\n" + // 2
		"# a comment\n" + // 3
		"b,,2023-11-14T22:13:21Z,1\n" + // 4
		`"a",0,2023-11-14T23:13:26.5+01:00,0` + "\n" + // 5
		"\n" + // 6
		"b,10.5,1.7000003e9,\n" + // 7, no value
		"b,10.5,1700000306,0.5" // 8
	got, log, err := readHost(text, HostTraceOptions{Strict: true})
	want := []Sample{
		{0, "a", 2, 1_700_000_000, 0.25, 2048, true, false, false},
		{1, "b", 4, 1_700_000_001, 1, 0, false, false, false},
		{0, "a", 5, 1_700_000_006.5, 0, 0, true, false, false},
		{1, "b", 8, 1_700_000_306, 0.5, 10.5, true, false, false},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v, want %+v; %v", got, want, err)
	}
	if log.Rows != 4 || log.Skipped != 1 || log.Nodes != 2 || log.MinStep != 6.5 || log.MaxStep != 305 || log.First != 1_700_000_000 || log.Last != 1_700_000_306 {
		t.Errorf("%+v", log)
	}
	got, _, err = readHost("cpu,time\n50,5\n", HostTraceOptions{Percent: true})
	if err != nil || got[0] != (Sample{0, "host.csv", 2, 5, 0.5, 0, false, false, false}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReadHostTraceMalformed(t *testing.T) {
	text := "time,cpu,free_mb\n" +
		"100,0.5,10\n" + // 2
		"99,0.5,10\n" + // 3 backward
		"100,0.6,10\n" + // 4 duplicate
		"101,NaN,10\n" + // 5
		"102,37.5,10\n" + // 6 percent?
		"103,-0.1,10\n" + // 7
		"104,0.5,-1\n" + // 8
		"1700000000000,0.5,1\n" + // 9 milliseconds
		"2024-01-01 00:00:00,0.5,1\n" + // 10 no offset
		"2024-02-30T00:00:00Z,0.5,1\n" + // 11
		"105,0.5\n" + // 12
		"106,\"0.5,1\n" + // 13
		"inf,0.5,1\n" + // 14
		strings.Repeat("1", source.MaxLine+1) + "\n" + // 15
		"107,0.5,\n" // 16
	got, log, err := readHost(text, HostTraceOptions{})
	if err != nil || len(got) != 4 || got[3].Line != 16 {
		t.Fatalf("%+v, %v", got, err)
	}
	// An overloaded machine is not one without samples, and memory that is
	// promised twice is not free.
	if got[1].Line != 6 || got[1].CPU != 1 || got[2].Line != 8 || got[2].FreeMB != 0 || !got[2].HasFree {
		t.Errorf("clipped to %+v and %+v", got[1], got[2])
	}
	m := log.Malformed
	if m.Backward != 1 || m.Overlap != 1 || m.Value != 4 || m.Range != 2 || m.Columns != 2 || m.TooLong != 1 {
		t.Errorf("%+v", m)
	}
	for i, want := range []string{
		`host.csv:3: node "host.csv": time 99 s is before 100 s of line 2`, "time 100 s again, after line 2",
		`:5:5: cpu = "NaN" is not a number`, ":7:5: cpu = -0.1 is outside 0..1",
	} {
		if got := m.First[i].Error(); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	if len(log.Warnings) != 2 || !strings.Contains(log.Warnings[0], "1 row with a CPU share above 1 counts as 1, the first in line 6") ||
		!strings.Contains(log.Warnings[1], "1 row with a free memory below 0 counts as 0") {
		t.Errorf("warnings %q", log.Warnings)
	}
	var o *OrderError
	if _, _, err := readHost(text, HostTraceOptions{Strict: true}); !errors.As(err, &o) || o.Line != 3 || o.BeforeLine != 2 {
		t.Errorf("strict: %v", err)
	}
}

func TestReadHostTraceErrors(t *testing.T) {
	percent := "time,cpu\n"
	for i := range 1000 {
		percent += fmt.Sprintf("%d,%d\n", i, i*37%100)
	}
	for _, c := range []struct {
		name, text string
		err        error
		say        string
	}{
		{"percent", percent, ErrPercent, "the file is in percent"},
		{"busy percent", "time,cpu\n" + strings.ReplaceAll(percent[9:], ",", ",2"), ErrPercent, "the file is in percent"},
		{"short percent", "time,cpu\n1,30\n", ErrPercent, "1 value is above 1"},
		{"no header", "100,0.5,10\n", source.ErrMalformed, `unknown column "100" in the header`},
		{"other column", "time,cpu,load\n", source.ErrMalformed, `:1:10: unknown column "load"`},
		{"no cpu", "time,free_mb\n", source.ErrMalformed, `no column "cpu"`},
		{"twice", "time,cpu,cpu\n", source.ErrMalformed, `"cpu" twice`},
		{"header only", "time,cpu\n", ErrNoRows, "no usable row"},
		{"no host", "time,cpu,host\n1,0.5,\n", ErrNoRows, "1 malformed"},
		{"binary", "time,cpu\n" + strings.Repeat("\n", 600) + "\x00\x00\n", source.ErrBinary, "binary"},
		{"binary header", strings.Repeat("\n", 600) + "\x00,cpu\n", source.ErrBinary, "binary"},
		{"empty", "", source.ErrEmpty, "no content"},
	} {
		_, _, err := readHost(c.text, HostTraceOptions{})
		sourcetest.CheckFileError(t, err, "host.csv", c.err, c.say, `want a header "time,cpu,free_mb"`)
	}
	_, log, err := readHost("time,cpu\n1,0.5\n", HostTraceOptions{Percent: true})
	if err != nil || len(log.Warnings) != 1 {
		t.Errorf("fractions read as percent: %v, %v", log.Warnings, err)
	}
}

// time.Parse is the reference for times.
func TestParseTime(t *testing.T) {
	for _, text := range []string{
		"1970-01-01T00:00:00Z", "2024-02-29T23:59:59Z", "1969-12-31T23:59:59.25Z", "2015-03-12T05:59:46+00:00",
		"2023-11-14T23:13:20-07:30", "0001-01-01T00:00:00Z", "9999-12-31T00:00:00.125+14:00", "2000-02-29t01:02:03z",
	} {
		at, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
		if err != nil {
			t.Fatal(err)
		}
		want := float64(at.Unix()) + float64(at.Nanosecond())/1e9
		if got, ok := source.ParseTime([]byte(text), nil); !ok || got != want {
			t.Errorf("%s = %v, want %v", text, got, want)
		}
		if got, ok := source.ParseTime([]byte(strings.Replace(text, "T", " ", 1)), time.UTC); !ok || got != want {
			t.Errorf("%s with a space = %v, want %v", text, got, want)
		}
	}
	east := time.FixedZone("", 3600)
	if got, ok := source.ParseTime([]byte("1970-01-01 01:00:00"), east); !ok || got != 0 {
		t.Errorf("in a zone: %v, %v", got, ok)
	}
	for _, text := range []string{
		"", "x", "2024-01-01", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z",
		"2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z", "2024-01-01T00:00:00", "2024-01-01T00:00:00+0100",
		"2024-01-01T00:00:00+01:60", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00ZZ", "2024/01/01T00:00:00Z", "+024-01-01T00:00:00Z",
	} {
		if got, ok := source.ParseTime([]byte(text), nil); ok {
			t.Errorf("%q = %v, want no time", text, got)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	f.Add("2015-03-12T05:59:46+00:00")
	f.Fuzz(func(t *testing.T, text string) {
		// time.Parse takes more, such as an hour of one digit.
		at, err := time.Parse(time.RFC3339, text)
		got, ok := source.ParseTime([]byte(text), nil)
		if err == nil && at.Format(time.RFC3339) == text && at.Year() > 0 && (!ok || got != float64(at.Unix())) {
			t.Errorf("%q = %v, %v, want %v", text, got, ok, at.Unix())
		}
	})
}

// orderedSamples is what every reader of samples keeps to.
func orderedSamples(t *testing.T, log *SampleLog, samples []Sample, err error, strict bool) {
	t.Helper()
	last := map[int]Sample{}
	for _, s := range samples {
		p, seen := last[s.Host]
		switch {
		case !(s.CPU >= 0 && s.CPU <= 1) || !(s.FreeMB >= 0 && s.FreeMB <= source.MaxField) || !(s.Time >= log.First && s.Time <= log.Last):
			t.Errorf("%+v", s)
		case seen && (s.Time <= p.Time || s.Name != p.Name || s.Time-p.Time < log.MinStep || s.Time-p.Time > log.MaxStep):
			t.Errorf("%+v after %+v", s, p)
		}
		last[s.Host] = s
	}
	if len(samples) != log.Rows || len(last) != log.Nodes || err == nil && (log.Rows == 0 || strict && log.Malformed.Total() > 0) {
		t.Errorf("%d samples of %d hosts, %+v, %v", len(samples), len(last), log, err)
	}
}

func FuzzReadHostTrace(f *testing.F) {
	f.Add("time,cpu,free_mb\n100,0.5,10\n99,0.5,10\n2024-01-01T00:00:00Z,1,\n", false, false)
	f.Add("host,time,cpu\na,1,5\nb,1,5\n\"a\",2,\n", true, true)
	f.Fuzz(func(t *testing.T, text string, percent, strict bool) {
		got, log, err := readHost(text, HostTraceOptions{Percent: percent, Strict: strict})
		orderedSamples(t, log, got, err, strict)
	})
}

func BenchmarkReadHostTrace(b *testing.B) {
	text := hostCSV(1)
	b.Run("samples=4019", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			log, err := ReadHostTrace(context.Background(), "f", strings.NewReader(text), HostTraceOptions{}, func(Sample) error { return nil })
			if err != nil || log.Rows != 4019 {
				b.Fatal(log.Rows, err)
			}
		}
	})
}

// A row that comes too late is named by the clock that the file has.
func TestOrderIsNamedAsTheFileWritesIt(t *testing.T) {
	for text, want := range map[string]string{
		"time,cpu\n2024-01-01T00:10:00Z,0.1\n2024-01-01T00:05:00Z,0.1\n": "time 2024-01-01 00:05:00 UTC is before 2024-01-01 00:10:00 UTC of line 2",
		"time,cpu\n1704067800,0.1\n1704067500,0.1\n":                     "time 1704067500 s is before 1704067800 s of line 2",
	} {
		_, err := ReadHostTrace(t.Context(), "host.csv", strings.NewReader(text), HostTraceOptions{Strict: true}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
