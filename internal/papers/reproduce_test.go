package papers

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/papers/papertest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/routes"
)

// Everything that needs no trace is computed, says what differs, and has a
// number or a reason in every row; the same question gives the same bytes.
func TestReproduceAll(t *testing.T) {
	seen := map[string]bool{}
	papers := map[string]int{}
	for i, r := range Reproducibles() {
		if seen[r.Name] || r.Name == "" || r.Source == "" || r.Title == "" || r.Differs == "" {
			t.Errorf("%+v: want a name of its own, source, title and what differs", r)
		}
		seen[r.Name] = true
		of, _, _ := strings.Cut(r.Source, " ")
		papers[strings.TrimSuffix(of, ",")]++
		if !r.Computed {
			q := &paper.Question{Name: r.Name, Seed: 1}
			var input *ask.InputError
			if _, err := Reproduce(context.Background(), q); !errors.As(err, &input) {
				t.Errorf("%s: %v, want an *InputError", r.Name, err)
			}
			continue
		}
		if !longtest.Wanted() && i%3 > 0 {
			continue
		}
		t.Run(r.Name, func(t *testing.T) { computedAgain(t, r, longtest.Chosen(i, 5)) })
	}
	for _, p := range []string{"PCU", "InterGrid", "QoS-GRAF", "iShare", "SpeQuloS"} {
		if papers[p] == 0 {
			t.Errorf("nothing of %s is listed: %v", p, papers)
		}
	}
}

// computedAgain computes a figure, small, and if so wanted once more.
func computedAgain(t *testing.T, r paper.Reproducible, twice bool) {
	t.Helper()
	// The figures of InterGrid 5.2 are one simulation read in twenty ways, and so
	// are those of SpeQuloS by strategy: the first stands for the others, which the
	// script of reproduce draws.
	stored := strings.HasPrefix(r.Name, "intergrid-figure-") && r.Name != "intergrid-figure-5a" ||
		r.Name == "intergrid-table-3" || r.Name == "intergrid-readings" ||
		slices.Contains([]string{"spequlos-figure-4b", "spequlos-figure-4c", "spequlos-figure-5"}, r.Name)
	if stored {
		return
	}
	if r.Reproduced == "" {
		t.Errorf("%s does not say what is reproduced", r.Name)
	}
	q := paper.Question{Name: r.Name, Seeds: 2, Seed: 1, Scale: .02, Laboratory: machines.LaboratoryQuestion{Machines: 2, Days: 14}}
	if !longtest.Wanted() {
		switch {
		case r.Name == "approximations":
			return // TestMeasuredIsCurrent of planner/approximations measures them all
		case strings.HasSuffix(r.Name, "-simulated"), slices.Contains([]string{
			"pcu-figure-8", "pcu-figure-14", "pcu-figure-15", "qos-graf-figure-7a", "qos-graf-figure-8a",
			"qos-graf-table-2", "intergrid-figure-5a"}, r.Name):
			return // the tests of their packages draw them, and look at their rows
		case strings.HasPrefix(r.Name, "qos-graf-"), strings.HasPrefix(r.Name, "intergrid-"), r.Name == "spequlos-figure-6a", r.Name == "spequlos-table-1":
			q.Seeds = 1 // one seed has every row that two have
		case strings.HasPrefix(r.Name, "spequlos-"):
			q.Seeds = 0 // the other bags are the same runs anew: the stored ones have the same rows
		}
	}
	a := papertest.Ask(t, Reproducibles(), q)
	if len(a.Rows) == 0 {
		t.Errorf("%s has no rows", r.Name)
	}
	for _, row := range a.Rows {
		if row.Computed == nil && row.Note == "" && row.Series == string(routes.PAP) {
			t.Errorf("%s: %+v has neither a number nor a reason", r.Name, row)
		}
	}
	first, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	// Figure 10 measures times. Approximations run anew take minutes;
	// TestSimulatedInShards shows that they are the same whoever runs them.
	if r.Name == "ishare-figure-10" || r.Name == "approximations" || !twice {
		return
	}
	if second, _ := json.Marshal(papertest.Ask(t, Reproducibles(), q)); string(second) != string(first) {
		t.Errorf("%s: two runs differ", r.Name)
	}
}

func TestReproduceRefuses(t *testing.T) {
	zero := 0.0
	for field, q := range map[string]paper.Question{
		"name":            {Name: "pcu-figure-66"},
		"name ":           {},
		"name  ":          {Name: "pcu-figure-1-3"},
		"machines":        {Name: "ishare-figure-11", Laboratory: machines.LaboratoryQuestion{Machines: -1}},
		"days":            {Name: "ishare-table-2", Laboratory: machines.LaboratoryQuestion{Days: min(1<<40, math.MaxInt)}},
		"reference-speed": {Name: "intergrid-sizes", ReferenceSpeed: &zero},
		"seeds":           {Name: "qos-graf-figure-7b", Seeds: -1},
	} {
		var input *ask.InputError
		_, err := Reproduce(context.Background(), &q)
		if !errors.As(err, &input) || input.Field != strings.TrimSpace(field) {
			t.Errorf("%+v: %v, want an error of %s", q, err, field)
		}
	}
	speed := 5e4
	if _, err := Reproduce(context.Background(), &paper.Question{Name: "intergrid-local", ReferenceSpeed: &speed}); err == nil || !strings.Contains(err.Error(), "saturated by its local requests") {
		t.Errorf("a speed at which nothing can be routed: %v", err)
	}
}
