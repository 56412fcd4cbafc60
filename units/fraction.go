package units

import (
	"strconv"
	"strings"
)

// Fraction is a part of a whole, 0 ≤ f ≤ 1: a probability, a utilization. It
// is written 1% or 0.01. The whole is written 100%, since a bare 1 could be
// either.
type Fraction float64

// percentOr reads a number that may be followed by a percent sign, which
// divides it by 100; inPercent decides that for a number without the sign. The
// decimal exponent is what changes, so 99.9% is the float64 nearest to 0.999.
func percentOr(s string, inPercent func(float64) bool) (float64, string) {
	v, text, rest, reason := scan(s)
	switch {
	case reason != "":
		return 0, reason
	case rest != "" && rest != "%":
		return 0, "unexpected " + quote(rest)
	case rest == "" && !inPercent(v):
		return v, ""
	}
	p, err := strconv.ParseFloat(shift(text, -2), 64)
	if err != nil { // as in scan, only the range can be wrong
		return 0, "the number is too large"
	}
	return lost(p, v)
}

// percent returns the shortest text in percent that parses back to v.
func percent(v float64) string {
	if notFinite(v) != "" {
		return short(v)
	}
	return shortTimes(v, 2) + "%"
}

func percentUnit(last string) string {
	if strings.HasSuffix(last, "%") {
		return "%"
	}
	return ""
}

// bareOne is the reason why a text of 1 alone is no fraction: whoever writes 1
// where percents are read mostly means one of them, and a limit of 100 % is met
// by anything.
const bareOne = "1% or 100%?"

// isOne reports whether a JSON value is the number 1, which in JSON can only
// mean the whole.
func isOne(data []byte) bool {
	v, err := strconv.ParseFloat(strings.TrimSpace(string(data)), 64)
	return err == nil && v == 1
}

var fractionKind = kind{
	want:    "a fraction such as 1% or 0.01",
	example: "1..2% or 1..1.2..2%",
	pattern: decimal + `(\s*%)?`,
	plain:   true,
	number:  true,
	parse: func(s string) (float64, string) {
		v, reason := percentOr(s, func(float64) bool { return false })
		if reason == "" && v == 1 && !strings.HasSuffix(s, "%") {
			return 0, bareOne
		}
		return v, reason
	},
	format: percent,
	check: func(v float64) string {
		if r := notFinite(v); r != "" {
			return r
		}
		if v > 1 {
			return "it is above 1 (100%)"
		}
		return ""
	},
	inherit: percentUnit,
}

func (f Fraction) kind() *kind { return &fractionKind }

// String returns a text that parses back to f, such as 1%.
func (f Fraction) String() string { return fractionKind.format(float64(f)) }

// Set parses s into f; f is unchanged on error.
func (f *Fraction) Set(s string) error { return set(f, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (f Fraction) MarshalText() ([]byte, error) { return marshalText(f) }

// UnmarshalText is Set.
func (f *Fraction) UnmarshalText(b []byte) error { return f.Set(string(b)) }

// MarshalJSON writes the number in 0..1.
func (f Fraction) MarshalJSON() ([]byte, error) { return marshalNumber(f) }

// UnmarshalJSON reads a JSON string, or a number in 0..1, both ends included.
func (f *Fraction) UnmarshalJSON(b []byte) error {
	if isOne(b) {
		*f = 1
		return nil
	}
	return unmarshalJSON(b, f.Want(), f.Set)
}

// Want describes the form with examples.
func (Fraction) Want() string { return fractionKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Fraction) Pattern() string { return fractionKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Fraction) Plain() bool { return fractionKind.plain }
