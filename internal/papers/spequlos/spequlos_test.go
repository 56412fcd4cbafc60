package spequlos

import (
	"context"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/papers/paper"
)

// Every figure and table of SpeQuloS has its numbers with intervals that hold them,
// and each printed one its verdict.
func TestReproduceSpeQuloS(t *testing.T) {
	printed := 0
	for _, r := range Reproducibles() {
		a, err := paper.Reproduce(context.Background(), &paper.Question{Name: r.Name}, Reproducibles())
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		if len(a.Rows) == 0 || a.Seed == nil {
			t.Errorf("%s: no rows, or no seed", r.Name)
		}
		for _, row := range a.Rows {
			if row.Computed == nil {
				t.Errorf("%s: nothing computed: %+v", r.Name, row)
				continue
			}
			if row.Low != nil && (*row.Low > *row.Computed+1e-9 || *row.High < *row.Computed-1e-9) {
				t.Errorf("%s: %v outside %v to %v", r.Name, *row.Computed, *row.Low, *row.High)
			}
			if row.Printed != nil {
				printed++
				if row.Verdict == "" {
					t.Errorf("%s: no verdict: %+v", r.Name, row)
				}
			}
		}
	}
	if printed < 90 {
		t.Errorf("%d printed numbers compared", printed)
	}
}

func TestBagNames(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Reproducibles() {
		if seen[r.Name] || !strings.HasPrefix(r.Name, "spequlos-") {
			t.Errorf("%s twice, or not of SpeQuloS", r.Name)
		}
		seen[r.Name] = true
	}
}
