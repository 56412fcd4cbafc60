package units

import (
	"math"
	"strconv"
	"strings"
)

// FormatNumber writes x for people with the given number of significant
// digits: thousands are grouped with commas, zeros after the point are
// dropped, and digits before the point are never rounded away, so that
// 123456.7 is 123,457 at any digits up to 6. An exponent is used from 1e15 up
// and below 1e-6. digits below 1 means 3. Values that are not finite are
// spelled out: infinite, undefined.
func FormatNumber(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "undefined"
	case math.IsInf(x, 1):
		return "infinite"
	case math.IsInf(x, -1):
		return "-infinite"
	case x == 0:
		return "0"
	}
	if digits < 1 {
		digits = 3
	}
	digits = min(digits, 17)
	mag := exponent(x, digits)
	if mag < -6 || mag >= 15 {
		m, e, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
		n, _ := strconv.Atoi(e)
		return trimZeros(m) + "e" + strconv.Itoa(n)
	}
	return group(trimZeros(strconv.FormatFloat(x, 'f', max(0, digits-1-mag), 64)))
}

// exponent returns the decimal exponent of x rounded to the given digits.
func exponent(x float64, digits int) int {
	_, e, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}

// round rounds x to the given significant digits.
func round(x float64, digits int) float64 {
	if digits < 1 {
		digits = 3
	}
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', min(digits, 17)-1, 64), 64)
	if err != nil {
		return x
	}
	return v
}

// trimZeros drops the zeros after a decimal point, and the point.
func trimZeros(s string) string {
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// group puts a comma between each three digits before the point.
func group(s string) string {
	whole, part, point := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		return sign + whole + "." + part
	}
	return sign + whole
}

// display writes v in the first of the units, from large to small, in which
// its rounded value is at least the unit's threshold; the last one otherwise.
func display(v float64, digits int, units []displayUnit) string {
	r := math.Abs(round(v, digits))
	u := units[len(units)-1]
	for _, c := range units {
		if r >= c.from {
			u = c
			break
		}
	}
	if v == 0 {
		for _, c := range units {
			if c.base {
				u = c
			}
		}
	}
	return FormatNumber(v*u.den/u.num, digits) + u.name
}

// A displayUnit is used from a threshold, in the base unit, up.
type displayUnit struct {
	unit
	from float64
	base bool
}

var durationDisplay = []displayUnit{
	{unit{" d", 86400, 1}, 2 * 86400, false},
	{unit{" h", 3600, 1}, 2 * 3600, false},
	{unit{" min", 60, 1}, 2 * 60, false},
	{unit{" s", 1, 1}, 1, true},
	{unit{" ms", 1, 1e3}, 1e-3, false},
	{unit{" us", 1, 1e6}, 1e-6, false},
	{unit{" ns", 1, 1e9}, 0, false},
}

// year is the 8,760 hours of prices, s.
const year = 8760 * 3600

// FormatDuration writes seconds for people: 250 ms, 90 s, 2.5 min, 36 h, 3.2 d.
// A larger unit takes over from two of it; digits as in [FormatNumber]. From ten
// years up it is years, which are rounded to the digits before the point too, and
// from a million of them up with an exponent.
func FormatDuration(seconds float64, digits int) string {
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return FormatNumber(seconds, digits)
	}
	if years := round(math.Abs(seconds)/year, digits); years >= 10 {
		sign := ""
		if seconds < 0 {
			sign = "-"
		}
		return sign + formatYears(years, digits)
	}
	return display(seconds, digits, durationDisplay)
}

// formatYears writes a number of years, as [FormatDuration] does.
func formatYears(years float64, digits int) string {
	years = round(years, digits)
	if years < 1e6 {
		return FormatNumber(years, digits) + " years"
	}
	m, e, _ := strings.Cut(strconv.FormatFloat(years, 'e', -1, 64), "e+")
	return m + "e" + strings.TrimLeft(e, "0") + " years"
}

var rateDisplay = []displayUnit{
	{unit{"/s", 1, 1}, 1, true},
	{unit{"/min", 1, 60}, 1. / 60, false},
	{unit{"/h", 1, 3600}, 1. / 3600, false},
	{unit{"/d", 1, 86400}, 0, false},
}

// FormatRate writes a rate per second for people in the first of /s, /min, /h
// and /d in which it is at least 1; digits as in [FormatNumber].
func FormatRate(perSecond float64, digits int) string {
	if math.IsNaN(perSecond) || math.IsInf(perSecond, 0) {
		return FormatNumber(perSecond, digits)
	}
	return display(perSecond, digits, rateDisplay)
}

// FormatFraction writes a fraction of 1 for people in percent, and as a plain number below 1e-7;
// digits as in [FormatNumber]. A value below 1 is never rounded to 100%: it gets as many more
// digits as that takes, and within 1e-10 of 1, which no computation can resolve, it is written >
// 99.99999999%.
func FormatFraction(f float64, digits int) string {
	if math.IsNaN(f) || math.IsInf(f, 0) || f != 0 && math.Abs(f) < 1e-7 {
		return FormatNumber(f, digits)
	}
	if f < 1 && f > 1-1e-10 {
		return "> 99.99999999%"
	}
	s := FormatNumber(f*100, digits)
	for d := max(digits, 3); f < 1 && s == "100"; d++ {
		s = FormatNumber(f*100, d)
	}
	return s + "%"
}

// FormatOrdinal writes the percentile of a probability p, 0 < p < 1, for
// people: 95th, 99.9th, 1st. As in [FormatFraction], no p below 1 is the 100th.
func FormatOrdinal(p float64) string {
	s := FormatNumber(p*100, 6)
	for d := 7; p < 1 && s == "100" && d <= 17; d++ {
		s = FormatNumber(p*100, d)
	}
	if p < 1 && s == "100" {
		return "(1 - " + FormatNumber(1-p, 3) + ")"
	}
	whole, _ := strconv.Atoi(s) // a decimal ends in th
	switch {
	case whole%100 == 11 || whole%100 == 12 || whole%100 == 13:
		return s + "th"
	case whole%10 == 1:
		return s + "st"
	case whole%10 == 2:
		return s + "nd"
	case whole%10 == 3:
		return s + "rd"
	}
	return s + "th"
}

var sizeDisplay = []displayUnit{
	{unit{" PB", 1e15, 1}, 1e15, false},
	{unit{" TB", 1e12, 1}, 1e12, false},
	{unit{" GB", 1e9, 1}, 1e9, false},
	{unit{" MB", 1e6, 1}, 1e6, false},
	{unit{" kB", 1e3, 1}, 1e3, false},
	{unit{" B", 1, 1}, 0, true},
}

// FormatSize writes bytes for people: 1.5 MB; digits as in [FormatNumber].
func FormatSize(bytes float64, digits int) string {
	if math.IsNaN(bytes) || math.IsInf(bytes, 0) {
		return FormatNumber(bytes, digits)
	}
	return display(bytes, digits, sizeDisplay)
}

var bandwidthDisplay = []displayUnit{
	{unit{" Tbit/s", 1e12, 1}, 1e12, false},
	{unit{" Gbit/s", 1e9, 1}, 1e9, false},
	{unit{" Mbit/s", 1e6, 1}, 1e6, false},
	{unit{" kbit/s", 1e3, 1}, 1e3, false},
	{unit{" bit/s", 1, 1}, 0, true},
}

// FormatBandwidth writes bits per second for people: 100 Mbit/s; digits as in
// [FormatNumber].
func FormatBandwidth(bitsPerSecond float64, digits int) string {
	if math.IsNaN(bitsPerSecond) || math.IsInf(bitsPerSecond, 0) {
		return FormatNumber(bitsPerSecond, digits)
	}
	return display(bitsPerSecond, digits, bandwidthDisplay)
}
