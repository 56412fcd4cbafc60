package forecast_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
)

// TestWhereNothingFailed: one machine that was there for 2.4 days, and never away, was said
// to stay for four hours with 99.94 %, 99.94 % at least.
func TestWhereNothingFailed(t *testing.T) {
	f := oneMachine(t, 700, 0)
	window := machines.DayWindow{Day: "weekday", Start: 9 * 3600, Window: 4 * 3600}
	never := func(f *forecast.Fleet) {
		t.Helper()
		a, err := forecast.Ask(context.Background(), &forecast.Question{Fleet: f, DayWindow: window})
		if err != nil {
			t.Fatal(err)
		}
		// Half a failure in 699 steps, the exact limit exp(-3.0 × 48/699).
		if a.Reliability < 0.95 || a.Reliability > 0.98 || *a.Low < 0.79 || *a.Low > 0.83 || *a.High < 0.999 {
			t.Errorf("%.4f, %.4f to %.4f", a.Reliability, *a.Low, *a.High)
		}
		warned(t, a.Warnings, "no failure was seen in 2.4")
		j, err := forecast.Joint(context.Background(), &forecast.JointQuestion{Fleet: f, DayWindow: window})
		if err != nil {
			t.Fatal(err)
		}
		warned(t, j.Warnings, "no failure was seen")
		r, err := forecast.Replicas(context.Background(),
			&forecast.ReplicasQuestion{Fleet: f, DayWindow: window, Target: 0.9})
		if err != nil {
			t.Fatal(err)
		}
		warned(t, r.Warnings, "no failure was seen")
		if risk, err := f.Risk(4 * 3600); err != nil || risk.Leaves < 0.02 || risk.Leaves > 0.05 {
			t.Errorf("%+v, %v", risk, err)
		}
	}
	never(f)
	// A file of before, with the model of before, is read as if it were of today.
	f.Hazard.Shape, f.Hazard.Age[9] = 0.01, 1e-5
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	old, err := forecast.ReadFleet(context.Background(), "old.json", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	never(old)
}

// TestWhereHardlyAnythingFailed: one failure and two are warned of, three are not.
func TestWhereHardlyAnythingFailed(t *testing.T) {
	for failures := 1; failures <= 3; failures++ {
		f := oneMachine(t, 700, failures)
		if got := strings.Join(f.Seldom(), ";"); strings.Contains(got, "say little about the hazard") != (failures < 3) {
			t.Errorf("%d failures: %q", failures, got)
		}
	}
}

// oneMachine is a fleet of one machine, by so many steps of five minutes.
func oneMachine(t *testing.T, steps, failures int) *forecast.Fleet {
	t.Helper()
	l, err := forecast.NewLearning(machines.Labelling{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := l.Labelling().NewRecorder("m1")
	stay := steps / (failures + 1)
	for i := range failures + 1 {
		at := monday + 300*float64(i*stay)
		if err := r.AddSpell(at, at+300*float64(stay-1), true, 300); err != nil {
			t.Fatal(err)
		}
		if err := r.AddSpell(at+300*float64(stay-1), at+300*float64(stay), i == failures, 300); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Add(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	f, err := l.Fleet(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func warned(t *testing.T, all []string, of string) {
	t.Helper()
	if !strings.Contains(strings.Join(all, "\n"), of) {
		t.Errorf("no warning of %q: %q", of, all)
	}
}

// A window at ages beyond all that were seen is answered with a warning, of one machine and of several.
func TestBeyondTheLongestStay(t *testing.T) {
	f := twentyDays(t)
	ctx := context.Background()
	months, hour := 60*86400.0, 3600.0
	for _, c := range []struct {
		elapsed *float64
		window  float64
		warns   bool
	}{{nil, 7200, false}, {&hour, 7200, false}, {&months, 7200, true}, {nil, 30 * 86400, true}} {
		w := machines.DayWindow{Day: "weekday", Start: 9 * 3600, Window: c.window}
		one, err := forecast.Ask(ctx, &forecast.Question{Fleet: f, DayWindow: w, Elapsed: c.elapsed})
		if err != nil {
			t.Fatal(err)
		}
		several, err := forecast.Joint(ctx, &forecast.JointQuestion{Fleet: f, DayWindow: w, Elapsed: c.elapsed, Least: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range [][]string{one.Warnings, several.Warnings} {
			if warns := strings.Contains(strings.Join(said, "\n"), "was ever seen to continue, and this one would last"); warns != c.warns {
				t.Errorf("%+v: %q", c, said)
			}
		}
	}
}
