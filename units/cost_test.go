package units_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	. "github.com/capplan/capplan/units"
)

// Costs as people write them read back from what is written.
func TestCosts(t *testing.T) {
	for in, want := range map[string]struct {
		value float64 // per hour where it is for a time
		json  string
	}{
		`0.25`:          {0.25, `0.25`},
		`"3"`:           {3, `3`},
		`"$0.25"`:       {0.25, `"$0.25"`},
		`"3 EUR"`:       {3, `"EUR 3"`},
		`"€10/h"`:       {10, `"€10/h"`},
		`"0.42/h"`:      {0.42, `"0.42/h"`},
		`"$73/month"`:   {0.1, `"$73/month"`},
		`"€3000/month"`: {3000. / 730, `"€3000/month"`},
		`"$1/min"`:      {60, `"$60/h"`},
		`"240 kr/day"`:  {10, `"kr 240/d"`},
		`"€8760/year"`:  {1, `"€8760/year"`},
		`"€1.50 / h"`:   {1.5, `"€1.5/h"`},
		`"EUR 24/24 h"`: {1, `"EUR 1/h"`},
	} {
		var c, back Cost
		if err := json.Unmarshal([]byte(in), &c); err != nil || float64(c.Number) != want.value {
			t.Errorf("%s = %v, %v", in, c, err)
			continue
		}
		text, err := json.Marshal(c)
		if err != nil || string(text) != want.json {
			t.Errorf("%s prints as %s, %v, want %s", in, text, err, want.json)
		}
		if err := json.Unmarshal(text, &back); err != nil || back != c {
			t.Errorf("%s reads back as %v, %v", text, back, err)
		}
		if s := strings.Trim(in, `"`); !regexp.MustCompile(c.Pattern()).MatchString(s) {
			t.Errorf("%s does not match %s", s, c.Pattern())
		}
	}
	for in, reason := range map[string]string{
		"$5€":       "it has the currencies $ and €",
		"10¢":       "cents are written as part of the whole",
		"5 bananas": `unexpected "bananas"`,
		"$5/banana": "banana",
		"-$5":       "it is negative",
		"":          "it is empty",
	} {
		var c Cost
		if err := c.Set(in); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %s", in, err, reason)
		}
	}
}

// Costs that are compared are in one currency, and all for a time or none.
func TestOneCost(t *testing.T) {
	for in, want := range map[string]struct {
		form  CostForm
		clash string
	}{
		"1 19":            {},
		"€10/h €90/h":     {form: CostForm{"€", "h"}},
		"€10/h 90/h":      {form: CostForm{"€", "h"}},
		"€10/month 90/h":  {form: CostForm{"€", "h"}},
		"$7/month $3/mo":  {form: CostForm{"$", "month"}},
		"$7/month 0 $3/h": {form: CostForm{"$", "h"}},
		"0 3/month":       {form: CostForm{"", "month"}},
		"$1 5 €3":         {clash: "0 2 one is in $ and the other in €"},
		"1 5/h":           {clash: "0 1 one is for no time and the other per h"},
		"€5/h €1":         {clash: "0 1 one is per h and the other for no time"},
	} {
		var costs []Cost
		for _, s := range strings.Fields(in) {
			var c Cost
			if err := c.Set(s); err != nil {
				t.Fatal(err)
			}
			costs = append(costs, c)
		}
		form, clash := OneCost(costs...)
		said := ""
		if clash != nil {
			said = fmt.Sprint(clash.First, clash.Second, " ", clash.Reason())
		}
		if said != want.clash || said == "" && form != want.form {
			t.Errorf("%s: %+v %q, want %+v %q", in, form, said, want.form, want.clash)
		}
	}
}
