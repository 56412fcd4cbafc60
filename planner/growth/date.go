package growth

import (
	"math"
	"strings"
	"time"

	"github.com/capplan/capplan/units"
)

// A Date is a day, the first of its month or year where that is all that is
// written: 2027, 2027-06 or 2027-06-15.
type Date struct{ day time.Time }

const dateForm = "a date such as 2027-06 or 2027-06-15"

// Want describes the form that Set reads.
func (Date) Want() string { return dateForm }

// String returns a text that Set reads.
func (d Date) String() string { return d.day.Format(time.DateOnly) }

// Set reads a date.
func (d *Date) Set(s string) error {
	for _, form := range []string{time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(form, strings.TrimSpace(s)); err == nil && t.Year() >= 1900 {
			d.day = t
			return nil
		}
	}
	return &units.ParseError{Input: s, Want: dateForm, Reason: "it is not a day since 1900"}
}

// MarshalText returns String.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText is Set.
func (d *Date) UnmarshalText(b []byte) error { return d.Set(string(b)) }

// MarshalJSON returns String in quotes.
func (d Date) MarshalJSON() ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }

// UnmarshalJSON reads a date in quotes.
func (d *Date) UnmarshalJSON(b []byte) error { return d.Set(strings.Trim(string(b), `"`)) }

// Today is the date of this machine's clock in UTC.
func Today() Date { return Date{time.Now().UTC().Truncate(24 * time.Hour)} }

// years from d to another date, by the calendar: a load that grows by 20 % a year is
// 1.2 times as much on the same day of the next, which leap years do not change.
func (d Date) years(to Date) float64 {
	whole := to.day.Year() - d.day.Year()
	if d.day.AddDate(whole, 0, 0).After(to.day) {
		whole--
	}
	from, next := d.day.AddDate(whole, 0, 0), d.day.AddDate(whole+1, 0, 0)
	return float64(whole) + float64(to.day.Sub(from))/float64(next.Sub(from))
}

// after returns the first day that is at least that many years after d.
func (d Date) after(years float64) Date {
	whole := int(math.Floor(years))
	from, next := d.day.AddDate(whole, 0, 0), d.day.AddDate(whole+1, 0, 0)
	rest := (years - float64(whole)) * next.Sub(from).Hours() / 24
	return Date{from.AddDate(0, 0, int(math.Ceil(rest)))}
}
