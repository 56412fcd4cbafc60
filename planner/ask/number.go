package ask

import (
	"math"
	"strconv"
	"strings"

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

// Figure returns a pointer to v, nil where v is not finite.
func Figure(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Percent writes a probability in percent to that many digits, or as many as
// tell one below 1 from 100 %.
func Percent(p float64, digits int) string {
	return strings.Replace(units.FormatFraction(p, digits), "%", " %", 1)
}
