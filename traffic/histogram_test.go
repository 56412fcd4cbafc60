package traffic_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/capplan/capplan/traffic"
)

// Moments and bounds agree with a linear program and with quadrature.
func TestHistogramAgainstPrograms(t *testing.T) {
	data, err := os.ReadFile("testdata/histograms.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Edges    []float64 `json:"edges_s"`
		Counts   []float64 `json:"counts"`
		Mean     float64   `json:"mean_s"`
		Second   float64   `json:"second_s2"`
		Least    float64   `json:"least_s2"`
		Greatest float64   `json:"greatest_s2"`
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		h := &traffic.Histogram{}
		n := 0.0
		for k, count := range c.Counts {
			h.Buckets = append(h.Buckets, traffic.Bucket{Low: c.Edges[k], High: c.Edges[k+1], Count: count})
			n += count
		}
		h.Sum = c.Mean * n
		s, err := h.Service("h")
		if err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		for _, f := range []struct {
			name      string
			got       *float64
			want, tol float64
		}{
			{"mean", &s.Mean, c.Mean, 1e-14},
			{"second moment", s.SCV, c.Second, 1e-9},
			{"least", s.SCVLow, c.Least, 2e-6}, // the grid of the linear program
			{"greatest", s.SCVHigh, c.Greatest, 1e-9},
		} {
			got := *f.got
			if f.name != "mean" {
				got = (got + 1) * c.Mean * c.Mean
			}
			if math.Abs(got-f.want) > f.tol*f.want {
				t.Errorf("case %d: %s = %.12g, want %.12g", i, f.name, got, f.want)
			}
		}
		if *s.SCV < *s.SCVLow-1e-12 || *s.SCV > *s.SCVHigh+1e-12 {
			t.Errorf("case %d: SCV %g outside %g to %g", i, *s.SCV, *s.SCVLow, *s.SCVHigh)
		}
	}
}

// In fine buckets the figures are those of the law.
func TestHistogramOfExponential(t *testing.T) {
	h := &traffic.Histogram{Sum: 1e6 * 0.2}
	for low := 0.0; low < 4; {
		high := math.Max(low*1.09, 0.002)
		h.Buckets = append(h.Buckets, traffic.Bucket{Low: low, High: high, Count: 1e6 * (math.Exp(-low/0.2) - math.Exp(-high/0.2))})
		low = high
	}
	last := h.Buckets[len(h.Buckets)-1].High
	h.Buckets = append(h.Buckets, traffic.Bucket{Low: last, High: math.Inf(1), Count: 1e6 * math.Exp(-last/0.2)})
	s, err := h.Service("h")
	if err != nil {
		t.Fatal(err)
	}
	if s.N != 1000000 || math.Abs(s.Mean-0.2) > 1e-12 || math.Abs(*s.SCV-1) > 2e-3 || s.SCVHigh != nil || *s.SCVLow > 1 {
		t.Errorf("got %d durations of mean %v, SCV %v from %v to %v", s.N, s.Mean, *s.SCV, *s.SCVLow, s.SCVHigh)
	}
	for _, p := range s.Percentiles {
		want := -0.2 * math.Log1p(-p.Percentile)
		if !(*p.Low <= want && want <= *p.High) || math.Abs(p.Value-want) > 0.01*want {
			t.Errorf("p%g = %g (%g to %g), want %g", 100*p.Percentile, p.Value, *p.Low, *p.High, want)
		}
	}
}

// What lies beyond the last bound, an unknown sum, a sum that the buckets deny.
func TestHistogramOpenEnds(t *testing.T) {
	inf := math.Inf(1)
	beyond := &traffic.Histogram{Buckets: []traffic.Bucket{{0, 1, 90}, {1, 2, 5}, {2, inf, 5}}, Sum: 100}
	s, err := beyond.Service("h")
	if err != nil {
		t.Fatal(err)
	}
	if s.SCVHigh != nil || !strings.Contains(strings.Join(s.Notes, "\n"),
		"5% of the durations lie beyond the last bound") {
		t.Errorf("%+v", s)
	}
	if p := s.Percentiles[len(s.Percentiles)-1]; p.Value != 2 || *p.Low != 2 || p.High != nil {
		t.Errorf("p99 = %+v, want 2 and above", p)
	}
	unknown := &traffic.Histogram{Buckets: []traffic.Bucket{{0, 1, 1}, {1, 2, 1}}, Sum: math.NaN()}
	// Even between 0 and 2: mean 1, variance 4/12.
	if s, err = unknown.Service("h"); err != nil || math.Abs(s.Mean-1) > 1e-14 || math.Abs(*s.SCV-1.0/3) > 1e-9 || s.SCVLow != nil {
		t.Errorf("%+v %v", s, err)
	}
	denied := &traffic.Histogram{Buckets: []traffic.Bucket{{0, 1, 10}}, Sum: 20}
	if s, err = denied.Service("h"); err != nil || s.Mean != 2 || math.Abs(*s.SCV-1.0/3) > 1e-9 || s.SCVLow != nil || !strings.Contains(s.Notes[0], "its buckets one from 0 s to 1 s") {
		t.Errorf("%+v %v", s, err)
	}
	for name, h := range map[string]*traffic.Histogram{
		"nil":       nil,
		"empty":     {},
		"none":      {Buckets: []traffic.Bucket{{0, 1, 0}}, Sum: 0},
		"all":       {Buckets: []traffic.Bucket{{1, inf, 3}}, Sum: 9},
		"negative":  {Buckets: []traffic.Bucket{{-1, 1, 3}}, Sum: 1},
		"overlap":   {Buckets: []traffic.Bucket{{0, 2, 3}, {1, 3, 1}}, Sum: 1},
		"infinite":  {Buckets: []traffic.Bucket{{0, inf, 3}, {1, 3, 1}}, Sum: 1},
		"count":     {Buckets: []traffic.Bucket{{0, 1, math.NaN()}}, Sum: 1},
		"sum":       {Buckets: []traffic.Bucket{{0, 1, 1}}, Sum: inf},
		"no length": {Buckets: []traffic.Bucket{{0, 1, 1}}, Sum: 0},
	} {
		if s, err := h.Service("h"); err == nil {
			t.Errorf("%s: %+v, want an error", name, s)
		}
	}
}
