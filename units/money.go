package units

import "math"

// Money is a [Price] with the form in which it was written.
type Money struct {
	Price
	Form PriceForm
}

// Set parses s into m; m is unchanged on error.
func (m *Money) Set(s string) error {
	v, err := Parse[Price](s)
	if err != nil {
		return err
	}
	form, _, _ := formOf([]string{trim(s)})
	*m = Money{v, form}
	return nil
}

// String returns a text that parses back to m, such as €72/month.
func (m Money) String() string { return m.Form.text(float64(m.Price)) }

// MarshalText returns String, or an error for a value outside the domain.
func (m Money) MarshalText() ([]byte, error) {
	if _, err := marshalText(m.Price); err != nil {
		return nil, err
	}
	return []byte(m.String()), nil
}

// UnmarshalText is Set.
func (m *Money) UnmarshalText(b []byte) error { return m.Set(string(b)) }

// UnmarshalJSON reads a JSON string; a number is an error that shows the form.
func (m *Money) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, m.Want(), m.Set) }

// OneForm returns the form that prices have in common: their currency, and their
// period where it is the same for all, else the hour. A price without a currency
// is in that of the others. Of two currencies the second comes back as clash.
func OneForm(forms ...PriceForm) (f PriceForm, clash string) {
	for i, g := range forms {
		if g.Currency != "" && f.Currency != "" && g.Currency != f.Currency {
			return f, g.Currency
		}
		if g.Currency != "" {
			f.Currency = g.Currency
		}
		if i == 0 {
			f.Per = g.Per
		} else if g.Per != f.Per {
			f.Per = ""
		}
	}
	return f, ""
}

// ExactCents takes the rounding of a change of the period out of an amount: 0.40/h is kept per
// second, and an hour of it is 0.40 again. It is rounded to a millionth only where that changes
// less than the last digits of a float64.
func ExactCents(v float64) float64 {
	if r := math.Round(v*1e6) / 1e6; math.Abs(r-v) <= 1e-12*math.Abs(v) {
		return r
	}
	return v
}
