package forecast_test

import (
	"context"
	"testing"

	"github.com/capplan/capplan/planner/machines/forecast"
)

// The curve sums the law from above: all machines stay free least often, none or more
// always. A law of a million machines takes no longer than to read it.
func TestJointPlotsTails(t *testing.T) {
	many := make([]float64, 1_000_001)
	many[1_000_000] = 1
	for name, c := range map[string]struct{ law, tails []float64 }{
		"two machines": {law: []float64{0.25, 0.5, 0.25}, tails: []float64{1, 0.75, 0.25}},
		"a million":    {law: many},
	} {
		plots, err := (&forecast.JointAnswer{Law: c.law, Of: len(c.law) - 1}).Plots(context.Background())
		if err != nil {
			t.Fatal(name, err)
		}
		curve := plots[0].Curves[0]
		for n, x := range curve.X {
			want := 1.0
			if c.tails != nil {
				want = c.tails[n]
			}
			if x != float64(n) || curve.Y[n] != want {
				t.Fatalf("%s: point %d is (%g, %g), want (%d, %g)", name, n, x, curve.Y[n], n, want)
			}
		}
	}
}

// The first machine by rank is the one most likely to stay free, whatever the order in which
// the machines are named.
func TestJointRanks(t *testing.T) {
	f := twentyDays(t)
	a, err := forecast.Joint(context.Background(), &forecast.JointQuestion{Fleet: f, DayWindow: nine,
		Hosts: []string{"a/k", "a/a", "b/f"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{3, 1, 2} {
		if m := a.Machines[i]; m.Rank != want {
			t.Errorf("%s, free with chance %.3f, has rank %d, want %d", m.Name, m.Reliability, m.Rank, want)
		}
	}
}
