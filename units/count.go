package units

import (
	"math"
	"strconv"
	"strings"
)

// Count is a whole number, 0 ≤ n ≤ 2⁶³-1. It is written 12 or 1e6; 1.5e3 is
// 1500 and 1.5 is an error.
type Count int64

// AboveCounts is the reason of a [ParseError] for a number beyond all counts.
const AboveCounts = "it is above 2^63-1"

const countWant = "a count such as 12 or 1e6"

// ParseCount reads a count exactly, without passing through a float64. It
// returns a *ParseError for a text that is not one.
func ParseCount(s string) (Count, error) {
	n, reason := parseCount(trim(s))
	if reason != "" {
		return 0, &ParseError{Input: s, Want: countWant, Reason: reason}
	}
	return Count(n), nil
}

func parseCount(s string) (int64, string) {
	if strings.Contains(s, "..") {
		return 0, "it is a range where one value is wanted"
	}
	_, text, rest, reason := scan(s)
	switch {
	case reason != "":
		return 0, reason
	case rest != "":
		return 0, "unexpected " + quote(rest)
	}
	exponent := 0
	m := mantissa(text)
	if len(m) < len(text) {
		e, err := strconv.Atoi(text[len(m)+1:])
		if err != nil {
			e = math.MaxInt32 // zero, or scan would have refused it
		}
		exponent = e
	}
	whole, part, _ := strings.Cut(m, ".")
	exponent -= len(part)
	all := strings.TrimLeft(whole+part, "0")
	kept := strings.TrimRight(all, "0")
	exponent += len(all) - len(kept)
	switch {
	case kept == "":
		return 0, ""
	case exponent < 0:
		return 0, "it is not whole"
	case len(kept)+exponent > 19:
		return 0, AboveCounts
	}
	n, err := strconv.ParseInt(kept+strings.Repeat("0", exponent), 10, 64)
	if err != nil {
		return 0, AboveCounts
	}
	return n, ""
}

// String returns the decimal digits of c.
func (c Count) String() string { return strconv.FormatInt(int64(c), 10) }

// Set parses s into c; c is unchanged on error.
func (c *Count) Set(s string) error {
	n, err := ParseCount(s)
	if err == nil {
		*c = n
	}
	return err
}

// MarshalText returns String, or an error for a negative value.
func (c Count) MarshalText() ([]byte, error) {
	if c < 0 {
		return nil, &ParseError{Input: c.String(), Want: countWant, Reason: "it is negative"}
	}
	return []byte(c.String()), nil
}

// UnmarshalText is Set.
func (c *Count) UnmarshalText(b []byte) error { return c.Set(string(b)) }

// MarshalJSON writes the number.
func (c Count) MarshalJSON() ([]byte, error) { return c.MarshalText() }

// UnmarshalJSON reads a JSON string or number.
func (c *Count) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, countWant, c.Set) }

// Want describes the form with examples.
func (Count) Want() string { return countWant }

// Pattern returns a regular expression that every accepted text matches.
func (Count) Pattern() string { return `^\s*(` + decimal + `)\s*$` }

// Plain reports whether a number without a unit is accepted.
func (Count) Plain() bool { return true }
