package sweeps

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/units"
)

// MostPoints bounds a sweep: beyond it the rows no longer fit in memory.
const MostPoints = 1_000_000

// An Axis is one swept flag with its values as they would be typed. Values keep their units and
// their spelling, and are given to the flag as they are.
type Axis struct {
	Flag   string
	Values []string
}

// AxisWant is the form of an axis.
const AxisWant = "flag=start:stop:step or flag=a,b,c, such as load=100:200:10 or service-time=1min,2min"

// ParseAxis reads an axis such as load=100:200:10. Errors: *OptionError. Its context ends the
// expansion of a long range.
func ParseAxis(ctx context.Context, s string) (Axis, error) {
	name, spec, ok := strings.Cut(s, "=")
	name = strings.TrimLeft(strings.TrimSpace(name), "-")
	if !ok || name == "" || spec == "" {
		return Axis{}, bad(s, " is not a range of a flag, want "+AxisWant)
	}
	// A list may hold times of day, such as 08:00,12:30.
	if !strings.Contains(spec, ":") || strings.Contains(spec, ",") {
		a := Axis{Flag: name}
		for _, v := range strings.Split(spec, ",") {
			if v = strings.TrimSpace(v); v == "" {
				return Axis{}, bad(s, " has an empty value, want "+AxisWant)
			}
			a.Values = append(a.Values, v)
		}
		return a, nil
	}
	parts := strings.Split(spec, ":")
	if len(parts) != 3 {
		return Axis{}, bad(s, " does not have three parts, want "+AxisWant)
	}
	values, err := steps(ctx, parts)
	if err != nil && ctx.Err() != nil {
		return Axis{}, err
	}
	if err != nil {
		return Axis{}, bad(s, ": "+err.Error())
	}
	return Axis{name, values}, nil
}

// bad refuses the text of an axis.
func bad(text, why string) error { return &OptionError{"over", spell.Quote(text) + why} }

// leadingNumber splits a value of an axis. Groups: the number, and the unit behind it.
var leadingNumber = regexp.MustCompile(`^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*$`)

// steps expands start:stop:step, all in the same unit or with the unit on the
// last ones only. The last value is the greatest that does not pass stop.
func steps(ctx context.Context, parts []string) ([]string, error) {
	var number [3]float64
	unit := ""
	// From the end on, since a unit on the last part holds for those before.
	for i := 2; i >= 0; i-- {
		m := leadingNumber.FindStringSubmatch(parts[i])
		if m == nil {
			return nil, fmt.Errorf("%s does not start with a number, want %s", spell.Quote(parts[i]), AxisWant)
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return nil, fmt.Errorf("%s is too large", spell.Quote(parts[i]))
		}
		if m[2] != "" && unit != "" && m[2] != unit || m[2] != "" && unit == "" && i < 2 {
			return nil, fmt.Errorf("start, stop and step have different units, want the same unit, as in " +
				"1min:5min:0.5min")
		}
		if m[2] != "" {
			unit = m[2]
		}
		number[i] = v
	}
	start, stop, step := number[0], number[1], number[2]
	// A range may fall, by a step below 0.
	if step == 0 || (stop-start)/step < 0 {
		return nil, fmt.Errorf("a step of %g does not lead from %g to %g", step, start, stop)
	}
	// 1e-9 of a step takes a stop that rounding has moved for the stop.
	n := math.Floor((stop-start)/step+1e-9) + 1
	if !(n < math.MaxInt64) {
		return nil, fmt.Errorf("too many points to count, want at most %d", MostPoints)
	}
	// The number is checked before any value is made.
	if n > MostPoints {
		return nil, fmt.Errorf("%.0f points, want at most %d", n, MostPoints)
	}
	// All values are parts of one text: a million of their own would be a burden.
	text := make([]byte, 0, 7*int(n))
	ends := make([]int, int(n))
	for i := range ends {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := start + float64(i)*step
		if whole := int64(v); float64(whole) == v && -1e6 < v && v < 1e6 && whole != 0 {
			text = strconv.AppendInt(text, whole, 10) // as below, in a tenth of the time
		} else {
			// Twelve digits: 0.1 + 2·0.1 is 0.3.
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
			text = strconv.AppendFloat(text, v, 'g', -1, 64)
		}
		text = append(text, unit...)
		ends[i] = len(text)
	}
	values, all, begin := make([]string, len(ends)), string(text), 0
	for i, end := range ends {
		values[i], begin = all[begin:end], end
	}
	return values, nil
}

// number returns the number at the start of a swept value, for an axis of
// a plot. ok is false where it begins with no number.
func number(s string) (v float64, unit string, ok bool) {
	m := leadingNumber.FindStringSubmatch(s)
	if m == nil {
		return 0, "", false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	return v, m[2], err == nil
}

// Numbers returns the swept values as numbers in one unit, which is that of
// the values where they all have the same, and else the base unit. nil where a value is no number
// in any of these units. The keys are the values as they were typed. 500ms and 2s stand on one axis
// of seconds.
func (a *Axis) Numbers() (numbers map[string]float64, unit string) {
	numbers = map[string]float64{}
	same := true
	for i, s := range a.Values {
		v, u, ok := number(s)
		if !ok {
			return nil, ""
		}
		if i > 0 && u != unit {
			same = false
		}
		numbers[s], unit = v, u
	}
	if same {
		return numbers, unit
	}
	// The first kind of quantity that reads all values gives the unit.
	for _, q := range []struct {
		parse func(string) (float64, error)
		unit  string
	}{
		{parsed[units.Duration], "s"},
		{parsed[units.Rate], "per s"},
		{parsed[units.Fraction], ""},
		{parsed[units.Size], "bytes"},
		{parsed[units.Bandwidth], "bit/s"},
	} {
		all := true
		for _, s := range a.Values {
			v, err := q.parse(s)
			if err != nil {
				all = false
				break
			}
			numbers[s] = v
		}
		if all {
			return numbers, q.unit
		}
	}
	return nil, ""
}

// parsed reads a quantity as a plain number in its base unit.
func parsed[T units.Quantity](s string) (float64, error) {
	v, err := units.Parse[T](s)
	return float64(v), err
}
