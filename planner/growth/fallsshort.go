package growth

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
)

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

// Beyond finds when a load, erlang above 0, that grows by the rate from the date of the given one
// is more than the most that a fleet takes, erlang:
//
//	(1 + g)^y · load = most, y = ln(most/load)/ln(1 + g)
//
// Neither the factor for a peak nor the end of the growth counts.
func (g *Growth) Beyond(load, most float64) *FallsShort {
	rate, from := float64(ask.Value(g.Rate)), g.asOf()
	s := &FallsShort{Load: load, Growth: rate, AsOf: from.String(), Room: most / load}
	years := 0.0
	if s.Room >= 1 {
		if years = math.Log(s.Room) / math.Log1p(rate); !(rate > 0) || years > longest {
			return s
		}
	}
	day := from.after(years)
	s.Date, s.Years = new(day.String()), &years
	return s
}
