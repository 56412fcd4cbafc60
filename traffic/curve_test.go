package traffic_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
	"github.com/capplan/capplan/traffic"
)

// readCurve reads a file that is one cycle as it stands.
func readCurve(text string) (*traffic.Curve, error) {
	r, err := traffic.Read(context.Background(), "c.csv", strings.NewReader(text), traffic.Options{})
	if err != nil {
		return nil, err
	}
	return r.Curve(), nil
}

func TestReadNative(t *testing.T) {
	for _, text := range []string{
		"time_s,rate_per_s\n0,1\n10,4\n30,0.5\n",
		"\xef\xbb\xbf# a comment\n\n rate_per_s , time_s \r\n1,0\r\n 4, 10 \n# more\n\"0.5\",3e1",
	} {
		c, err := readCurve(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
		numtest.Close(t, "end", c.End, 50, 0)
		numtest.Close(t, "period", c.Period(), 50, 0)
		numtest.Close(t, "mean", c.Mean(), (1*10+4*20+0.5*20)/50.0, 1e-15)
		numtest.Close(t, "peak", c.Peak(), 4, 0)
		for at, want := range map[float64]float64{0: 1, 9.99: 1, 10: 4, 29: 4, 30: 0.5, 49: 0.5, 50: 1, 65: 4, -1: 0.5, -50: 1, -35: 4} {
			got, err := c.RateAt(at)
			if err != nil || got != want {
				t.Errorf("rate at %v = %v, %v, want %v", at, got, err, want)
			}
		}
		var d *source.DomainError
		if _, err := c.RateAt(math.NaN()); !errors.As(err, &d) {
			t.Errorf("rate at NaN: %v", err)
		}
	}
}

func TestReadNativeErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		err        error
		say        []string
	}{
		{"column twice", "time_s,time_s\n", source.ErrMalformed, []string{"c.csv:1:8", `column "time_s" twice`}},
		{"no rate", "time_s\n", source.ErrMalformed, []string{"no column for a count, a rate or a duration"}},
		{"no time", "# x\nrate_per_s\n", source.ErrMalformed, []string{"c.csv:2:", "no column for the time"}},
		{"cells", "time_s,rate_per_s\n0,1,2\n", source.ErrMalformed, []string{"c.csv:2:", "3 cells", `the line is "0,1,2"`}},
		{"not a time", "time_s,rate_per_s\nten,1\n", source.ErrMalformed, []string{"c.csv:2:1", `time_s = "ten"`, "number of seconds"}},
		{"negative rate", "time_s,rate_per_s\n0,1\n5,-1\n", source.ErrMalformed, []string{"c.csv:3:3", `rate_per_s = "-1"`, ">= 0"}},
		{"NaN", "time_s,rate_per_s\n0,NaN\n", source.ErrMalformed, []string{"c.csv:2:3", "NaN"}},
		{"infinite", "time_s,rate_per_s\n0,1e999\n", source.ErrMalformed, []string{"c.csv:2:3"}},
		{"not increasing", "time_s,rate_per_s\n5,1\n5,1\n", source.ErrMalformed, []string{"c.csv:3:1", "more than 5"}},
		{"one row", "time_s,rate_per_s\n5,1\n", source.ErrMalformed, []string{"1 row,", "want a header"}},
		{"comments only", "# nothing\n", source.ErrMalformed, []string{"0 rows"}},
		{"bare quote", "time_s,rate_per_s\n\"5,1\n", source.ErrMalformed, []string{"c.csv:2", "quote"}},
		{"long line", "time_s,rate_per_s\n" + strings.Repeat("1", source.MaxLine+1) + ",1\n", source.ErrMalformed, []string{"c.csv:2", "more than"}},
		{"binary", "time_s,rate_per_s\n" + strings.Repeat("#\n", 300) + "1,\x00\n", source.ErrBinary, []string{"c.csv:302", "binary"}},
		{"empty", "", source.ErrEmpty, []string{"no content"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readCurve(c.text)
			sourcetest.CheckFileError(t, err, "c.csv", c.err, append(c.say, "want")...)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := traffic.Read(ctx, "c.csv", strings.NewReader("time_s,rate_per_s\n0,1\n1,1\n"), traffic.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The curve of the documentation is what its examples say.
func TestReadDay(t *testing.T) {
	src, err := source.Open(context.Background(), "../testdata/day.csv", source.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	r, err := traffic.Read(context.Background(), "day.csv", src, traffic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Curve(); len(c.Start) != 24 || c.Peak() != 0.9 || c.Period() != 86400 {
		t.Errorf("day.csv: %+v", c)
	}
}

func TestCurveValidate(t *testing.T) {
	for _, c := range []traffic.Curve{
		{},
		{Start: []float64{0, 1}, Rate: []float64{1}, End: 2},
		{Start: []float64{0, 0}, Rate: []float64{1, 1}, End: 2},
		{Start: []float64{0}, Rate: []float64{math.NaN()}, End: 2},
		{Start: []float64{0}, Rate: []float64{1}, End: 0},
		{Start: []float64{math.Inf(-1)}, Rate: []float64{1}, End: 0},
		{Start: []float64{0}, Rate: []float64{1}, End: math.Inf(1)},
	} {
		var d *source.DomainError
		if err := c.Validate(); !errors.As(err, &d) {
			t.Errorf("%+v: %v, want a DomainError", c, err)
		}
	}
	var empty traffic.Curve
	if _, err := empty.RateAt(0); err == nil || empty.Mean() != 0 || empty.Peak() != 0 || empty.Period() != 0 {
		t.Error("an empty curve has figures")
	}
}

// A record that is read makes valid curves, whose means lie between 0 and
// their peaks, and folds into days and weeks of non-negative rates.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"time_s,rate_per_s\n0,1\n10,4\n",
		"\xef\xbb\xbf# a\nrate_per_s,time_s\n\"1\",2\n3,4e2\n",
		"time_s,rate_per_s\n-1e15,1\n1e15,0\n",
		"ts;calls\n22.11.2026 10:00;1.234,5\n22.11.2026 10:05;7\n23.11.2026 10:05;-\n",
		"timestamp,latency_ms\n2026-11-22T10:00:00Z,12\n2026-11-22T10:00:02.5+01:00,1e3\n1700000000,3\n",
		"Date,Time,RPS\n2026-11-22,3:04 PM,1.2k\n2026-11-23,03:04 AM,3 rpm\n",
		"hour,requests\n0,12\n1,13\n2,n/a\n4,5\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := traffic.Read(context.Background(), "f", strings.NewReader(string(data)), traffic.Options{})
		if err != nil {
			return
		}
		curves := []*traffic.Curve{r.Curve()}
		for _, l := range []traffic.Level{{}, {0.95}, {1}} {
			for _, fold := range []func(traffic.Level) (*traffic.Curve, error){r.Day, r.Week} {
				if c, err := fold(l); err == nil {
					curves = append(curves, c)
				}
			}
		}
		for i, c := range curves {
			if err := c.Validate(); err != nil {
				t.Errorf("%d: %v", i, err)
			}
			if m := c.Mean(); !(m >= 0 && m <= c.Peak()*(1+1e-9)) {
				t.Errorf("%d: mean %v, peak %v", i, m, c.Peak())
			}
		}
		for i, at := range curves[0].Start {
			if v, err := curves[0].RateAt(at); err != nil || v != curves[0].Rate[i] {
				t.Errorf("rate at %v = %v, %v, want %v", at, v, err, curves[0].Rate[i])
			}
		}
	})
}
