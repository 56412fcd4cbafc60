package baseline

import (
	"context"
	"github.com/capplan/capplan/smp"
	"testing"
	"time"
)

func TestEvaluateForecaster(t *testing.T) {
	// Load 0.1 up to noon, 0.9 after, every day; thirty days of half hours.
	begin := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	p := smp.Thresholds{Period: 1800}
	l := Loads{Period: 1800}
	var samples []smp.Sample
	for s := range 30 * 48 {
		v := 0.1
		if s%48 >= 24 {
			v = 0.9
		}
		l.Add(begin.Unix()/1800+int64(s), v)
		samples = append(samples, smp.Sample{Time: float64(begin.Unix() + int64(s)*1800), Load: v})
	}
	h, counts, err := smp.Label(p, samples)
	if err != nil || counts.Refused != 0 {
		t.Fatal(counts, err)
	}
	end := begin.AddDate(0, 0, 30)
	for _, c := range []struct {
		clock     time.Duration
		empirical float64
	}{{6 * time.Hour, 1}, {10 * time.Hour, 0}} {
		w := smp.Window{Clock: c.clock, Steps: 6}
		days, _, err := h.Days(smp.Calendar{}, w, smp.Weekday, end, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Baselines(3) {
			s, err := EvaluateForecaster(context.Background(), f, days, l, smp.Calendar{}, w, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			// Before noon every sample is 0.1, so every model says it stays.
			if s.Empirical != c.empirical || s.Predicted != 1 || s.TestDays == 0 {
				t.Errorf("%s at %v: %+v", f.Name(), c.clock, s)
			}
		}
		// The process from the same clock window sees noon come.
		s, err := smp.Evaluate(context.Background(), smp.FiveStates(), days, w, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.Predicted != c.empirical {
			t.Errorf("SMP at %v: %+v", c.clock, s)
		}
	}
}

// The day before each test window is light, the same clock on the training
// days heavy: the two readings of the baselines differ.
func TestSameClock(t *testing.T) {
	begin := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	p := smp.Thresholds{Period: 1800}
	l := Loads{Period: 1800}
	var samples []smp.Sample
	for s := range 12 * 48 {
		v := 0.1
		if m := s % 48; m >= 22 && m < 27 && s < 4*48 { // from 11:00, on the first days
			v = 0.9
		}
		l.Add(begin.Unix()/1800+int64(s), v)
		samples = append(samples, smp.Sample{Time: float64(begin.Unix() + int64(s)*1800), Load: v})
	}
	h, _, err := smp.Label(p, samples)
	if err != nil {
		t.Fatal(err)
	}
	w := smp.Window{Clock: 10 * time.Hour, Steps: 6}
	days, _, err := h.Days(smp.Calendar{}, w, smp.Weekday, begin.AddDate(0, 0, 12), 0)
	if err != nil {
		t.Fatal(err)
	}
	for same, want := range map[bool]float64{false: 1, true: 0} {
		// Of each training window the last five samples are heavy.
		s, err := EvaluateForecaster(context.Background(), BestMean{Order: 3}, days, l, smp.Calendar{}, w, p, &smp.EvaluateOptions{Train: 0.4, SameClock: same})
		if err != nil || s.Predicted != want || s.Empirical != 1 {
			t.Errorf("same clock %v: %+v, %v, want %v", same, s, err, want)
		}
	}
}
