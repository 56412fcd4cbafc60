package growth

import (
	"fmt"
	"math"
	"strings"

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
	Rate  *Rate         `json:"growth_per_year,omitempty"` // such as 20%/year
	Until *Date         `json:"until,omitempty"`
	AsOf  *Date         `json:"as_of,omitempty"` // of the load that is given; nil: today
}

// mostGrowth bounds the factor: beyond it a slip of the pen is likelier.
const mostGrowth = 1e9

// asOf is the date of the load that is given.
func (g *Growth) asOf() Date {
	if g != nil && g.AsOf != nil {
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

// Note says in a line what the growth made of the load.
func (g *Growth) Note(factor float64) string {
	return fmt.Sprintf("the load is %s times the given one: %s", units.FormatNumber(factor, 5), g.why())
}

// NoteFrom says in a line of a load that was found, in erlangs, from which one it grows:
// none is given then.
func (g *Growth) NoteFrom(load, factor float64) string {
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
