package units

import "strings"

// Percentile is the probability of a quantile, 0 < p < 1: 0.95 for the 95th
// percentile.
//
// It is written 95%, p95, 95 or 0.95. A plain number below 1 is a probability,
// one above 1 is in percent, and a plain 1 is an error because it may mean
// either; "1%" and "p1" are clear.
type Percentile float64

var percentileKind = kind{
	want:    "a percentile such as 95%, 0.95 or p99",
	example: "90..95% or 90..92..95%",
	pattern: `[pP]` + decimal + `|` + decimal + `(\s*%)?`,
	plain:   true,
	number:  true,
	parse:   parsePercentile,
	format:  percent,
	check: func(v float64) string {
		if r := notFinite(v); r != "" {
			return r
		}
		if v == 0 || v >= 1 {
			return "it is not strictly between 0% and 100%"
		}
		return ""
	},
	inherit: percentUnit,
}

func parsePercentile(s string) (float64, string) {
	if strings.HasPrefix(s, "p") || strings.HasPrefix(s, "P") {
		if v, reason := plain(s[1:]); reason != "" {
			return v, reason
		}
		return percentOr(s[1:], func(float64) bool { return true })
	}
	if v, reason := plain(s); reason == "" && v == 1 {
		return 0, "1 may mean 1% or 100%"
	}
	return percentOr(s, func(v float64) bool { return v > 1 })
}

func (p Percentile) kind() *kind { return &percentileKind }

// String returns a text that parses back to p, such as 95%.
func (p Percentile) String() string { return percentileKind.format(float64(p)) }

// Set parses s into p; p is unchanged on error.
func (p *Percentile) Set(s string) error { return set(p, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (p Percentile) MarshalText() ([]byte, error) { return marshalText(p) }

// UnmarshalText is Set.
func (p *Percentile) UnmarshalText(b []byte) error { return p.Set(string(b)) }

// MarshalJSON writes the number in 0..1.
func (p Percentile) MarshalJSON() ([]byte, error) { return marshalNumber(p) }

// UnmarshalJSON reads a JSON string or number.
func (p *Percentile) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, p.Want(), p.Set) }

// Want describes the form with examples.
func (Percentile) Want() string { return percentileKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Percentile) Pattern() string { return percentileKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Percentile) Plain() bool { return percentileKind.plain }
