package growth

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/units"
)

func TestFactor(t *testing.T) {
	g := Growth{Times: new(units.Number(1.5)), Rate: new(Rate), Until: new(Date), AsOf: new(Date)}
	for _, set := range []error{g.Rate.Set("20%/year"), g.Until.Set("2027-06"), g.AsOf.Set("2026-11-22")} {
		if set != nil {
			t.Fatal(set)
		}
	}
	got, err := g.Factor()
	if err != nil {
		t.Fatal(err)
	}
	// 191 days from 22 November to 1 June.
	numtest.Close(t, "factor", got, 1.5*math.Pow(1.2, 191.0/365), 1e-14)
	var monthly Rate
	if err := monthly.Set("1%/month"); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "monthly", float64(monthly), math.Pow(1.01, 12)-1, 1e-13)
	for _, bad := range []string{"20%", "20/decade", "x%/year", "-100%/year", ""} {
		if err := monthly.Set(bad); err == nil {
			t.Errorf("accepted %q", bad)
		}
	}
}

// A year is from date to date, whether a 29 February lies in it or not, and the day
// after so many years is the day that lies so many years on.
func TestYearsFromDateToDate(t *testing.T) {
	date := func(s string) Date {
		var d Date
		if err := d.Set(s); err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		from, to string
		years    float64
	}{
		{"2026-11-22", "2026-11-22", 0}, {"2026-11-22", "2027-11-22", 1}, {"2027-11-22", "2028-11-22", 1},
		{"2026-11-22", "2036-11-22", 10}, {"2024-02-29", "2025-03-01", 1}, {"2024-02-29", "2028-02-29", 4},
		{"2027-03-01", "2028-02-29", 365.0 / 366},
		{"2026-01-01", "2028-07-01", 2 + 182.0/366}, {"2026-06-02", "2026-06-01", -1.0 / 365},
	} {
		if got := date(c.from).years(date(c.to)); math.Abs(got-c.years) > 1e-12 {
			t.Errorf("%s to %s: %v years, want %v", c.from, c.to, got, c.years)
		}
		if got := date(c.from).after(c.years - 1e-9); c.years >= 0 && got != date(c.to) {
			t.Errorf("%v years after %s: %s, want %s", c.years, c.from, got, c.to)
		}
	}
}
