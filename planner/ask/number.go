package ask

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/capplan/capplan/units"
)

// Digits prints a number with seven digits, enough to follow a calculation.
func Digits(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	}
	return strconv.FormatFloat(v, 'g', 7, 64)
}

// Sprintf is fmt.Sprintf, but that %v writes a float64 as [Digits] does.
func Sprintf(format string, args ...any) string {
	for i, a := range args {
		if v, ok := a.(float64); ok {
			args[i] = number(v)
		}
	}
	return fmt.Sprintf(format, args...)
}

// A number is written by [Digits].
type number float64

func (n number) String() string { return Digits(float64(n)) }

// Figure returns a pointer to v, nil where v is not finite.
func Figure(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Percent writes a probability in percent to that many digits, or as many as
// tell one below 1 from 100%.
func Percent(p float64, digits int) string { return units.FormatFraction(p, digits) }

// Time writes seconds in an error or a warning as whoever typed 8h would read them.
func Time(s float64) string { return units.FormatDuration(s, 7) }

// Clock writes a time of day.
func Clock(s float64) string {
	d := time.Duration(s * float64(time.Second))
	text := fmt.Sprintf("%02d:%02d", int(d.Hours()), int(d.Minutes())%60)
	if rest := d % time.Minute; rest != 0 {
		text += fmt.Sprintf(":%02d", int(rest.Seconds()))
	}
	return text
}

// Counted writes a number of things, which may be a mean: 1 server, 2 servers.
func Counted[N ~int | ~int64 | ~float64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return units.FormatNumber(float64(n), 6) + " " + noun
}

// Value returns what a field that may be left out holds, else the zero value.
func Value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Or returns what a number that may be left out holds, in SI units, else another.
func Or[N, T ~float64 | ~int | ~int64](p *N, otherwise T) T {
	if p != nil {
		return T(*p)
	}
	return otherwise
}

// Likely returns the most likely value of a range that may be left out, in SI units, else
// another.
func Likely[T units.Quantity](r *units.Range[T], otherwise float64) float64 {
	if r == nil {
		return otherwise
	}
	return float64(r.Nominal())
}

// Number returns what a quantity that may be left out holds in SI units, nil where it
// is left out.
func Number[T ~float64](p *T) *float64 {
	if p == nil {
		return nil
	}
	return new(float64(*p))
}

// Whole returns what a count that may be left out holds, nil where it is left out. A count
// that is kept as a float is whole.
func Whole[T ~int64 | ~float64](p *T) *int64 {
	if p == nil {
		return nil
	}
	return new(int64(*p))
}
