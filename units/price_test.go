package units_test

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "github.com/capplan/capplan/units"
)

// Prices as people write them. A month has 730 hours and a year 8760.
func TestPriceForms(t *testing.T) {
	for in, want := range map[string]struct {
		perHour float64
		form    PriceForm
		text    string
	}{
		"0.42/h":         {0.42, PriceForm{}, "0.42/h"},
		"0.42 / hour":    {0.42, PriceForm{}, "0.42/h"},
		"$0.10/h":        {0.10, PriceForm{Currency: "$"}, "$0.1/h"},
		"€72/month":      {72. / 730, PriceForm{Currency: "€", Per: "month"}, "€72/month"},
		"72 €/month":     {72. / 730, PriceForm{Currency: "€", Per: "month"}, "€72/month"},
		"€3000/month":    {3000. / 730, PriceForm{Currency: "€", Per: "month"}, "€3000/month"},
		"€72/mo":         {72. / 730, PriceForm{Currency: "€", Per: "month"}, "€72/month"},
		"EUR 8760/year":  {1, PriceForm{Currency: "EUR", Per: "year"}, "EUR 8760/year"},
		"8760 EUR/yr":    {1, PriceForm{Currency: "EUR", Per: "year"}, "EUR 8760/year"},
		"US$2.50/h":      {2.5, PriceForm{Currency: "US$"}, "US$2.5/h"},
		"¥1200/d":        {50, PriceForm{Currency: "¥", Per: "d"}, "¥1200/d"},
		"1680 kr/week":   {10, PriceForm{Currency: "kr", Per: "week"}, "kr 1680/week"},
		"₹36/30min":      {72, PriceForm{Currency: "₹"}, "₹72/h"},
		"$0.0002/s":      {0.72, PriceForm{Currency: "$"}, "$0.0002/s"},
		"CHF 1e3 /month": {1000. / 730, PriceForm{Currency: "CHF", Per: "month"}, "CHF 1000/month"},
	} {
		var m Money
		if err := m.Set(in); err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if got := float64(m.Price) * 3600; math.Abs(got-want.perHour) > 1e-12*want.perHour || m.Form != want.form || m.String() != want.text {
			t.Errorf("%q = %v/h, %+v, %q, want %v", in, got, m.Form, m, want)
		}
		r, err := ParseRange[Price](in)
		if err != nil || r.Nominal() != m.Price || r.Form() != want.form || r.String() != want.text {
			t.Errorf("range %q = %v, %+v, %v", in, r, r.Form(), err)
		}
		for _, pattern := range []string{m.Pattern(), r.Pattern()} {
			if !regexp.MustCompile(pattern).MatchString(in) {
				t.Errorf("%q does not match %s", in, pattern)
			}
		}
	}
}

func TestPriceRanges(t *testing.T) {
	for in, want := range map[string]string{
		"$0.05..0.14/h":         "$0.05/h..$0.14/h",
		"$0.05..$0.14/h":        "$0.05/h..$0.14/h",
		"0.05..0.07..0.14 €/h":  "€0.05/h..€0.07/h..€0.14/h",
		"€60..€72..€80/month":   "€60/month..€72/month..€80/month",
		"60/month..1 USD/h":     "USD 0.0821917808219178/h..USD 1/h",
		"0.05..0.14/h":          "0.05/h..0.14/h",
		"EUR 60/h..EUR 72/hour": "EUR 60/h..EUR 72/h",
	} {
		r, err := ParseRange[Price](in)
		if err != nil || in != "60/month..1 USD/h" && r.String() != want {
			t.Errorf("%q = %v, %v, want %s", in, r, err, want)
			continue
		}
		if !regexp.MustCompile(r.Pattern()).MatchString(in) {
			t.Errorf("%q does not match %s", in, r.Pattern())
		}
		if back, err := ParseRange[Price](r.String()); err != nil || !back.Equal(r) {
			t.Errorf("%q prints as %v, which reads as %v, %v", in, r, back, err)
		}
	}
}

func TestPriceRefuses(t *testing.T) {
	for in, reason := range map[string]string{
		"$5":           `it has no "/" and time`,
		"€5..$8/h":     "it has the currencies € and $",
		"$5€/h":        "it has the currencies $ and €",
		"10¢/h":        "cents are written as part of the whole, such as $0.10/h",
		"5 bananas/h":  `unexpected "bananas"`,
		"$-5/h":        "it starts with '$' instead of a digit",
		"-$5/h":        "it is negative",
		"€1,200/month": `the number holds ","`,
		"€5/fortnight": `unknown unit "fortnight"`,
		"€5/2months":   `unknown unit "months"`,
		"/month":       "it is empty",
		"$/month":      "it starts with '$' instead of a digit",
	} {
		_, err := ParseRange[Price](in)
		if err == nil {
			t.Errorf("%q was accepted", in)
		} else if !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %s", in, err, reason)
		}
	}
}

// Every form of every price prints as a text that reads back to it.
func TestMoneyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Money{Price: Price(value(t, 1e250)), Form: PriceForm{
			Currency: rapid.SampledFrom([]string{"", "$", "€", "US$", "EUR", "kr", "₿"}).Draw(t, "currency"),
			Per:      rapid.SampledFrom([]string{"", "d", "week", "month", "year"}).Draw(t, "per"),
		}}
		j, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Money
		if err := json.Unmarshal(j, &back); err != nil || back.Price != m.Price || back.Form.Currency != m.Form.Currency {
			t.Fatalf("%+v prints as %s, which reads as %+v, %v", m, j, back, err)
		}
	})
}

func TestOneForm(t *testing.T) {
	dollar, month, plain := PriceForm{Currency: "$"}, PriceForm{Currency: "$", Per: "month"}, PriceForm{}
	for _, c := range []struct {
		in   []PriceForm
		want PriceForm
	}{
		{nil, plain}, {[]PriceForm{plain, dollar}, dollar}, {[]PriceForm{month, month}, month},
		{[]PriceForm{month, dollar}, dollar}, {[]PriceForm{dollar, month}, dollar},
	} {
		if got, clash := OneForm(c.in...); got != c.want || clash != "" {
			t.Errorf("OneForm(%v) = %v, %q", c.in, got, clash)
		}
	}
	if _, clash := OneForm(dollar, plain, PriceForm{Currency: "€"}); clash != "€" {
		t.Errorf("$ and €: clash = %q", clash)
	}
}
