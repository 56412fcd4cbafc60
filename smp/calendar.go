package smp

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"
)

// A Date is a calendar day.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day of t in its own location.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// add returns the date n days later.
func (d Date) add(n int) Date {
	// Most days are in the month and no calendar is needed.
	if day := d.Day + n; day >= 1 && day <= 28 && d.Day >= 1 && d.Day <= 28 {
		return Date{d.Year, d.Month, day}
	}
	return DateOf(time.Date(d.Year, d.Month, d.Day+n, 12, 0, 0, 0, time.UTC))
}

// Next returns the date of the day after.
func (d Date) Next() Date { return d.add(1) }

// Before reports whether d comes before e.
func (d Date) Before(e Date) bool { return d.Compare(e) < 0 }

// Compare is below 0 where d comes before e, above 0 where it comes after, and 0
// where both are one day.
func (d Date) Compare(e Date) int {
	return cmp.Or(cmp.Compare(d.Year, e.Year), cmp.Compare(d.Month, e.Month), cmp.Compare(d.Day, e.Day))
}

// A DayKind groups days whose load is expected to be alike.
type DayKind int

const (
	Weekday DayKind = iota
	Weekend         // Saturday and Sunday
	Holiday         // listed in the calendar; a kind of its own
)

func (k DayKind) String() string {
	switch k {
	case Weekday:
		return "weekday"
	case Weekend:
		return "weekend"
	case Holiday:
		return "holiday"
	}
	return fmt.Sprintf("DayKind(%d)", int(k))
}

// A Calendar says which days are alike and where the clock is read.
type Calendar struct {
	Location *time.Location // nil means UTC
	Holidays []Date         // days that are not what their weekday says
	// HolidaysApart makes holidays a kind of their own; otherwise they count
	// as Weekend.
	HolidaysApart bool

	ascending bool // the holidays, see NewCalendar
}

// NewCalendar returns a calendar whose holidays are searched, not walked through: thousands of them
// then take no longer than one.
func NewCalendar(location *time.Location, holidays []Date) Calendar {
	if !slices.IsSortedFunc(holidays, Date.Compare) {
		holidays = slices.Clone(holidays)
		sort.Slice(holidays, func(i, j int) bool { return holidays[i].Before(holidays[j]) })
	}
	return Calendar{Location: location, Holidays: holidays, ascending: true}
}

func (c Calendar) holiday(d Date) bool {
	if !c.ascending {
		return slices.Contains(c.Holidays, d)
	}
	_, found := slices.BinarySearchFunc(c.Holidays, d, Date.Compare)
	return found
}

// Kind returns the kind of a day.
func (c Calendar) Kind(d Date) DayKind {
	if c.holiday(d) {
		if c.HolidaysApart {
			return Holiday
		}
		return Weekend
	}
	switch time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, time.UTC).Weekday() {
	case time.Saturday, time.Sunday:
		return Weekend
	}
	return Weekday
}

// At returns the moment at which the clock shows the given time of day; on
// the day of a change of clocks as [time.Date] has it.
func (c Calendar) At(d Date, clock time.Duration) time.Time {
	loc := c.Location
	if loc == nil {
		loc = time.UTC
	}
	return time.Date(d.Year, d.Month, d.Day, 0, 0, int(clock/time.Second), int(clock%time.Second), loc)
}

// Date returns the day of a moment.
func (c Calendar) Date(t time.Time) Date {
	loc := c.Location
	if loc == nil {
		loc = time.UTC
	}
	return DateOf(t.In(loc))
}
