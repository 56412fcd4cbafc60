package paper

import (
	"testing"
)

// Numbers as they are printed, with their qualifiers, against some by hand.
func TestJudge(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	for name, c := range map[string]struct {
		row  Row
		want Verdict
	}{
		"nothing printed":         {Row{Computed: v(1)}, ""},
		"nothing computed":        {Row{Printed: v(1)}, CannotBeTold},
		"rounds to it":            {Row{Printed: v(5.4), Computed: v(5.4167)}, Agrees},
		"rounds to another":       {Row{Printed: v(5.4), Computed: v(5.46)}, Differs},
		"whole":                   {Row{Printed: v(180), Computed: v(180.4)}, Agrees},
		"not whole":               {Row{Printed: v(180), Computed: v(181)}, Differs},
		"about":                   {Row{Printed: v(0.2), Computed: v(0.24), Note: "about"}, Agrees},
		"not about":               {Row{Printed: v(0.2), Computed: v(0.31), Note: "about"}, Differs},
		"at most":                 {Row{Printed: v(0.05), Computed: v(0.001), Note: "at most, at all"}, Agrees},
		"above it":                {Row{Printed: v(0.05), Computed: v(0.06), Note: "at most, at all"}, Differs},
		"more than":               {Row{Printed: v(1), Computed: v(7), Note: "more than"}, Agrees},
		"more than 1, in words":   {Row{Printed: v(1), Computed: v(0.76), Note: "more than, in words"}, Differs},
		"more than 0, in words":   {Row{Printed: v(0), Computed: v(-0.004), Note: "more than, in words"}, Differs},
		"20 % and 24 %":           {Row{Printed: v(0.2), Computed: v(0.24)}, Differs},
		"20 % and 20.4 %":         {Row{Printed: v(0.2), Computed: v(0.204)}, Agrees},
		"in the range":            {Row{Printed: v(0.1), PrintedTo: v(0.2), Computed: v(0.15)}, Agrees},
		"below the range":         {Row{Printed: v(0.1), PrintedTo: v(0.2), Computed: v(0.04)}, Differs},
		"interval reaches it":     {Row{Printed: v(0.2), Computed: v(0.31), Low: v(0.19), High: v(0.4)}, Agrees},
		"interval does not":       {Row{Printed: v(0.2), Computed: v(0.31), Low: v(0.29), High: v(0.33)}, Differs},
		"said by who computed it": {Row{Printed: v(0.2), Computed: v(0.2), Verdict: CannotBeTold}, CannotBeTold},
	} {
		if got := c.row.Judge(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// An interval of few seeds that reaches below 0 is drawn on a logarithmic axis
// all the same.
func TestPanelOfAnIntervalBelowZero(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	a := &Reproduction{Rows: []Row{
		{Quantity: "time", Series: "without", X: v(1), Computed: v(10), Low: v(-5), High: v(25)},
		{Quantity: "time", Series: "without", X: v(2), Computed: v(0), Low: v(0), High: v(0)},
	}}
	c := a.panel(&Panel{Quantity: "time", YLog: true, XLog: true})
	if len(c.Series) != 1 || len(c.Series[0].Y) != 1 || c.Series[0].YLow[0] <= 0 {
		t.Errorf("%+v", c.Series)
	}
}
