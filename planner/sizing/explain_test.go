package sizing

import (
	"context"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// numbersOf returns what stands in the step of that name.
func numbersOf(t *testing.T, e *ask.Explanation, name string) string {
	t.Helper()
	if e == nil {
		t.Fatal("no explanation")
	}
	for _, s := range e.Steps {
		if s.Name == name {
			return s.Numbers
		}
	}
	t.Fatalf("no step %q in %+v", name, e.Steps)
	return ""
}

// Where the load is a range an explanation begins with the fleet that leads, and says which case the
// other numbers are of.
func TestExplainedRange(t *testing.T) {
	q := SizeQuestion{Explain: true}
	q.OfferedLoad = new(units.Triangular[units.Erlang](80, 100, 130))
	q.Objectives.MaxBlocking = new(units.Fraction(0.01))
	a, err := Size(context.Background(), &q)
	if err != nil {
		t.Fatal(err)
	}
	e, r := a.Explanation, a.Recommended
	if want := ask.Sprintf("P(need ≤ %d) = %v", r.Servers, r.Chance); e.Steps[0].Numbers != want {
		t.Errorf("the first step says %q, want %q", e.Steps[0].Numbers, want)
	}
	if want := "the nominal 100 erl and 117 servers"; e.Of != want {
		t.Errorf("numbers are of %q, want %q", e.Of, want)
	}
	c, err := Check(context.Background(), &CheckQuestion{q, 120})
	if err != nil {
		t.Fatal(err)
	}
	if want := "the nominal 100 erl"; c.Explanation.Of != want {
		t.Errorf("a check's numbers are of %q, want %q", c.Explanation.Of, want)
	}
	q.OfferedLoad = new(units.Point[units.Erlang](100))
	if a, err = Size(context.Background(), &q); err != nil || a.Explanation.Of != "" {
		t.Errorf("of one load: %q, %v", a.Explanation.Of, err)
	}
}

// What an explanation says of the objectives is true of the fleet that it explains: one
// too small does not meet them, and of one with headroom those left do.
func TestExplainedObjectivesHold(t *testing.T) {
	ctx := context.Background()
	q := SizeQuestion{Explain: true}
	q.OfferedLoad = new(units.Point[units.Erlang](20))
	q.Objectives.MaxBlocking = new(units.Fraction(0.01))
	small, err := Check(ctx, &CheckQuestion{SizeQuestion: q, Servers: 10})
	if err != nil {
		t.Fatal(err)
	}
	if got := numbersOf(t, small.Explanation, "objective max_blocking"); !strings.Contains(got, "not ≤ 0.01") {
		t.Errorf("10 servers: %s", got)
	}
	q.Headroom = &Headroom{Zones: 3, Survive: 1}
	a, err := Size(ctx, &q)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := numbersOf(t, a.Explanation, "servers needed"), "n = 30: 29 do not"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := numbersOf(t, a.Explanation, "headroom"), "(3 − 1)·15 + 0 − 0 = 30"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A chance has no unit, and a time has one.
func TestExplainedUnits(t *testing.T) {
	q := SizeQuestion{Explain: true}
	q.OfferedLoad, q.ServiceTime = new(units.Point[units.Erlang](10)), new(units.Point[units.Duration](300))
	q.Patience = new(units.Duration(180))
	q.Objectives.MaxWait = new(units.Duration(20))
	a, err := Size(context.Background(), &q)
	if err != nil {
		t.Fatal(err)
	}
	if got := numbersOf(t, a.Explanation, "service level of offered"); !strings.HasPrefix(got, "t = 20 s: 0.95") ||
		strings.HasSuffix(got, "s") {
		t.Error(got)
	}
	q = SizeQuestion{Explain: true}
	q.OfferedLoad, q.ServiceTime = new(units.Point[units.Erlang](10)), new(units.Point[units.Duration](300))
	q.Model, q.Objectives.MaxMeanResponse = Sharing, new(units.Duration(360))
	if a, err = Size(context.Background(), &q); err != nil {
		t.Fatal(err)
	}
	if got := numbersOf(t, a.Explanation, "mean response"); !strings.HasSuffix(got, "328.527 s") {
		t.Error(got)
	}
}
