package units

// Price is an amount of money per second, finite and ≥ 0, in any currency.
//
// It is written as amount per duration, as a [Rate] is: 0.42/h, 12/d.
type Price float64

var priceKind = kind{
	want:    "a price per time such as 0.42/h or 12/d, without a currency",
	example: "0.05..0.14/h or 0.05..0.07..0.14/h",
	pattern: rateKind.pattern,
	parse:   parseRate,
	format:  formatPrice,
	check:   notFinite,
	inherit: rateKind.inherit,
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
