package say

import (
	"testing"

	"github.com/capplan/capplan/units"
)

// Prices are written as people write them: cents below a thousand, none from there
// on, where 999.996 would be a thousand with cents.
func TestPrice(t *testing.T) {
	month := &units.PriceForm{Currency: "$", Per: "month"}
	for _, c := range []struct {
		form *units.PriceForm
		v    float64 // per h
		want string
	}{
		{nil, 0.4, "0.40/h"}, {nil, 12, "12/h"}, {nil, 999.49, "999.49/h"}, {nil, 999.996, "1,000/h"},
		{nil, 1234.56, "1,235/h"}, {month, 1234.4 / 730, "$1,234/month"}, {month, 72 / 730., "$72/month"},
		{nil, -1234.56, "-1,235/h"}, {nil, 1234567.8, "1,234,568/h"},
	} {
		if got := Price(c.form, c.v); got != c.want {
			t.Errorf("price(%v) = %q, want %q", c.v, got, c.want)
		}
	}
}
