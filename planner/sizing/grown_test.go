package sizing

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/units"
)

// A load that grows is the one given times the factor, and grows once.
func TestGrown(t *testing.T) {
	g := growth.Growth{Times: parse[units.Number](t, "1.5")}
	got, err := g.Factor()
	if err != nil {
		t.Fatal(err)
	}
	q := lossQuestion(t, "100..120..150")
	q.Growth = &g
	more, err := q.Grown()
	if err != nil || more.Growth != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "high", float64(more.OfferedLoad.High), 150*got, 1e-14)
}

// On the day named the fleet falls short, and on the day before it does not.
func TestFallsShort(t *testing.T) {
	rate, from := growth.Rate(0.2), new(growth.Date)
	if err := from.Set("2026-11-22"); err != nil {
		t.Fatal(err)
	}
	loss := lossQuestion(t, "120")
	q := &CapacityQuestion{Traffic: loss.Traffic, Objectives: loss.Objectives, Servers: 160, When: true}
	q.Growth = &growth.Growth{Rate: &rate, AsOf: from}
	a, err := Capacity(context.Background(), q)
	if err != nil || a.When == nil || a.When.Date == nil {
		t.Fatal(a, err)
	}
	wide := *q
	wide.OfferedLoad = lossQuestion(t, "100..120..150").OfferedLoad
	if b, err := Capacity(context.Background(), &wide); err != nil || *b.When.Date != *a.When.Date ||
		!slices.ContainsFunc(b.Warnings, func(w string) bool { return strings.Contains(w, "most likely value") }) {
		t.Errorf("a range: %v %v, want the day of its most likely value, and a word of it", b, err)
	}
	for _, c := range []struct {
		days int
		met  bool
	}{{0, false}, {-1, true}} {
		day, err := time.Parse(time.DateOnly, *a.When.Date)
		if err != nil {
			t.Fatal(err)
		}
		var until growth.Date
		if err := until.Set(day.AddDate(0, 0, c.days).Format(time.DateOnly)); err != nil {
			t.Fatal(err)
		}
		s := lossQuestion(t, "120")
		s.Growth = &growth.Growth{Rate: &rate, AsOf: from, Until: &until}
		b, err := Check(context.Background(), &CheckQuestion{SizeQuestion: *s, Servers: 160})
		if err != nil || b.Met != c.met {
			t.Errorf("on %s: %v %v", until, b.Met, err)
		}
	}
}
