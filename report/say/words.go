package say

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/capplan/capplan/units"
)

// Number writes a number with as many digits.
func Number(v float64, digits int) string { return units.FormatNumber(v, digits) }

// Fraction writes a fraction in percent.
func Fraction(v float64, digits int) string { return units.FormatFraction(v, digits) }

// Asked is [Fraction] of a share that is asked for: of one within 1e-10 of 1 a figure
// says that it lies above 99.99999999 %, a limit says how far below 1.
func Asked(v float64, digits int) string {
	if v < 1 && v > 1-1e-10 {
		return "1 - " + Number(1-v, 3)
	}
	return Fraction(v, digits)
}

// Duration writes a time in seconds in the unit that suits it.
func Duration(v float64, digits int) string { return units.FormatDuration(v, digits) }

// Rate writes a rate per second in the unit that suits it.
func Rate(v float64, digits int) string { return units.FormatRate(v, digits) }

// Erlangs writes an offered load. Five digits tell a hundredth of an erlang in a load of some
// hundreds.
func Erlangs(v float64) string { return units.FormatNumber(v, 5) + " erl" }

// Maybe writes a figure that may be missing.
func Maybe[T string | Quantity](p *float64, write func(float64, int) T, digits int) (cell T) {
	if p == nil {
		return cell
	}
	return write(*p, digits)
}

// Sized is [Maybe] with its unit, or nothing.
func Sized(before, text, after string) string {
	if text == "" {
		return ""
	}
	return before + text + after
}

// Optional shows a value that may be missing.
func Optional[T any](p *T, show func(T) string) string {
	if p == nil {
		return ""
	}
	return show(*p)
}

// Many is [Plural] for a number that may not be whole.
func Many(v float64, noun string) string {
	if v == 1 {
		return "1 " + noun
	}
	return Number(v, 7) + " " + noun + "s"
}

type whole interface {
	~int | ~int64 | ~uint64 | ~int32
}

// Count writes a whole number.
func Count[N whole](n N) string { return units.FormatNumber(float64(n), 6) }

// Plural writes a number of things; several are called by the noun with an s
// unless it says otherwise.
func Plural[N whole](n N, noun string, several ...string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case len(several) > 0:
		return Count(n) + " " + several[0]
	}
	return Count(n) + " " + noun + "s"
}

// Money writes an amount with thousands and, where it is below a thousand and not
// whole, cents; a small one with more digits.
func Money(v float64) string {
	if v < 0 {
		return "-" + Money(-v)
	}
	cents := math.Round(v * 100)
	switch {
	case math.Round(v) == v || v >= 999.995:
		return Number(math.Round(v), 6)
	case v >= 1 || math.Abs(v*100-cents) < 1e-7:
		if math.Mod(cents, 100) == 0 {
			return Number(cents/100, 8)
		}
		return fmt.Sprintf("%s.%02d", Number(math.Trunc(cents/100), 8), int64(cents)%100)
	}
	return Number(v, 4)
}

// Price writes an amount per hour as the prices that it comes from are written;
// nil: without a currency, per hour. From a thousand on nobody writes cents:
// $1,234/month.
func Price(form *units.PriceForm, v float64) string {
	amount := units.ExactCents(form.Amount(v))
	if math.Abs(amount) >= 999.995 {
		amount = math.Round(amount)
	}
	return form.Write(Money(amount))
}

// Cost writes a cost as those that it comes from are written; nil: a bare number.
func Cost(form *units.CostForm, v float64) string {
	if form == nil {
		return Number(v, 3)
	}
	return form.Write(v, func(v float64) string {
		if v = units.ExactCents(v); math.Abs(v) >= 999.995 {
			v = math.Round(v)
		}
		return Money(v)
	})
}

// PriceIn returns [Price] for one form.
func PriceIn(form *units.PriceForm) func(float64) string {
	return func(v float64) string { return Price(form, v) }
}

// datedFrom is from when on, in seconds, times are of a calendar: no day that is
// counted from the first one is in the eleventh year.
const datedFrom = 10 * 365 * 86400

// DayClock is [Clock] for a time that may be on a later day: a Unix time has its date, on the clock
// of the place, and other days are counted from 1.
func DayClock(seconds float64) string {
	if seconds >= datedFrom {
		return time.Unix(int64(math.Floor(seconds)), 0).UTC().Format("2006-01-02 15:04")
	}
	day := math.Floor(seconds / 86400)
	return "day " + Number(day+1, 6) + " " + Clock(seconds-day*86400)
}

// Clock writes seconds of a day as hours and minutes.
func Clock(seconds float64) string {
	// A time with seconds, or of a hundred hours and more, is written as a duration.
	if minutes := seconds / 60; minutes == math.Trunc(minutes) && minutes >= 0 && minutes < 100*60 {
		return fmt.Sprintf("%02d:%02d", int(minutes)/60, int(minutes)%60)
	}
	return Duration(seconds, 6)
}

// Dashed writes a dash for a figure that is missing.
func Dashed(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// YesNo says whether something is so.
func YesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// And joins words: a, b and c.
func And(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// Servers writes a number of servers of speed 1, whole where there are many.
func Servers(v float64) string {
	digits := 3
	for limit := 100.; limit <= v && digits < 15; limit *= 10 {
		digits++
	}
	if digits > 4 {
		digits--
	}
	return Number(v, digits) + " servers"
}

// Capital begins a sentence. It takes a rune and not a byte, since names may begin with any letter.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// Plain writes a number for a table of data. It has as many digits as it takes to read the same
// number back.
func Plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Probability writes four digits, and near 1 as many as show two of what is
// missing.
func Probability(v float64) string {
	digits := 4
	if v > 0.99 && v < 1 {
		digits = max(digits, int(math.Floor(-math.Log10(1-v)))+2)
	}
	return units.FormatFraction(v, digits)
}
