package records

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capplan/capplan/hosts"
)

func courses(t *testing.T, name, content string, c *Courses) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return c.Read(context.Background(), path)
}

// With 1 dollar an hour, prices of 0.3, 0.5, 2 and 0.2 pay 3, 2, 0 and 5 instances:
// the i-th runs while the price is at most 1/i.
func TestNestedBids(t *testing.T) {
	budget := 1.0
	c := &Courses{Budget: &budget}
	err := courses(t, "p.csv", "time,price_usd_per_hour\n0,0.3\n100,0.5\n200,2\n300,0.2\n400,0.2\n", c)
	if err != nil {
		t.Fatal(err)
	}
	want := []hosts.Record{
		{Changes: []float64{0, 200, 300}, Span: 400},
		{Changes: []float64{0, 200, 300}, Span: 400},
		{Changes: []float64{0, 100, 300}, Span: 400},
		{Changes: []float64{300}, Span: 400},
		{Changes: []float64{300}, Span: 400},
	}
	if d := cmp.Diff(want, c.Records); d != "" {
		t.Error(d)
	}
}

// Two nodes of an archive of failures; the second is watched from 50 s on.
func TestCoursesOfEvents(t *testing.T) {
	c := &Courses{}
	event := "#event_id component_id node_id platform_id node_name event_type event_start_time event_stop_time event_end_reason\n" +
		"1\t0\t1\t1\ta\t1\t1000\t1060\t0\n2\t0\t1\t1\ta\t0\t1060\t1080\t0\n3\t0\t1\t1\ta\t1\t1080\t1100\t0\n" +
		"4\t0\t2\t1\tb\t0\t1050\t1070\t0\n5\t0\t2\t1\tb\t1\t1070\t1090\t0\n"
	if err := courses(t, "e.tab", event, c); err != nil {
		t.Fatal(err)
	}
	want := []hosts.Record{{Changes: []float64{0, 60, 80}, Span: 100}, {Changes: []float64{70, 90}, Span: 100}}
	if d := cmp.Diff(want, c.Records); d != "" {
		t.Error(d)
	}
	if len(c.Warnings) == 0 {
		t.Error("no word of the time that was not watched")
	}
}

func TestCoursesRefuse(t *testing.T) {
	zero, tiny, nan := 0.0, 1e-9, math.NaN()
	prices := "time,price_usd_per_hour\n0,0.3\n100,0.5\n"
	for name, c := range map[string]*Courses{"zero": {Budget: &zero}, "tiny": {Budget: &tiny}, "NaN": {Budget: &nan}} {
		if err := courses(t, "p.csv", prices, c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := courses(t, "d.csv", "duration_s\n1\n2\n", &Courses{}); err == nil {
		t.Error("durations: no error")
	}
}
