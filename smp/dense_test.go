package smp

import (
	"testing"
	"time"
)

// Ten Mondays to Fridays of hours from 8 to 16, of which the first three are
// in the record for one, four and five of nine samples: the first two are in
// neither set, and the others are divided in two.
func TestSplitDaysLeavesOutSparseDays(t *testing.T) {
	h := &History{Period: 3600}
	for day := range 12 {
		known := 9
		if day < 3 {
			known = []int{1, 4, 5}[day]
		}
		from := at(2026, 1, 5+day, 8, 0, time.UTC) // a Monday
		if err := h.Add(Run{S1, h.StepAt(from), int64(known)}); err != nil {
			t.Fatal(err)
		}
	}
	days, _, err := h.Days(Calendar{}, Window{Clock: 8 * time.Hour, Steps: 8}, Weekday, at(2026, 1, 17, 0, 0, time.UTC), 0)
	if err != nil || len(days) != 10 {
		t.Fatalf("%d days, %v", len(days), err)
	}
	s, err := SplitDays(FiveStates(), days, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Sparse != 2 || len(s.Train) != 4 || len(s.Test) != 4 || s.Excluded != 0 || s.Train[0].Date.Day != 7 {
		t.Errorf("%d sparse, %d to train on from %v, %d to test, %d excluded", s.Sparse, len(s.Train), s.Train[0].Date, len(s.Test), s.Excluded)
	}
	if len(days) != 10 || days[0].Date.Day != 5 {
		t.Error("the caller's days were changed")
	}
}
