package units_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	. "github.com/capplan/capplan/units"
)

// Amounts as people write them read back from what is written.
func TestAmounts(t *testing.T) {
	for in, want := range map[string]struct {
		value float64
		json  string
	}{
		`0.25`:     {0.25, `0.25`},
		`"3"`:      {3, `3`},
		`"$0.25"`:  {0.25, `"$0.25"`},
		`"3 EUR"`:  {3, `"EUR 3"`},
		`"EUR 3"`:  {3, `"EUR 3"`},
		`"12 kr"`:  {12, `"kr 12"`},
		`"US$1.5"`: {1.5, `"US$1.5"`},
	} {
		var m, back Amount
		if err := json.Unmarshal([]byte(in), &m); err != nil || float64(m.Number) != want.value {
			t.Errorf("%s = %v, %v", in, m, err)
			continue
		}
		text, err := json.Marshal(m)
		if err != nil || string(text) != want.json {
			t.Errorf("%s prints as %s, %v, want %s", in, text, err, want.json)
		}
		if err := json.Unmarshal(text, &back); err != nil || back != m {
			t.Errorf("%s reads back as %v, %v", text, back, err)
		}
		if s := strings.Trim(in, `"`); !regexp.MustCompile(m.Pattern()).MatchString(s) {
			t.Errorf("%s does not match %s", s, m.Pattern())
		}
	}
	for in, reason := range map[string]string{
		"$5/h":      `unexpected "/h"`,
		"$5€":       "it has the currencies $ and €",
		"10¢":       "cents are written as part of the whole",
		"5 bananas": `unexpected "bananas"`,
		"-$5":       "it is negative",
		"":          "it is empty",
	} {
		var m Amount
		if err := m.Set(in); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %s", in, err, reason)
		}
	}
}
