package units

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Excess is what something is more than it would be, of what it would be, e ≥ 0
// without an upper end: the elongation of a job. It is written 10%, 150% or
// 0.1. Plain numbers of 1 and above are refused: whoever writes 10 where
// percents are read mostly means 10 % and not elevenfold.
type Excess float64

var excessKind = kind{
	want:    "an excess such as 10%, 0.1 or 150%",
	example: "10..20% or 10..15..20%",
	pattern: decimal + `(\s*%)?`,
	plain:   true,
	number:  true,
	parse: func(s string) (float64, string) {
		v, reason := percentOr(s, func(float64) bool { return false })
		if reason == "" && v >= 1 && !strings.HasSuffix(s, "%") {
			return 0, short(v) + "% or " + percent(v) + "?"
		}
		return v, reason
	},
	format:  percent,
	check:   notFinite,
	inherit: percentUnit,
}

func (e Excess) kind() *kind { return &excessKind }

// String returns a text that parses back to e, such as 10%.
func (e Excess) String() string { return excessKind.format(float64(e)) }

// Set parses s into e; e is unchanged on error.
func (e *Excess) Set(s string) error { return set(e, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (e Excess) MarshalText() ([]byte, error) { return marshalText(e) }

// UnmarshalText is Set.
func (e *Excess) UnmarshalText(b []byte) error { return e.Set(string(b)) }

// MarshalJSON writes the number, 0.1 for 10%.
func (e Excess) MarshalJSON() ([]byte, error) { return marshalNumber(e) }

// UnmarshalJSON reads a JSON string, or a number of any size ≥ 0: 1.5 for 150%.
func (e *Excess) UnmarshalJSON(b []byte) error {
	var v float64
	if number := bytes.TrimSpace(b); len(number) > 0 && '0' <= number[0] && number[0] <= '9' &&
		json.Unmarshal(number, &v) == nil {
		*e = Excess(v)
		return nil
	}
	return unmarshalJSON(b, e.Want(), e.Set)
}

// Want describes the form with examples.
func (Excess) Want() string { return excessKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Excess) Pattern() string { return excessKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Excess) Plain() bool { return excessKind.plain }
