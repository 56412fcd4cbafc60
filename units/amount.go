package units

import "encoding/json"

// Amount is a sum of money, finite and ≥ 0, with the currency in which it was
// written: 0.25, $0.25 or 3 EUR. Unlike a [Price] it is not for a time.
type Amount struct {
	Number
	Currency string // as it was written; empty: none
}

var amountKind = kind{
	want:    "an amount of money such as 0.25, $0.25 or 3 EUR",
	pattern: signPattern + decimal + `\s*` + signPattern,
	plain:   true,
	parse: func(s string) (float64, string) {
		_, rest, reason := cutSign(s)
		if reason != "" {
			return 0, reason
		}
		return plain(rest)
	},
	check: notFinite,
}

// Set parses s into m; m is unchanged on error.
func (m *Amount) Set(s string) error {
	v, reason := amountKind.read(s)
	if reason != "" {
		return &ParseError{Input: s, Want: amountKind.want, Reason: reason}
	}
	sign, _, _ := cutSign(trim(s))
	*m = Amount{Number(v), sign}
	return nil
}

// String returns a text that parses back to m, such as $0.25.
func (m Amount) String() string { return (&PriceForm{Currency: m.Currency}).Sign(m.Number.String()) }

// MarshalText returns String, or an error for a value outside the domain.
func (m Amount) MarshalText() ([]byte, error) {
	if _, err := m.Number.MarshalText(); err != nil {
		return nil, err
	}
	return []byte(m.String()), nil
}

// UnmarshalText is Set.
func (m *Amount) UnmarshalText(b []byte) error { return m.Set(string(b)) }

// MarshalJSON writes a number, or with a currency the text.
func (m Amount) MarshalJSON() ([]byte, error) {
	if m.Currency == "" {
		return m.Number.MarshalJSON()
	}
	text, err := m.MarshalText()
	if err != nil {
		return nil, err
	}
	return json.Marshal(string(text))
}

// UnmarshalJSON reads a JSON string or number.
func (m *Amount) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, m.Want(), m.Set) }

// Want describes the form with examples.
func (Amount) Want() string { return amountKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Amount) Pattern() string { return amountKind.anchored() }

// Currency is the sign or the name of a currency, such as €, US$, EUR or kr.
type Currency string

// Set parses s into c; c is unchanged on error.
func (c *Currency) Set(s string) error {
	t := trim(s)
	if !isCurrency(t) {
		return &ParseError{Input: s, Want: c.Want(), Reason: "it is not a currency"}
	}
	*c = Currency(t)
	return nil
}

// String returns the text.
func (c Currency) String() string { return string(c) }

// MarshalText returns String.
func (c Currency) MarshalText() ([]byte, error) { return []byte(c), nil }

// UnmarshalText is Set.
func (c *Currency) UnmarshalText(b []byte) error { return c.Set(string(b)) }

// Want describes the form with examples.
func (Currency) Want() string { return "a currency such as €, US$ or EUR" }

// Pattern returns a regular expression that every accepted text matches.
func (Currency) Pattern() string { return `^\s*([^\s\d.,/+-]{1,6})\s*$` }

// OneCurrency is what is wanted where amounts are in two.
const OneCurrency = "all prices in one currency: capplan knows no rates of exchange"
