package papers

import (
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/capplan/capplan/lp/alloc"
)

var updateVerdicts = flag.String("update-verdicts", "", "compute the figures whose names match anew and write verdicts.json")

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
		if got := c.row.judge(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The ratio of two means and its interval, against the sums by hand:
// x − 2y = 0, 1, −1 over a mean of 2 is 2 ± t·sqrt(2/2/3)/2, t = 4.3027.
func TestRatioOfMeans(t *testing.T) {
	r, half := ratioOfMeans([]float64{2, 5, 5}, []float64{1, 2, 3})
	if want := 4.302652729696142 * math.Sqrt(1.0/3) / 2; math.Abs(r-2) > 1e-15 || math.Abs(half-want) > 1e-9 {
		t.Errorf("%v ± %v, want 2 ± %v", r, half, want)
	}
}

// quick are the figures that take no time; the others are left to the update.
var quick = regexp.MustCompile(`^(pcu-(examples|figure-)|intergrid-(workload|sizes|figure|table|readings)|spequlos-|qos-graf-figure-(3|7b|7d))`)

// The verdicts in the list are those of the figures: of the quick ones, computed
// anew; all others that can be computed are in it.
func TestListedVerdicts(t *testing.T) {
	pattern := quick
	if *updateVerdicts != "" {
		pattern = regexp.MustCompile(*updateVerdicts)
	}
	all := listed()
	known := map[string]bool{}
	check := func(name string, q *Question) {
		known[name] = true
		if !pattern.MatchString(q.Name) {
			if all[name] == nil {
				t.Errorf("%s: no verdicts in the list: -update-verdicts %s", name, q.Name)
			}
			return
		}
		a, err := Reproduce(context.Background(), q)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if *updateVerdicts == "" && (all[name] == nil || *all[name] != a.Verdicts) {
			t.Errorf("%s: listed %+v, computed %+v: -update-verdicts %s, and look at the difference",
				name, all[name], a.Verdicts, q.Name)
		}
		all[name] = &a.Verdicts
	}
	for _, r := range Reproducibles() {
		if !r.Computed {
			continue
		}
		check(r.Name, &Question{Name: r.Name, Seed: 1})
		if strings.HasPrefix(r.Name, "qos-graf-") && r.Name != "qos-graf-figure-3" {
			check(r.Name+relativeLaw, &Question{Name: r.Name, Seed: 1, CapacityLaw: alloc.Relative})
		}
	}
	for name := range all {
		if !known[name] {
			t.Errorf("%s is in the list and nowhere else", name)
		}
	}
	if *updateVerdicts == "" {
		return
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = os.WriteFile("verdicts.json", append(text, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What has no verdict says why, and nothing else does.
func TestUncomparedHasAReason(t *testing.T) {
	for _, r := range Reproducibles() {
		if none := r.Computed && *r.Verdicts == (VerdictTally{}); none != (r.Uncompared != "") {
			t.Errorf("%s: verdicts %+v, reason %q", r.Name, r.Verdicts, r.Uncompared)
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
