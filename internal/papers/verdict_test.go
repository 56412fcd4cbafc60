package papers

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/lp/alloc"
)

var updateVerdicts = flag.String("update-verdicts", "", "compute the figures whose names match anew and write paper/verdicts.json")

// quick are the figures that take no time; the others are left to the update.
var quick = regexp.MustCompile(`^(pcu-(examples|figure-)|intergrid-(workload|sizes|figure|table|readings)|spequlos-|qos-graf-figure-(3|7b|7d))`)

// The verdicts in the list are those of the figures: of the quick ones, computed
// anew; all others that can be computed are in it.
func TestListedVerdicts(t *testing.T) {
	pattern := quick
	if *updateVerdicts != "" {
		pattern = regexp.MustCompile(*updateVerdicts)
	}
	all := paper.Listed()
	known := map[string]bool{}
	check := func(name string, q *paper.Question) {
		known[name] = true
		if !pattern.MatchString(q.Name) || *updateVerdicts == "" && !longtest.Wanted() && len(known)%3 > 0 {
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
		check(r.Name, &paper.Question{Name: r.Name, Seed: 1})
		if strings.HasPrefix(r.Name, "qos-graf-") && r.Name != "qos-graf-figure-3" {
			check(r.Name+paper.RelativeLaw, &paper.Question{Name: r.Name, Seed: 1, CapacityLaw: alloc.Relative})
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
		err = os.WriteFile("paper/verdicts.json", append(text, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What has no verdict says why, and nothing else does.
func TestUncomparedHasAReason(t *testing.T) {
	for _, r := range Reproducibles() {
		if none := r.Computed && *r.Verdicts == (paper.VerdictTally{}); none != (r.Uncompared != "") {
			t.Errorf("%s: verdicts %+v, reason %q", r.Name, r.Verdicts, r.Uncompared)
		}
	}
}
