package joblog

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

func TestReadCurve(t *testing.T) {
	for _, text := range []string{
		"time_s,rate_per_s\n0,1\n10,4\n30,0.5\n",
		"\xef\xbb\xbf# a comment\n\n rate_per_s , time_s \r\n1,0\r\n 4, 10 \n# more\n\"0.5\",3e1",
	} {
		c, err := ReadCurve(context.Background(), "c.csv", strings.NewReader(text))
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

func TestReadCurveErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		err        error
		say        []string
	}{
		{"extra column", "time_s,rate_per_s,note\n", source.ErrMalformed, []string{"c.csv:1:19", `unknown column "note"`, `"time_s,rate_per_s" only`}},
		{"column twice", "time_s,time_s\n", source.ErrMalformed, []string{"c.csv:1:8", `column "time_s" twice`}},
		{"no rate", "time_s\n", source.ErrMalformed, []string{`no column "rate_per_s"`}},
		{"no time", "# x\nrate_per_s\n", source.ErrMalformed, []string{"c.csv:2:", `no column "time_s"`}},
		{"cells", "time_s,rate_per_s\n0,1,2\n", source.ErrMalformed, []string{"c.csv:2:", "3 cells", `the line is "0,1,2"`}},
		{"not a time", "time_s,rate_per_s\n00:10,1\n", source.ErrMalformed, []string{"c.csv:2:1", `time_s = "00:10"`, "number of seconds"}},
		{"negative rate", "time_s,rate_per_s\n0,1\n5,-1\n", source.ErrMalformed, []string{"c.csv:3:3", `rate_per_s = "-1"`, ">= 0"}},
		{"NaN", "time_s,rate_per_s\n0,NaN\n", source.ErrMalformed, []string{"c.csv:2:3", "NaN"}},
		{"infinite", "time_s,rate_per_s\n0,1e999\n", source.ErrMalformed, []string{"c.csv:2:3"}},
		{"not increasing", "time_s,rate_per_s\n5,1\n5,1\n", source.ErrMalformed, []string{"c.csv:3:1", "more than 5"}},
		{"one row", "time_s,rate_per_s\n5,1\n", source.ErrMalformed, []string{"1 rows", "want a header"}},
		{"comments only", "# nothing\n", source.ErrMalformed, []string{"0 rows"}},
		{"bare quote", "time_s,rate_per_s\n\"5,1\n", source.ErrMalformed, []string{"c.csv:2", "quote"}},
		{"long line", "time_s,rate_per_s\n" + strings.Repeat("1", source.MaxLine+1) + ",1\n", source.ErrMalformed, []string{"c.csv:2", "more than"}},
		{"binary", "time_s,rate_per_s\n" + strings.Repeat("#\n", 300) + "1,\x00\n", source.ErrBinary, []string{"c.csv:302", "binary"}},
		{"empty", "", source.ErrEmpty, []string{"no content"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadCurve(context.Background(), "c.csv", strings.NewReader(c.text))
			sourcetest.CheckFileError(t, err, "c.csv", c.err, append(c.say, "want")...)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadCurve(ctx, "c.csv", strings.NewReader("time_s,rate_per_s\n0,1\n1,1\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCurveValidate(t *testing.T) {
	for _, c := range []Curve{
		{}, {[]float64{0, 1}, []float64{1}, 2}, {[]float64{0, 0}, []float64{1, 1}, 2}, {[]float64{0}, []float64{math.NaN()}, 2},
		{[]float64{0}, []float64{1}, 0}, {[]float64{math.Inf(-1)}, []float64{1}, 0}, {[]float64{0}, []float64{1}, math.Inf(1)},
	} {
		var d *source.DomainError
		if err := c.Validate(); !errors.As(err, &d) {
			t.Errorf("%+v: %v, want a DomainError", c, err)
		}
	}
	var empty Curve
	if _, err := empty.RateAt(0); err == nil || empty.Mean() != 0 || empty.Peak() != 0 || empty.Period() != 0 {
		t.Error("an empty curve has figures")
	}
}

// A curve that is read is valid, and its mean lies between 0 and its peak.
func FuzzReadCurve(f *testing.F) {
	f.Add([]byte("time_s,rate_per_s\n0,1\n10,4\n"))
	f.Add([]byte("\xef\xbb\xbf# a\nrate_per_s,time_s\n\"1\",2\n3,4e2\n"))
	f.Add([]byte("time_s,rate_per_s\n-1e15,1\n1e15,0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ReadCurve(context.Background(), "f", strings.NewReader(string(data)))
		if err != nil {
			return
		}
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
		if m := c.Mean(); !(m >= 0 && m <= c.Peak()*(1+1e-9)) {
			t.Errorf("mean %v, peak %v", m, c.Peak())
		}
		for i, at := range c.Start {
			if r, err := c.RateAt(at); err != nil || r != c.Rate[i] {
				t.Errorf("rate at %v = %v, %v, want %v", at, r, err, c.Rate[i])
			}
		}
	})
}
