package units

import "math"

// A Column writes quantities of one kind that stand below each other, such as the
// mean waits of several queues, in one unit.
type Column struct {
	unit  *displayUnit // nil: each has its own
	alone func(float64, int) string
}

// DurationColumn chooses the unit for times in seconds: that which suits the
// least of them, or a larger one where the greatest would be a thousand or more. Times
// that lie too far apart for one unit, more than a million to one, keep their own,
// and so do all where one is of ten years or more.
func DurationColumn(seconds []float64) Column {
	for _, s := range seconds {
		if math.Abs(s) >= 10*year {
			return Column{alone: FormatDuration}
		}
	}
	return columnOf(seconds, durationDisplay, FormatDuration)
}

// RateColumn chooses the unit for rates per second as [DurationColumn] does.
func RateColumn(perSecond []float64) Column { return columnOf(perSecond, rateDisplay, FormatRate) }

const (
	handy = 1000 // below it a number is read at a glance
	apart = 1e6
)

func columnOf(values []float64, units []displayUnit, alone func(float64, int) string) Column {
	least, most := math.Inf(1), 0.0
	for _, v := range values {
		if v != 0 && !math.IsNaN(v) && !math.IsInf(v, 0) {
			least, most = min(least, math.Abs(v)), max(most, math.Abs(v))
		}
	}
	if most == 0 || most > apart*least {
		return Column{alone: alone}
	}
	at := len(units) - 1
	for i, u := range units {
		if least >= u.from {
			at = i
			break
		}
	}
	for at > 0 && grows(units[at-1], units[at]) && suits(units[at-1], units[at], least, most) {
		at--
	}
	return Column{&units[at], alone}
}

// suits reports whether a larger unit reads better: the greatest is no handy number
// in the smaller one, and the least does not become a small fraction of a minute,
// which nobody reads, unless the greatest had too many digits otherwise.
func suits(larger, smaller displayUnit, least, most float64) bool {
	inSmaller := most * smaller.den / smaller.num
	inLarger := least * larger.den / larger.num
	return inSmaller >= handy && (inLarger >= 0.1 || smaller.den == 1000*larger.den || inSmaller >= 100*handy)
}

// grows reports whether the same quantity is a smaller number in a.
func grows(a, b displayUnit) bool { return a.den/a.num < b.den/b.num }

// Write writes a quantity in the unit of the column; digits as in [FormatNumber].
func (c Column) Write(v float64, digits int) string {
	switch {
	case c.unit != nil && !math.IsNaN(v) && !math.IsInf(v, 0):
		return FormatNumber(v*c.unit.den/c.unit.num, digits) + c.unit.name
	case c.alone != nil:
		return c.alone(v, digits)
	}
	return FormatNumber(v, digits)
}
