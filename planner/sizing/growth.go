package sizing

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A Growth says by how much more comes in than the load that is given: times a
// factor for a peak, and by a rate of growth until a date.
//
//	factor = Times · (1 + Rate)^y
//
// where y are the years of the calendar from AsOf to Until: whole ones to the same
// day, and the rest as a share of the year that it lies in.
type Growth struct {
	Times *units.Number `json:"times,omitempty"`           // nil: 1
	Rate  *GrowthRate   `json:"growth_per_year,omitempty"` // such as 20%/year
	Until *Date         `json:"until,omitempty"`
	AsOf  *Date         `json:"as_of,omitempty"` // of the load that is given; nil: today
}

// mostGrowth bounds the factor: beyond it a slip of the pen is likelier.
const mostGrowth = 1e9

// Today is the date of this machine's clock in UTC.
func Today() Date { return Date{time.Now().UTC().Truncate(24 * time.Hour)} }

// asOf is the date of the load that is given.
func (g *Growth) asOf() Date {
	if g.AsOf != nil {
		return *g.AsOf
	}
	return Today()
}

// Factor returns by how much the load grows. Errors: *ask.InputError.
func (g *Growth) Factor() (float64, error) {
	if g == nil {
		return 1, nil
	}
	factor := 1.0
	if g.Times != nil {
		if factor = float64(*g.Times); !(factor > 0) {
			return 0, ask.Inputf("times", "%v times the load is not a load, want a factor above 0 such as 1.5", factor)
		}
		if factor > mostGrowth {
			return 0, ask.Inputf("times", "%v is too much, want at most %g times the given load, such as 1.5",
				factor, mostGrowth)
		}
	}
	switch {
	case g.Rate == nil && g.Until != nil:
		return 0, ask.Inputf("growth", "{until} needs a rate of growth: want a {growth} such as 20%%/year")
	case g.Rate == nil && g.AsOf != nil:
		return 0, ask.Inputf("growth",
			"{as_of} is when growth begins, but nothing grows: want a {growth} such as 20%%/year")
	case g.Rate != nil && g.Until == nil:
		return 0, ask.Inputf("until", "growth needs an end: want a date such as 2027-06")
	case g.Rate != nil:
		years := g.asOf().years(*g.Until)
		if years < 0 {
			return 0, ask.Inputf("until", "%s lies before %s, the date of the given load: want a later date",
				g.Until, g.asOf())
		}
		factor *= math.Pow(1+float64(*g.Rate), years)
	}
	if !(factor <= mostGrowth) {
		return 0, ask.Inputf("growth",
			"the load grows to more than %g times its value, want less growth or an earlier date", mostGrowth)
	}
	return factor, nil
}

// note says in a line what the growth made of the load.
func (g *Growth) note(factor float64) string {
	return fmt.Sprintf("the load is %s times the given one: %s", units.FormatNumber(factor, 5), g.why())
}

// noteFrom says in a line of a load that was found, in erlangs, from which one it grows:
// none is given then.
func (g *Growth) noteFrom(load, factor float64) string {
	return fmt.Sprintf("the load is the one it grows to, from at most %s erl: %s", units.FormatNumber(load/factor, 5),
		g.why())
}

// why names what multiplies the load.
func (g *Growth) why() string {
	var why []string
	if g.Times != nil {
		why = append(why, "times "+g.Times.String())
	}
	if g.Rate != nil {
		year := units.FormatNumber(100*float64(*g.Rate), 5) // as given by month it has many digits
		why = append(why, fmt.Sprintf("%s%%/year from %s to %s", year, g.asOf(), g.Until))
	}
	return strings.Join(why, ", ")
}

// Grown returns the traffic with its growth put in, itself where there is none.
func (t *Traffic) Grown() (Traffic, error) {
	out := *t
	if t.Growth == nil {
		return out, nil
	}
	factor, err := t.Growth.Factor()
	if err != nil {
		return out, err
	}
	if t.Log != nil {
		return out, ask.Inputf("growth",
			"a log is the load that was, job by job: give its rate or load to let that grow")
	}
	if t.Curve != nil {
		more := *t.Curve
		more.Rate = make([]float64, len(t.Curve.Rate))
		for i, r := range t.Curve.Rate {
			more.Rate[i] = r * factor
		}
		out.Curve = &more
	}
	out.OfferedLoad, out.Rate = times(t.OfferedLoad, factor), times(t.Rate, factor)
	out.Growth = nil
	if factor != 1 {
		out.Notes = append(slices.Clone(t.Notes), t.Growth.note(factor))
	}
	return out, nil
}

// times is a range with all its points times a factor.
func times[T units.Quantity](r *units.Range[T], factor float64) *units.Range[T] {
	if r == nil {
		return nil
	}
	out := *r
	out.Low, out.Mode, out.High = T(float64(r.Low)*factor), T(float64(r.Mode)*factor), T(float64(r.High)*factor)
	return &out
}

// A GrowthRate is a share by which a load grows in a year, above −1; it is
// written 20%/year, −5%/year or 0.2/year.
type GrowthRate float64

const growthForm = "a growth such as 20%/year or 1.5%/month"

// Want describes the form that Set reads.
func (GrowthRate) Want() string { return growthForm }

// String returns a text that Set reads.
func (g GrowthRate) String() string { return units.FormatNumber(100*float64(g), 15) + "%/year" }

// Set reads a share per year or, compounded, per month.
func (g *GrowthRate) Set(s string) error {
	fail := func(reason string) error {
		return &units.ParseError{Input: s, Want: growthForm, Reason: reason}
	}
	share, per, ok := strings.Cut(strings.TrimSpace(s), "/")
	if !ok {
		return fail("it does not say in what time")
	}
	share = strings.Replace(strings.TrimSpace(share), "−", "-", 1)
	sign := 1.0
	if strings.HasPrefix(share, "-") {
		sign, share = -1, share[1:]
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(share), "%")
	var n units.Number
	if n.Set(number) != nil {
		return fail(fmt.Sprintf("%q is not a share", share))
	}
	v := sign * float64(n)
	if percent {
		v /= 100
	}
	switch strings.TrimSpace(per) {
	case "year", "yr", "y", "a":
	case "month", "mo":
		v = math.Expm1(12 * math.Log1p(v))
	default:
		return fail(fmt.Sprintf("%q is neither a year nor a month", strings.TrimSpace(per)))
	}
	if !(v > -1 && v <= 1e6) {
		return fail("nothing would be left, or the load would be too large for a number")
	}
	*g = GrowthRate(v)
	return nil
}

// MarshalText returns String.
func (g GrowthRate) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText is Set.
func (g *GrowthRate) UnmarshalText(b []byte) error { return g.Set(string(b)) }

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

// FallsShort says when a load that grows reaches the greatest that a fleet takes.
type FallsShort struct {
	Load   float64 `json:"load_today_erl"`
	Growth float64 `json:"growth_per_year"`
	AsOf   string  `json:"as_of"` // a date such as 2026-11-22
	// Date is the first day on which the load is above that; null: it never is,
	// or not within 200 years. AsOf: it is today.
	Date *string `json:"falls_short"`
	// Years are from AsOf to when the load is that, those of the calendar; null without
	// a date.
	Years *float64 `json:"years"`
	// Room is by how much the load may grow before, a factor.
	Room float64 `json:"room"`
}

// Days are those from AsOf to Date, 0 without one.
func (s *FallsShort) Days() int {
	var from, to Date
	if s.Date == nil || from.Set(s.AsOf) != nil || to.Set(*s.Date) != nil {
		return 0
	}
	return int(to.day.Sub(from.day).Hours() / 24)
}

// longest is the time ahead beyond which no date is named, years.
const longest = 200

// fallsShort finds when load grows beyond most:
//
//	(1 + g)^y · load = most, y = ln(most/load)/ln(1 + g)
func fallsShort(load, most float64, g GrowthRate, from Date) *FallsShort {
	s := &FallsShort{Load: load, Growth: float64(g), AsOf: from.String(), Room: most / load}
	years := 0.0
	if s.Room >= 1 {
		if years = math.Log(s.Room) / math.Log1p(float64(g)); !(g > 0) || years > longest {
			return s
		}
	}
	day := from.after(years)
	s.Date, s.Years = new(day.String()), &years
	return s
}
