package reliability_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

// k = 0 in the table says that no number up to 59 meets the target.
func TestReplicasNeeded(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/needed.csv") {
		c := reliability.Component{r.Float("mttf"), r.Float("mttr")}
		m := int(r.Float("m"))
		var got reliability.CorrelatedCount
		var err error
		if r.Text("kind") == "crews" {
			got, err = reliability.ReplicasWithCrews(c, m, int(r.Float("parameter")), r.Float("target"))
		} else {
			got, err = reliability.BetaFactor{c, r.Float("parameter")}.ReplicasNeeded(m, r.Float("target"))
		}
		want := int(r.Float("k"))
		if want == 0 {
			if !errors.Is(err, reliability.ErrInfeasible) && !(err == nil && got.Replicas > 59) {
				t.Errorf("line %d: got %+v, %v, want infeasible or more than 59", r.Line, got, err)
			}
			continue
		}
		if err != nil || got.Replicas != want {
			t.Errorf("line %d: %d replicas, %v, want %d", r.Line, got.Replicas, err, want)
			continue
		}
		numtest.Close(t, "availability", got.Availability, r.Float("availability"), 1e-12)
		numtest.Close(t, "unavailability", got.Unavailability, r.Float("unavailability"), 1e-11)
	}
}

// With more crews than replicas the chain is that of independent repairs.
func TestReplicasWithManyCrews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := reliability.Component{rapid.Float64Range(0.5, 50).Draw(t, "mttf"), rapid.Float64Range(0.1, 5).Draw(t, "mttr")}
		m := rapid.IntRange(1, 8).Draw(t, "m")
		target := rapid.Float64Range(0.1, 0.9999).Draw(t, "target")
		many, err := reliability.ReplicasWithCrews(c, m, 5000, target)
		if err != nil {
			t.Fatal(err)
		}
		free, err := reliability.Spares(c, m, target)
		if err != nil {
			t.Fatal(err)
		}
		if many.Replicas != free.Total {
			t.Fatalf("%v, m = %d, target %v: %d with 5000 crews, %d without a limit", c, m, target, many.Replicas, free.Total)
		}
	})
}

// One crew, MTTF = MTTR: the number up is at most Poisson(1), P(>= 1) = 1 - 1/e.
func TestReplicasWithCrewsInfeasible(t *testing.T) {
	_, err := reliability.ReplicasWithCrews(reliability.Component{1, 1}, 1, 1, 0.7)
	var e *reliability.AvailabilityError
	if !errors.As(err, &e) || !errors.Is(err, reliability.ErrInfeasible) {
		t.Fatalf("got %v", err)
	}
	numtest.Close(t, "reachable", e.Reachable, 1-math.Exp(-1), 1e-14)
	numtest.Close(t, "floor", e.Floor, math.Exp(-1), 1e-14)
	if _, err := reliability.ReplicasWithCrews(reliability.Component{1, 1}, 1, 1, 0.6); err != nil {
		t.Errorf("0.6 is below 1 - 1/e: %v", err)
	}
}

func TestReplicasNeededDomain(t *testing.T) {
	c := reliability.Component{5, 2}
	for name, f := range map[string]func() error{
		"mttf": func() error {
			_, err := reliability.ReplicasWithCrews(reliability.Component{0, 2}, 1, 1, 0.5)
			return err
		},
		"needed": func() error { _, err := reliability.ReplicasWithCrews(c, 0, 1, 0.5); return err },
		"crews":  func() error { _, err := reliability.ReplicasWithCrews(c, 1, 0, 0.5); return err },
		"target": func() error { _, err := reliability.ReplicasWithCrews(c, 1, 1, math.NaN()); return err },
		"m":      func() error { _, err := reliability.BetaFactor{c, 0.1}.ReplicasNeeded(0, 0.5); return err },
		"most": func() error {
			_, err := reliability.Placement{c, []reliability.RiskGroup{{0.1, 3}}}.AllDown(-1)
			return err
		},
	} {
		var e *reliability.DomainError
		if err := f(); !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := reliability.ReplicasWithCrews(c, 1, 1, 1); !errors.Is(err, reliability.ErrNoFiniteCount) {
		t.Errorf("target 1: %v", err)
	}
	if _, err := (reliability.BetaFactor{c, 0.5}).ReplicasNeeded(2, 0.9); !errors.Is(err, reliability.ErrInfeasible) {
		t.Errorf("beyond the common cause: %v", err)
	}
}

// The least number for a window meets the target and one fewer does not.
func TestReplicasForWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reliability.ReplicaSet{Component: reliability.Component{rapid.Float64Range(2, 50).Draw(t, "mttf"), rapid.Float64Range(0.1, 2).Draw(t, "mttr")},
			Needed: rapid.IntRange(1, 3).Draw(t, "m"), Crews: rapid.IntRange(0, 3).Draw(t, "crews")}
		window := rapid.Float64Range(0.1, 20).Draw(t, "window")
		target := rapid.Float64Range(0.3, 0.999).Draw(t, "target")
		k, at, err := reliability.ReplicasForWindow(context.Background(), s, window, reliability.AllUp, target, 50)
		if errors.Is(err, reliability.ErrCountTooLarge) && s.Crews > 0 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if at.Survival < target*(1-1e-12) {
			t.Fatalf("%d replicas survive with %v, want %v", k, at.Survival, target)
		}
		s.Replicas = k
		if same, err := reliability.IntervalReliability(context.Background(), s, window, reliability.AllUp); err != nil || same != at {
			t.Fatalf("%d replicas: %+v, want %+v, %v", k, at, same, err)
		}
		if k > s.Needed {
			s.Replicas = k - 1
			fewer, err := reliability.IntervalReliability(context.Background(), s, window, reliability.AllUp)
			if err != nil || fewer.Survival >= target {
				t.Fatalf("%d replicas survive with %v, %v, too", k-1, fewer.Survival, err)
			}
		}
	})
	// One crew cannot keep one of machines up that are mostly down.
	_, _, err := reliability.ReplicasForWindow(context.Background(), reliability.ReplicaSet{Component: reliability.Component{1, 10}, Needed: 1, Crews: 1}, 1000, reliability.AllUp, 0.9, 20)
	if !errors.Is(err, reliability.ErrCountTooLarge) {
		t.Errorf("hopeless crew: %v", err)
	}
}

// The curve of a placement is the least of all placements of each count.
func TestPlacementAllDown(t *testing.T) {
	p := reliability.Placement{reliability.Component{10, 1}, []reliability.RiskGroup{{0.01, 3}, {0.02, 2}}}
	curve, err := p.AllDown(10)
	if err != nil || len(curve) != 6 {
		t.Fatalf("%d points, %v, want 0 to 5 replicas", len(curve), err)
	}
	for k := 1; k < len(curve); k++ {
		best := 1.0
		allPlacements(p.Groups, k, func(at []int) {
			best = math.Min(best, bruteGroups([]float64{0.01, 0.02}, 1.0/11, at, 1))
		})
		numtest.Close(t, "all down", curve[k], best, 1e-12)
	}
}
