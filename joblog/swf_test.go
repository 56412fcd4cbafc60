package joblog

import (
	_ "github.com/capplan/capplan/packed" // the tests read packed files

	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

// swfLine is a well-formed line.
func swfLine(number, submit, run, processors int) string {
	return fmt.Sprintf("%d %d -1 %d %d -1 -1 %d -1 -1 1 3 4 5 6 7 -1 -1\n", number, submit, run, processors, processors)
}

// sampleLog is a log of n jobs with varied, incompressible enough fields.
func sampleLog(n int) string {
	var b strings.Builder
	b.WriteString("; Version: 2.2\n; UnixStartTime: 749458803\n; TimeZone: -28800\n; MaxProcs: 128\n")
	submit := 0
	for i := range n {
		x := i * 7919 % 1009
		submit += x * x % 97
		b.WriteString(swfLine(i+1, submit, 1+x*i%5003, 1<<(x%6)))
	}
	return b.String()
}

func readAll(t testing.TB, text string, o SWFOptions) ([]Job, *SWFLog, error) {
	t.Helper()
	var jobs []Job
	log, err := ReadSWF(context.Background(), "log.swf", strings.NewReader(text), o, func(j Job) error {
		jobs = append(jobs, j)
		return nil
	})
	return jobs, log, err
}

func TestReadSWFFields(t *testing.T) {
	text := "\xef\xbb\xbf; Version: 2.2\r\n;\n; Computer: Test\n; Information: http://a.example\n;              http://b.example\n" +
		"; Note: one\n;       two\n; MaxNodes: 64 (32 nodes)\n; MaxProcs: 128\n; UnixStartTime: 749458803\n; TimeZone: -28800\n; TimeZoneString: US/Pacific\n\n" +
		"  7 10 11 12.5 13 1.4e1 15 16 17 18 1 20 21 22 23 24 25 26\r\n" +
		"\t8 10.25 -1 2 -1 -1 -1 4 -1 -1 0 -1 -1 -1 -1 -1 -1 -1"
	jobs, log, err := readAll(t, text, SWFOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := Job{14, 7, 10, 11, 12.5, 13, 14, 15, 16, 17, 18, 1, 20, 21, 22, 23, 24, 25, 26, 13}
	if len(jobs) != 2 || jobs[0] != want {
		t.Fatalf("jobs %+v, want %+v", jobs, want)
	}
	if j := jobs[1]; j.Processors != 4 || j.Line != 15 || j.Submit != 10.25 {
		t.Errorf("requested processors in place of unknown ones: %+v", j)
	}
	h := log.Header
	if h.Version != "2.2" || h.Computer != "Test" || h.MaxNodes != 64 || h.MaxProcs != 128 || h.TimeZoneString != "US/Pacific" {
		t.Errorf("header %+v", h)
	}
	if v, ok := h.Value("information"); !ok || v != "http://a.example\nhttp://b.example" {
		t.Errorf("Information = %q", v)
	}
	if v, _ := h.Value("Note"); v != "one\ntwo" {
		t.Errorf("Note = %q", v)
	}
	start, ok := h.Start()
	if want := "1993-09-30T23:00:03-08:00"; !ok || start.Format(time.RFC3339) != want {
		t.Errorf("start %v, want %v", start, want)
	}
}

func TestReadSWFMalformed(t *testing.T) {
	good := func(submit int) string { return swfLine(1, submit, 10, 2) }
	long := strings.Repeat("1 ", source.MaxLine) + "\n"
	text := good(100) + // 1
		"1 2 3\n" + // 2
		"1 2 x 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n" + // 3
		strings.Replace(good(100), "100", "-5", 1) + // 4
		good(99) + // 5
		"1 1e12 -1 1 1 -1 -1 1 -1 -1 1 1 1 1 1 1 1 1\n" + // 6
		long + // 7
		"1 100 -1 1 1.5 -1 -1 1 -1 -1 1 1 1 1 1 1 1 1\n" + // 8
		good(100) // 9
	jobs, log, err := readAll(t, text, SWFOptions{})
	if err != nil || len(jobs) != 2 || jobs[1].Line != 9 || log.Lines != 9 {
		t.Fatalf("%d jobs, %+v, %v", len(jobs), log, err)
	}
	m := log.Malformed
	if m.FieldCount != 1 || m.NotNumber != 2 || m.NegativeSubmit != 1 || m.BackwardSubmit != 1 || m.OutOfRange != 1 || m.TooLong != 1 || m.Total() != 7 {
		t.Errorf("%+v", m)
	}
	if len(m.First) != source.MaxNamed || m.First[1].Line != 3 || m.First[1].Column != 5 {
		t.Errorf("first: %v", m.First)
	}
	for i, want := range []string{"log.swf:2: 3 fields, want 18 numbers", "wait time is not a number", "submit time -5 s is below 0", "submit time 99 s is before 100 s of line 1", "submit time = 1e+12 is beyond"} {
		if got := m.First[i].Error(); !strings.Contains(got, want) || !strings.Contains(got, "the line is") {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	jobs, _, err = readAll(t, text, SWFOptions{Strict: true})
	var f *source.FileError
	if !errors.As(err, &f) || !errors.Is(err, source.ErrMalformed) || f.Line != 2 || len(jobs) != 1 {
		t.Errorf("strict: %v after %d jobs", err, len(jobs))
	}
}

func TestReadSWFSkips(t *testing.T) {
	text := "1 0 -1 -1 4 -1 -1 4 -1 -1 5 1 1 1 1 1 1 1\n" + // cancelled
		"1 0 -1 0 4 -1 -1 4 -1 -1 5 1 1 1 1 1 1 1\n" + // cancelled
		"1 0 -1 9 4 -1 -1 4 -1 -1 5 1 1 1 1 1 1 1\n" + // cancelled after 9 s: usable
		"1 0 -1 -1 4 -1 -1 4 -1 -1 1 1 1 1 1 1 1 1\n" + // run time unknown
		"1 0 -1 0 4 -1 -1 4 -1 -1 1 1 1 1 1 1 1 1\n" + // below the tick: usable
		"1 0 -1 5 -1 -1 -1 -1 -1 -1 1 1 1 1 1 1 1 1\n" + // processors unknown
		"1 0 -1 5 0 -1 -1 3 -1 -1 1 1 1 1 1 1 1 1\n" // requested
	jobs, log, err := readAll(t, text, SWFOptions{})
	if err != nil || len(jobs) != 3 || log.Jobs != 3 || jobs[2].Processors != 3 {
		t.Fatalf("%+v, %v", jobs, err)
	}
	if log.Skipped != (Skipped{2, 1, 1}) || log.Malformed.Total() != 0 {
		t.Errorf("%+v", log)
	}
}

func TestReadSWFWindow(t *testing.T) {
	text := swfLine(1, 0, 1, 1) + swfLine(2, 10, 1, 1) + swfLine(3, 20, 1, 1) + swfLine(4, 30, 1, 1)
	for _, c := range []struct {
		from, to float64
		want     string
	}{{0, 0, "1234"}, {10, 0, "234"}, {10, 30, "23"}, {0, 10.5, "12"}} {
		jobs, log, err := readAll(t, text, SWFOptions{From: c.from, To: c.to})
		got := ""
		for _, j := range jobs {
			got += fmt.Sprint(j.Number)
		}
		if got != c.want || err != nil || log.Outside != 4-len(got) || log.LastSubmit != 30 {
			t.Errorf("[%v, %v): %s, want %s; %v", c.from, c.to, got, c.want, err)
		}
	}
	for _, o := range []SWFOptions{{From: -1}, {From: math.NaN()}, {From: 5, To: 5}, {To: math.Inf(1)}, {To: -1}} {
		var d *source.DomainError
		if _, _, err := readAll(t, text, o); !errors.As(err, &d) {
			t.Errorf("%+v: %v, want a DomainError", o, err)
		}
	}
}

func TestReadSWFNoLog(t *testing.T) {
	for _, c := range []struct {
		name, text string
		err        error
		say        string
	}{
		{"comments only", "; Version: 2.2\n", ErrNoJobs, "no usable job in 1 line"},
		{"one malformed", "1 2 3\n", source.ErrMalformed, "1 malformed"},
		{"all cancelled", swfLine(1, 0, -1, 1), ErrNoJobs, "1 without run time"},
		{"a table", strings.Repeat("a,b,c\n", 1e5), source.ErrMalformed, "the first 100 lines hold no job"},
		{"binary", "\x00\x01\x02", source.ErrBinary, "binary data"},
		{"binary in the middle", swfLine(1, 0, 1, 1) + strings.Repeat("\n", 600) + "1 2\x00\x00 3\n", source.ErrBinary, ":602: holds binary"},
		{"empty", "", source.ErrEmpty, "no content"},
	} {
		_, _, err := readAll(t, c.text, SWFOptions{})
		sourcetest.CheckFileError(t, err, "log.swf", c.err, c.say, "want 18 numbers per job")
		if c.name == "one malformed" && !errors.Is(err, ErrNoJobs) {
			t.Errorf("%v, want ErrNoJobs too", err)
		}
	}
}

func TestReadSWFStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	log, err := ReadSWF(ctx, "log.swf", strings.NewReader(sampleLog(5000)), SWFOptions{}, func(Job) error {
		if n++; n == 1000 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n > 1300 || log.Jobs != n {
		t.Errorf("after cancel: %d jobs, %v", n, err)
	}
	stop := errors.New("stop")
	n = 0
	_, err = ReadSWF(context.Background(), "log.swf", strings.NewReader(sampleLog(9)), SWFOptions{}, func(Job) error { n++; return stop })
	if err != stop || n != 1 {
		t.Errorf("callback's error: %v after %d jobs", err, n)
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "-1": -1, "+5": 5, "12.5": 12.5, "0.1": 0.1, "-.25": -0.25, "3.": 3,
		"123456789012345": 123456789012345, "1234567890123456789": 1234567890123456789,
		"1e3": 1000, "2.675": 2.675, "0.30000000000000004": 0.30000000000000004,
	} {
		if got, ok := source.ParseNumber([]byte(text)); !ok || got != want {
			t.Errorf("%q = %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-", ".", "1.2.3", "0x10", "inf", "NaN", "1_0", "1e999", "a", "1-2", "--1"} {
		if v, ok := source.ParseNumber([]byte(text)); ok {
			t.Errorf("%q = %v, want no number", text, v)
		}
	}
}

// Whatever the input: no panic, jobs in order and usable, counts that add up.
func FuzzReadSWF(f *testing.F) {
	f.Add([]byte(sampleLog(5)), false)
	f.Add([]byte("; Note: a\n;      b\n1 2 3\n\n"+swfLine(1, 5, 6, 7)), true)
	f.Add([]byte("\x1f\x8b\x00"), false)
	f.Fuzz(func(t *testing.T, data []byte, strict bool) {
		last, n := 0.0, 0
		log, err := ReadSWF(context.Background(), "f", strings.NewReader(string(data)), SWFOptions{Strict: strict}, func(j Job) error {
			if j.Submit < last || !(j.Run >= 0) || j.Processors < 1 || j.Line < 1 {
				t.Errorf("job %+v after %v s", j, last)
			}
			last, n = j.Submit, n+1
			return nil
		})
		if n != log.Jobs || err == nil && n == 0 {
			t.Errorf("%d jobs, log says %d, %v", n, log.Jobs, err)
		}
		if err == nil && n+log.Outside+log.Skipped.Total()+log.Malformed.Total() > log.Lines {
			t.Errorf("counts exceed lines: %+v", log)
		}
		if err == nil && strict && log.Malformed.Total() > 0 {
			t.Errorf("strict took malformed lines: %+v", log)
		}
	})
}

func BenchmarkReadSWF(b *testing.B) {
	text := sampleLog(18239)
	b.Run("jobs=18239", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			log, err := ReadSWF(context.Background(), "log.swf", strings.NewReader(text), SWFOptions{}, func(Job) error { return nil })
			if err != nil || log.Jobs != 18239 {
				b.Fatal(log.Jobs, err)
			}
		}
	})
}

// The fields of a line are read as single numbers are, long ones and signs included.
func TestSplitNumbers(t *testing.T) {
	texts := []string{"0", "-17", "+3", "123456789012345", "-1234567890123456", "99999999999999999999999", "1.5", "-2e3", "7"}
	var f [swfFields]float64
	n, bad, _ := splitNumbers([]byte(" "+strings.Join(texts, "\t ")+"  "), &f)
	if n != len(texts) || bad != -1 {
		t.Fatalf("%d fields, bad %d", n, bad)
	}
	for i, text := range texts {
		if want, _ := source.ParseNumber([]byte(text)); f[i] != want {
			t.Errorf("%q = %v, want %v", text, f[i], want)
		}
	}
	if n, bad, at := splitNumbers([]byte("1 - 2-"), &f); n != 3 || bad != 1 || at != 2 {
		t.Errorf("%d fields, bad %d at %d", n, bad, at)
	}
}

// Truncation found in mid-log names the line.
func TestTruncatedLogNamesLine(t *testing.T) {
	packed := sourcetest.Gzip(t, sampleLog(3000))
	path := sourcetest.TempFile(t, "cut.swf.gz", packed[:len(packed)/2])
	_, _, _, err := analyzed(context.Background(), path, SWFOptions{})
	var f *source.FileError
	if !errors.As(err, &f) || !errors.Is(err, source.ErrTruncated) || f.Line < 100 {
		t.Errorf("%v, want ErrTruncated with a line", err)
	}
}
