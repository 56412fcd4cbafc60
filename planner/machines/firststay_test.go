package machines_test

import (
	"context"
	"testing"

	"github.com/capplan/capplan/planner/machines"
)

// atNine is 21 days of a machine that fails at nine each morning for half an hour.
func atNine() *machines.Trace {
	h := &machines.Trace{Name: "nine", Step: 300}
	const monday = 1767571200 // 2026-01-05
	for d := range 21 {
		at := float64(monday + 86400*d)
		h.Spells = append(h.Spells,
			machines.Spell{Start: at, End: at + 9*3600, Up: true},
			machines.Spell{Start: at + 9*3600, End: at + 9.5*3600},
			machines.Spell{Start: at + 9.5*3600, End: at + 24*3600, Up: true})
	}
	return h
}

// What comes after the failure of nine says next to nothing of the time from
// midnight: none of 15 weekdays is free for 23 hours.
func TestPredictFailsAtNine(t *testing.T) {
	window := machines.DayWindow{Day: "weekday", Window: 23 * 3600, Days: 15}
	a, err := machines.Predict(context.Background(), &machines.PredictQuestion{Host: atNine(), DayWindow: window, Seed: 1, Resamples: 50})
	if err != nil {
		t.Fatal(err)
	}
	if a.Days != 15 || a.ObservedDays != 15 || *a.Observed != 0 {
		t.Fatalf("%+v", a)
	}
	if a.TemporalReliability > 1.0/15 || *a.Low != 0 || *a.High < 0.15 || *a.High > 0.2 {
		t.Errorf("%v in %v .. %v, want at most one of 16 in 0 .. 18.1 %%", a.TemporalReliability, *a.Low, *a.High)
	}
	window.Window = 8 * 3600
	if a, err = machines.Predict(context.Background(), &machines.PredictQuestion{Host: atNine(), DayWindow: window, Seed: 1, Resamples: 50}); err != nil || a.TemporalReliability != 1 {
		t.Errorf("until eight %+v, %v, want 1", a.TemporalReliability, err)
	}
}
