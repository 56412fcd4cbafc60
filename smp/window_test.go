package smp

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

func at(y int, m time.Month, d, h, minute int, loc *time.Location) time.Time {
	return time.Date(y, m, d, h, minute, 0, 0, loc)
}

// hourly is a history of one state a step of an hour from the given moment.
func hourly(t *testing.T, from time.Time, digits string) *History {
	t.Helper()
	h := &History{Period: 3600}
	first := h.StepAt(from)
	for i, s := range path(digits) {
		if err := h.Add(Run{s, first + int64(i), 1}); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func TestCut(t *testing.T) {
	h := hourly(t, at(2026, 1, 5, 0, 0, time.UTC), "1112233111")
	first := h.Runs[0].First
	parts, known := h.Cut(first+2, 5) // steps 2..7: 1 22 33 1
	want := []Sequence{{
		{State: 0, Steps: 1, Elapsed: 2, Next: 1, Undated: true},
		{State: 1, Steps: 2, Next: 2}, {State: 2, Steps: 2, Next: 0},
		{State: 0, Steps: 1, Next: Cut}}}
	if !reflect.DeepEqual(want, parts) || known != 6 {
		t.Errorf("Cut: known %d, %+v, want 6, %+v", known, parts, want)
	}
	parts, _ = h.Cut(first+4, 2) // 2 33 with the entry of 2 known
	if v := parts[0][0]; v.Elapsed != 1 || v.Undated {
		t.Errorf("first sojourn %+v, want age 1, dated", v)
	}
	// An interrupted record.
	if err := h.Add(Run{0, first + 14, 4}); err != nil {
		t.Fatal(err)
	}
	parts, known = h.Cut(first+9, 7) // step 9 known, 10..13 not, 14..16 known
	if len(parts) != 2 || known != 4 || !parts[1][0].Undated || parts[0][0].Next != Cut {
		t.Errorf("interrupted: known %d, %+v", known, parts)
	}
	if err := h.Add(Run{0, first + 15, 4}); err == nil {
		t.Error("an overlapping run was taken")
	}
}

// Whoever adds to one part of what was cut does not change the next.
func TestCutPartsAreApart(t *testing.T) {
	h := &History{Period: 60, Runs: []Run{{State: 0, First: 0, Steps: 2}, {State: 1, First: 5, Steps: 2}}}
	parts, known := h.Cut(0, 6)
	_ = append(parts[0], Sojourn{State: 3})
	if known != 4 || len(parts) != 2 || parts[1][0].State != 1 || !parts[1][0].Undated {
		t.Errorf("%v, %d", parts, known)
	}
}

func TestDays(t *testing.T) {
	// Four weeks of hours from Monday 2026-01-05, all S1.
	from := at(2026, 1, 5, 0, 0, time.UTC)
	h := &History{Period: 3600}
	if err := h.Add(Run{S1, h.StepAt(from), 28 * 24}); err != nil {
		t.Fatal(err)
	}
	cal := Calendar{Holidays: []Date{{2026, 1, 21}}}
	w := Window{Clock: 22 * time.Hour, Steps: 5}
	now := at(2026, 1, 24, 12, 0, time.UTC) // a Saturday
	days, _, err := h.Days(cal, w, Weekday, now, 4)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range days {
		got = append(got, d.Date.String())
		if !d.Whole || d.Parts[0].Samples() != 6 {
			t.Errorf("%v: %+v", d.Date, d)
		}
	}
	// Friday's window ends on Saturday at 3; the 21st is a holiday.
	if want := []string{"2026-01-19", "2026-01-20", "2026-01-22", "2026-01-23"}; !reflect.DeepEqual(got, want) {
		t.Errorf("days %v, want %v", got, want)
	}
	days, _, _ = h.Days(cal, w, Weekend, now, 0)
	// 10, 11, 17, 18, the holiday, and the last hours of Sunday the 4th's.
	if n := len(days); n != 6 || days[0].Whole {
		t.Errorf("%d weekend days, want 6, the first in part", n)
	}
	cal.HolidaysApart = true
	days, _, _ = h.Days(cal, w, Holiday, now, 0)
	if len(days) != 1 || days[0].Date != (Date{2026, 1, 21}) {
		t.Errorf("holidays: %+v", days)
	}
	// The last window before now must have ended.
	days, _, _ = h.Days(cal, w, Weekday, at(2026, 1, 24, 2, 0, time.UTC), 1)
	if days[0].Date != (Date{2026, 1, 22}) {
		t.Errorf("an unfinished window was used: %v", days[0].Date)
	}
	// Days without the window are named.
	h.Runs = append(h.Runs[:0], Run{S1, h.StepAt(from), 24}, Run{S1, h.StepAt(from) + 72, 24})
	days, without, _ := h.Days(cal, Window{Clock: 8 * time.Hour, Steps: 2}, Weekday, at(2026, 1, 9, 0, 0, time.UTC), 0)
	if len(days) != 2 || len(without) != 2 {
		t.Errorf("%d days, %d without, want 2 and 2", len(days), len(without))
	}
	if days, _, err := (&History{Period: 6}).Days(cal, w, Weekday, now, 3); err != nil || len(days) != 0 {
		t.Errorf("an empty history: %v, %v", days, err)
	}
}

func TestDaysAtChangeOfClocks(t *testing.T) {
	loc := time.FixedZone("fixed", 3600)
	h := &History{Period: 3600}
	if err := h.Add(Run{S1, h.StepAt(at(2026, 3, 2, 0, 0, loc)), 24 * 3}); err != nil {
		t.Fatal(err)
	}
	days, _, err := h.Days(Calendar{Location: loc}, Window{Clock: 8 * time.Hour, Steps: 1}, Weekday, at(2026, 3, 4, 0, 0, loc), 0)
	if err != nil || len(days) != 2 {
		t.Fatalf("%d days, %v", len(days), err)
	}
	if got := days[0].Parts[0][0].Elapsed; got != 8 {
		t.Errorf("the window begins %d h after midnight in its zone, want 8", got)
	}
}

// Holidays are found in any order, by a search or by a walk.
func TestHolidaysInAnyOrder(t *testing.T) {
	days := []Date{{2026, 3, 6}, {2025, 12, 25}, {2026, 3, 4}, {2025, 12, 25}}
	walked, searched := Calendar{Holidays: days}, NewCalendar(nil, days)
	for d := (Date{2025, 12, 1}); d.Before(Date{2026, 4, 1}); d = d.Next() {
		want := Weekday
		if wd := (Calendar{}).At(d, 0).Weekday(); wd == time.Saturday || wd == time.Sunday || slices.Contains(days, d) {
			want = Weekend
		}
		if a, b := walked.Kind(d), searched.Kind(d); a != want || b != want {
			t.Errorf("%v is %v by a walk, %v by a search, want %v", d, a, b, want)
		}
	}
	if days[0] != (Date{2026, 3, 6}) {
		t.Error("the holidays given were moved")
	}
}
