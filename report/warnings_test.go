package report_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner"
)

// A warning of a part is one of the plan's, and stands once on the page, beside what it is about.
func TestWarningsStandOnce(t *testing.T) {
	q, err := planner.ReadScenario(context.Background(), strings.NewReader(`{"load": {"erlangs": 120},
  "objectives": {"max_blocking": "1%"}, "machines": [{"name": "rack"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	d, a := document(t, q)
	const warning = "rack has no price and counts as free"
	if all := strings.Join(a.Warnings, "\n"); strings.Count(all, warning) != 1 {
		t.Errorf("warnings of the plan: %s", all)
	}
	var page bytes.Buffer
	if err := d.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), warning); n != 1 {
		t.Errorf("%d times on the page, want once", n)
	}
}
