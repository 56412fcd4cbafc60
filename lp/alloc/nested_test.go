package alloc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// tableBatch reads a batch from a row of testdata/bounds.csv.
func tableBatch(t testing.TB, row numtest.Row) *Batch {
	t.Helper()
	b := &Batch{Dependencies: []string{"x"}}
	for j, f := range strings.Fields(row.Text("capacities")) {
		r := Resource{ID: fmt.Sprint("r", j), Dependency: "x"}
		if _, err := fmt.Sscan(f, &r.PrimaryCapacity); err != nil {
			t.Fatal(err)
		}
		b.Resources = append(b.Resources, r)
	}
	for k, f := range strings.Split(row.Text("jobs"), "|") {
		job := Job{ID: fmt.Sprint("j", k), Levels: map[string][]Level{}}
		for _, pair := range strings.Fields(f) {
			var l Level
			if _, err := fmt.Sscanf(pair, "%d:%d", &l.Demand, &l.Revenue); err != nil {
				t.Fatal(err)
			}
			job.Levels["x"] = append(job.Levels["x"], l)
		}
		b.Jobs = append(b.Jobs, job)
	}
	return b
}

func TestBoundsAgainstExplicitPrograms(t *testing.T) {
	nestedMatters := 0
	for _, row := range numtest.Table(t, "testdata/bounds.csv") {
		s, err := New(tableBatch(t, row))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Bounds(context.Background(), BoundOptions{})
		what := fmt.Sprintf("line %d: ", row.Line)
		if row.Text("eligible") == "infeasible" {
			if !errors.Is(err, ErrInfeasible) {
				t.Errorf("%serr = %v, want infeasible", what, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s%v", what, err)
			continue
		}
		numtest.Close(t, what+"published", *b.Published, row.Float("published"), 1e-9)
		numtest.Close(t, what+"lp", b.LP, row.Float("lp"), 1e-9)
		numtest.Close(t, what+"eligible", b.Eligible, row.Float("eligible"), 1e-9)
		p, _ := s.deps[0].primaryProblem().trimmed()
		if dropped := p.relax(sum(p.cap)).bound; dropped > b.Eligible*(1+1e-9) {
			nestedMatters++
		}
	}
	if nestedMatters < 10 {
		t.Errorf("the nested rows matter in only %d rows of the table", nestedMatters)
	}
}
