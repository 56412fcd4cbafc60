package planner

import (
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"strings"
	"testing"
)

var updateVerdicts = flag.Bool("update-verdicts", false, "write verdicts.json, which takes minutes")

// Numbers as they are printed, with their qualifiers, against some by hand.
func TestJudge(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	for name, c := range map[string]struct {
		row  ReproducedRow
		want Verdict
	}{
		"nothing printed":         {ReproducedRow{Computed: v(1)}, ""},
		"nothing computed":        {ReproducedRow{Printed: v(1)}, CannotBeTold},
		"rounds to it":            {ReproducedRow{Printed: v(5.4), Computed: v(5.4167)}, Agrees},
		"rounds to another":       {ReproducedRow{Printed: v(5.4), Computed: v(5.46)}, Differs},
		"whole":                   {ReproducedRow{Printed: v(180), Computed: v(180.4)}, Agrees},
		"not whole":               {ReproducedRow{Printed: v(180), Computed: v(181)}, Differs},
		"about":                   {ReproducedRow{Printed: v(0.2), Computed: v(0.24), Note: "about"}, Agrees},
		"not about":               {ReproducedRow{Printed: v(0.2), Computed: v(0.31), Note: "about"}, Differs},
		"at most":                 {ReproducedRow{Printed: v(0.05), Computed: v(0.001), Note: "at most, at all"}, Agrees},
		"above it":                {ReproducedRow{Printed: v(0.05), Computed: v(0.06), Note: "at most, at all"}, Differs},
		"more than":               {ReproducedRow{Printed: v(1), Computed: v(7), Note: "more than"}, Agrees},
		"in the range":            {ReproducedRow{Printed: v(0.1), PrintedTo: v(0.2), Computed: v(0.15)}, Agrees},
		"below the range":         {ReproducedRow{Printed: v(0.1), PrintedTo: v(0.2), Computed: v(0.04)}, Differs},
		"interval reaches it":     {ReproducedRow{Printed: v(0.2), Computed: v(0.31), Low: v(0.19), High: v(0.4)}, Agrees},
		"interval does not":       {ReproducedRow{Printed: v(0.2), Computed: v(0.31), Low: v(0.29), High: v(0.33)}, Differs},
		"said by who computed it": {ReproducedRow{Printed: v(0.2), Computed: v(0.2), Verdict: CannotBeTold}, CannotBeTold},
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

// The verdicts in the list are those of the figures, of which the short ones are
// computed anew.
func TestListedVerdicts(t *testing.T) {
	ctx := context.Background()
	all := map[string]VerdictTally{}
	for _, r := range Reproducibles() {
		// Long ones are judged anew only where the list is written.
		long := strings.HasPrefix(r.Name, "ishare-figure") ||
			strings.HasPrefix(r.Name, "qos-graf") && r.Name != "qos-graf-figure-3" && r.Name != "qos-graf-figure-7b"
		if !r.Computed || r.Name == "ishare-figure-10" || long && !*updateVerdicts {
			continue // figure 10 measures times, which are not the same twice
		}
		a, err := Reproduce(ctx, &ReproduceQuestion{Name: r.Name, Seed: 1})
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		all[r.Name] = a.Verdicts
		if !*updateVerdicts && (r.Verdicts == nil || *r.Verdicts != a.Verdicts) {
			t.Errorf("%s: listed %+v, computed %+v: go test ./planner -run TestListedVerdicts -update-verdicts, and look at the difference", r.Name, r.Verdicts, a.Verdicts)
		}
	}
	if !*updateVerdicts {
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
