package units

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Cost is a sum of money that may be for a time: 3, $0.25, 3 EUR, €10/h,
// $72/month. The number is the amount, or that of an hour where the cost is for a
// time; it is finite and ≥ 0. An [Amount] is for no time, [Money] always for one.
type Cost struct {
	Number
	Form CostForm
}

// A CostForm is how somebody wrote a cost. The zero form is that of a bare number.
type CostForm struct {
	Currency string `json:"currency,omitempty"` // as it was written: $, €, US$, EUR; empty: none
	Per      string `json:"per,omitempty"`      // h, d, week, month or year; empty: for no time
}

var costKind = kind{
	want:    "a cost such as 3, $0.25, €10/h or $72/month",
	pattern: signPattern + decimal + `\s*` + signPattern + "|" + priceKind.pattern,
	plain:   true,
	parse: func(s string) (float64, string) {
		_, rest, reason := cutSign(s)
		if reason != "" {
			return 0, reason
		}
		count, below, over := strings.Cut(rest, "/")
		if !over {
			return plain(rest)
		}
		if seconds, _, known := period(below); known {
			v, reason := plain(strings.TrimRight(count, blanks))
			return v / (seconds / 3600), reason // an hour keeps all digits
		}
		v, reason := parsePrice(rest)
		return v * 3600, reason
	},
	check: notFinite,
}

// Set parses s into c; c is unchanged on error.
func (c *Cost) Set(s string) error {
	v, reason := costKind.read(s)
	if reason != "" {
		return &ParseError{Input: s, Want: costKind.want, Reason: reason}
	}
	form, bare, _ := formOf([]string{trim(s)})
	*c = Cost{Number(v), CostForm(form)}
	if c.Form.Per == "" && strings.Contains(bare[0], "/") {
		c.Form.Per = "h"
	}
	return nil
}

// String returns a text that parses back to c, such as €10/h.
func (c Cost) String() string {
	v := float64(c.Number)
	if c.Form.Per == "" {
		return c.Form.Sign(short(v))
	}
	for _, per := range []string{c.Form.Per, "h"} {
		seconds, _, known := period(per)
		if x := times(v, seconds/3600); known && notFinite(x) == "" && x/(seconds/3600) == v {
			return (&PriceForm{c.Form.Currency, per}).Write(short(x))
		}
	}
	return c.Form.Sign(short(v)) + "/h"
}

// MarshalText returns String, or an error for a value outside the domain.
func (c Cost) MarshalText() ([]byte, error) {
	if _, err := c.Number.MarshalText(); err != nil {
		return nil, err
	}
	return []byte(c.String()), nil
}

// UnmarshalText is Set.
func (c *Cost) UnmarshalText(b []byte) error { return c.Set(string(b)) }

// MarshalJSON writes a number, or with a currency or a time the text.
func (c Cost) MarshalJSON() ([]byte, error) {
	if c.Form == (CostForm{}) {
		return c.Number.MarshalJSON()
	}
	text, err := c.MarshalText()
	if err != nil {
		return nil, err
	}
	return json.Marshal(string(text))
}

// UnmarshalJSON reads a JSON string or number.
func (c *Cost) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, c.Want(), c.Set) }

// Want describes the form with examples.
func (Cost) Want() string { return costKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Cost) Pattern() string { return costKind.anchored() }

// Write writes a cost in the form, by a function that writes its amount: what is
// for a time, v per hour, in the period of the form. A nil form is the zero one, and
// a nil function writes the shortest text.
func (f *CostForm) Write(v float64, amount func(float64) string) string {
	if amount == nil {
		amount = short
	}
	if f == nil || f.Per == "" {
		return f.Sign(amount(v))
	}
	p := PriceForm(*f)
	return p.Write(amount(p.Amount(v)))
}

// Sign writes an amount of money with the currency of the form: $12, EUR 12.
func (f *CostForm) Sign(amount string) string {
	if f == nil {
		return amount
	}
	return (&PriceForm{Currency: f.Currency}).Sign(amount)
}

// Unless returns the form, or nil where it is that of bare numbers.
func (f CostForm) Unless() *CostForm {
	if f == (CostForm{}) {
		return nil
	}
	return &f
}

// A CostClash says that two of the costs that are to be compared cannot be.
type CostClash struct {
	First, Second int    // of the costs
	One, Other    string // what they are: "in €" and "in $", "per h" and "for no time"
}

// Reason says what the two are.
func (c *CostClash) Reason() string { return "one is " + c.One + " and the other " + c.Other }

// Beside says what the second is, where the first stands in a line above it.
func (c *CostClash) Beside(line int) string {
	return fmt.Sprintf("a cost %s, and in line %d one %s", c.Other, line, c.One)
}

// OneCost returns the form that costs have in common: their currency, and their
// period where it is the same for all, else the hour. One without a currency is in
// that of the others. Two currencies are a clash, and so are costs for a time and
// others for none, but for 0.
func OneCost(costs ...Cost) (f CostForm, clash *CostClash) {
	money, time := -1, -1
	for i, c := range costs {
		g := c.Form
		switch {
		case g.Currency == "":
		case money < 0:
			money, f.Currency = i, g.Currency
		case g.Currency != f.Currency:
			return f, &CostClash{money, i, "in " + f.Currency, "in " + g.Currency}
		}
		switch {
		case c.Number == 0:
		case time < 0:
			time, f.Per = i, g.Per
		case (g.Per == "") != (f.Per == ""):
			said := func(per string) string {
				if per == "" {
					return "for no time"
				}
				return "per " + per
			}
			return f, &CostClash{time, i, said(costs[time].Form.Per), said(g.Per)}
		case g.Per != f.Per:
			f.Per = "h"
		}
	}
	return f, nil
}

// ComparableCosts is what is wanted where costs clash.
const ComparableCosts = "all costs in one currency, as capplan knows no rates of exchange, and all of them per time or none"
