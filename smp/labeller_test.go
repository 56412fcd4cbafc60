package smp

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// labels runs samples through a labeller and writes one digit a step.
func labels(t *testing.T, p Thresholds, samples []Sample) string {
	t.Helper()
	var b strings.Builder
	next := int64(math.MinInt64)
	l, err := NewLabeller(p, func(r Run) {
		if next != math.MinInt64 && r.First != next {
			t.Errorf("run begins at %d, the last ended at %d", r.First, next)
		}
		next = r.End()
		b.WriteString(strings.Repeat(string(rune('1'+r.State)), int(r.Steps)))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		if err := l.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	l.Flush()
	return b.String()
}

func loads(period float64, load ...float64) []Sample {
	var out []Sample
	for i, v := range load {
		out = append(out, Sample{Time: 1000*period + period*float64(i), Load: v, FreeMemory: 500})
	}
	return out
}

func TestLabeller(t *testing.T) {
	p := Thresholds{Period: 20, Grace: 60, WorkingSet: 100}
	memory := loads(20, 0.1, 0.1, 0.1)
	memory[1].FreeMemory = 99
	unknown := loads(20, 0.1, 0.1)
	unknown[1].FreeMemory = math.NaN()
	down := loads(20, 0.1, 0.9, 0.3)
	down[1].Down = true
	cut := loads(20, 0.1, 0.9, 0.9, 0.9, 0.1)
	cut[3].FreeMemory = 1
	for _, c := range []struct {
		name    string
		samples []Sample
		want    string
	}{
		{"thresholds", loads(20, 0, 0.19, 0.2, 0.6, 0.5, 0.1), "112221"},
		{"a rise of the grace time stays", loads(20, 0.1, 0.7, 0.7, 0.7, 0.3), "11112"},
		{"a longer one is S3 from its onset", loads(20, 0.3, 0.7, 0.7, 0.7, 0.7, 0.1), "233331"},
		{"S3 goes on", loads(20, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7), "333333"},
		{"a rise at the beginning", loads(20, 0.9, 0.1), "21"},
		{"a rise at the end", loads(20, 0.1, 0.9), "11"},
		{"a rise after S3 and a light sample", loads(20, 0.7, 0.7, 0.7, 0.7, 0.1, 0.7, 0.3), "3333112"},
		{"memory", memory, "141"},
		{"memory not measured", unknown, "11"},
		{"memory ends a rise", cut, "11141"},
		{"down", down, "152"},
		{"a short gap is filled", append(loads(20, 0.3), Sample{Time: 1000*20 + 60, FreeMemory: 500}), "2221"},
		{"a longer one is S5", append(loads(20, 0.3), Sample{Time: 1000*20 + 80, FreeMemory: 500}), "25551"},
		{"jitter", []Sample{{Time: 20009, FreeMemory: 500}, {Time: 20012, FreeMemory: 500}, {Time: 20038, FreeMemory: 500}}, "111"},
	} {
		if got := labels(t, p, c.samples); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	// A period longer than the grace time.
	if got := labels(t, Thresholds{Period: 300}, loads(300, 0.1, 0.7, 0.3)); got != "132" {
		t.Errorf("period 300 s: %s, want 132", got)
	}
	// The paper's own period: ten samples are one minute, eleven are longer.
	rise := make([]float64, 11)
	for i := range rise {
		rise[i] = 0.8
	}
	six := Thresholds{Period: 6}
	if got := labels(t, six, loads(6, append([]float64{0}, append(rise[:10:10], 0)...)...)); strings.Contains(got, "3") {
		t.Errorf("60 s above Th2: %s, want no S3", got)
	}
	if got := labels(t, six, loads(6, append([]float64{0}, append(rise, 0)...)...)); got != "1333333333331" {
		t.Errorf("66 s above Th2: %s", got)
	}
}

func TestLabellerRefuses(t *testing.T) {
	l, err := NewLabeller(Thresholds{Period: 10}, func(Run) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Add(Sample{Time: 100}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Sample{
		{Time: 90}, {Time: 100}, {Time: math.NaN()}, {Time: math.Inf(1)}, {Time: 110, Load: math.NaN()},
		{Time: 110, Load: 1.01}, {Time: 110, Load: -0.1}, {Time: 110, FreeMemory: -1},
	} {
		var se *SampleError
		if err := l.Add(s); !errors.Is(err, ErrSample) || !errors.As(err, &se) {
			t.Errorf("%+v: %v, want a *SampleError", s, err)
		}
	}
	if err := l.Add(Sample{Time: 110, Load: 1}); err != nil {
		t.Errorf("after refusals: %v", err)
	}
	if l.Counts.Refused != 8 || l.Counts.Samples != 2 {
		t.Errorf("counts: %+v", l.Counts)
	}
	for _, p := range []Thresholds{{}, {Period: 6, Light: 0.7}, {Period: 6, Heavy: 1.2}, {Period: 6, Gap: 1}, {Period: math.NaN()}} {
		if _, err := NewLabeller(p, func(Run) {}); err == nil {
			t.Errorf("%+v was taken", p)
		}
	}
}

func FuzzLabeller(f *testing.F) {
	f.Add([]byte{1, 200, 3, 255, 7, 0, 90, 91, 250, 250, 250, 250, 250})
	f.Fuzz(func(t *testing.T, data []byte) {
		var total, first, end int64
		begun := false
		var next int64
		l, err := NewLabeller(Thresholds{Period: 10, WorkingSet: 20}, func(r Run) {
			if r.Steps < 1 || r.State < S1 || r.State > S5 || begun && r.First != next {
				t.Fatalf("run %+v after step %d", r, next)
			}
			if !begun {
				begun, first = true, r.First
			}
			next = r.End()
			total += r.Steps
		})
		if err != nil {
			t.Fatal(err)
		}
		at := 0.0
		for i := 0; i+1 < len(data); i += 2 {
			at += float64(data[i]%100) - 10
			s := Sample{Time: at, Load: float64(data[i+1]) / 250, FreeMemory: float64(data[i])}
			if l.Add(s) == nil {
				end = int64(math.Round(at/10)) + 1
			}
		}
		l.Flush()
		if total != 0 && total != end-first {
			t.Fatalf("%d steps labelled, from %d to %d", total, first, end)
		}
	})
}

func TestPeriod(t *testing.T) {
	if p, err := Period([]float64{0, 6, 12, 18, 24, 36.2, 35, 42, 48}); err != nil || p != 6 {
		t.Errorf("Period = %v, %v, want 6", p, err)
	}
	var mixed []float64
	for i := range 20 {
		mixed = append(mixed, float64(i*6))
	}
	for i := range 20 {
		mixed = append(mixed, 120+float64(i)*8.5)
	}
	if _, err := Period(mixed); !errors.Is(err, ErrMixedPeriods) {
		t.Errorf("mixed periods: %v", err)
	}
	if _, err := Period([]float64{3}); !errors.Is(err, ErrNoData) {
		t.Errorf("one time: %v", err)
	}
}
