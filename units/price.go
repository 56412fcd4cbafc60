package units

import "strings"

// Price is an amount of money per second, finite and ≥ 0, in any currency.
//
// It is written as amount per duration, as a [Rate] is, 0.42/h or 12/d, and also
// per hour, day, week, month and year: €72/month. A month is 730 hours and a year
// 12 of them, 8760 hours, as those count who rent out machines. A currency before
// or behind the amount, $0.10/h or 72 EUR/month, is not part of the number; a
// [Range] and [Money] keep it as their [PriceForm].
type Price float64

// pricePeriods are the periods of a price that are no units of time, s.
var pricePeriods = []struct {
	name    string
	seconds float64
	form    string // of a PriceForm
}{
	{"h", 3600, "h"}, {"hr", 3600, "h"}, {"hour", 3600, "h"},
	{"d", 86400, "d"}, {"day", 86400, "d"},
	{"w", 7 * 86400, "week"}, {"week", 7 * 86400, "week"},
	{"mo", 730 * 3600, "month"}, {"month", 730 * 3600, "month"},
	{"y", year, "year"}, {"yr", year, "year"}, {"year", year, "year"},
}

var priceKind = kind{
	want:    "a price per time such as 0.42/h, $0.10/h or €72/month",
	example: "0.05..0.14/h or $0.05..$0.07..$0.14/h",
	pattern: signPattern + decimal + `\s*` + signPattern + `\s*/\s*([a-z]+|µs|μs|` + decimal + `\s*[a-zµμ]+)\s*(` +
		decimal + `\s*` + timePattern + `\s*)*`,
	bare: signPattern + decimal + `\s*` + signPattern,
	parse: func(s string) (float64, string) {
		_, rest, reason := cutSign(s)
		if reason != "" {
			return 0, reason
		}
		return parsePrice(rest)
	},
	format:  formatPrice,
	check:   notFinite,
	inherit: rateKind.inherit,
}

// parsePrice reads a price without its currency.
func parsePrice(s string) (float64, string) {
	count, below, ok := strings.Cut(s, "/")
	if seconds, _, known := period(below); ok && known {
		v, reason := plain(strings.TrimRight(count, blanks))
		if reason != "" {
			return 0, reason
		}
		return lost(v/seconds, v)
	}
	v, reason := parseRate(s)
	if _, _, number, none := scan(strings.TrimLeft(below, blanks)); none == "" && reason != "" {
		if _, _, known := period(number); known {
			reason += "; a price is for one " + trim(number)
		}
	}
	return v, reason
}

// period returns the seconds of a period that is written behind the bar, and
// the name that a PriceForm has for it.
func period(text string) (seconds float64, form string, known bool) {
	text = trim(text)
	for _, p := range pricePeriods {
		if p.name == text {
			return p.seconds, p.form, true
		}
	}
	return 0, "", false
}

// formatPrice returns v per hour where that parses back to exactly v.
func formatPrice(v float64) string {
	u, _ := timeScale.find("h")
	if x := v * u.num; notFinite(x) == "" && x/u.num == v {
		return short(x) + "/h"
	}
	return formatRate(v)
}

func (p Price) kind() *kind { return &priceKind }

// String returns a text that parses back to p, such as 0.42/h.
func (p Price) String() string { return priceKind.format(float64(p)) }

// Set parses s into p; p is unchanged on error.
func (p *Price) Set(s string) error { return set(p, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (p Price) MarshalText() ([]byte, error) { return marshalText(p) }

// UnmarshalText is Set.
func (p *Price) UnmarshalText(b []byte) error { return p.Set(string(b)) }

// UnmarshalJSON reads a JSON string; a number is an error that shows the form.
func (p *Price) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, p.Want(), p.Set) }

// Want describes the form with examples.
func (Price) Want() string { return priceKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Price) Pattern() string { return priceKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Price) Plain() bool { return priceKind.plain }
