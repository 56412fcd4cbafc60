package backtest_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/smp"
)

// What auto stands for is found within the older days: the later ones, which it is
// judged on, may be anything.
func TestAutoKnowsOlderDaysAlone(t *testing.T) {
	q := &backtest.ScoreQuestion{Day: "weekday", Models: []string{backtest.AutoModel, backtest.SMPModel}, Windows: []float64{3600, 7200}}
	fleet := sampledFleet(8, 19)
	a := scores(t, q, fleet, true)
	if a.Chosen == nil || a.Chosen.Reason != "" || len(a.Models) != 2 || len(a.Chosen.Scores) != len(backtest.Candidates) {
		t.Fatalf("%+v", a.Chosen)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for m := range fleet {
		for i := range fleet[m].Samples {
			if s := &fleet[m].Samples[i]; s.Time >= 1704067200+11*86400 {
				s.Load = rng.Float64()
			}
		}
	}
	b := scores(t, q, fleet, false)
	if !reflect.DeepEqual(a.Chosen, b.Chosen) {
		t.Errorf("%+v, with other later days %+v", a.Chosen, b.Chosen)
	}
	if reflect.DeepEqual(a.Models, b.Models) {
		t.Error("the later days do not matter to the scores")
	}
	// It scores as the model that it stands for.
	q.Models = []string{a.Chosen.Model, backtest.SMPModel}
	if a.Chosen.Model == backtest.SMPModel {
		q.Models = q.Models[1:]
	}
	one, auto := scores(t, q, sampledFleet(8, 19), true).Models[0], a.Models[0]
	if auto.Brier != one.Brier || auto.LogLoss != one.LogLoss || auto.BestTenth != one.BestTenth {
		t.Errorf("%+v, %+v", auto, one)
	}
}

// drawn makes a fleet of hourly samples by a rule that says whether a machine is
// failed.
func drawn(size, days int, failed func(machine, hour int) bool) []machines.Trace {
	var out []machines.Trace
	for m := range size {
		h := machines.Trace{Name: string(rune('a' + m))}
		for i := range days * 24 {
			load := 0.1
			if failed(m, i) {
				load = 0.9
			}
			h.Samples = append(h.Samples, smp.Sample{Time: 1704067200 + 3600*float64(i), Load: load, FreeMemory: math.NaN()})
		}
		out = append(out, h)
	}
	return out
}

// Machines that fail by the clock, each at its own hour, are foreseen best by their
// own days; machines without memory, each with a rate of its own, by rates.
func TestChoose(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name   string
		failed func(machine, hour int) bool
		want   []string
	}{
		{"clock", func(m, i int) bool { return i%24 == (3*m+5)%24 }, []string{backtest.SMPModel, backtest.CensoredModel, backtest.ShareOfDaysModel}},
		{"rates", func(m, i int) bool { return rng.Float64() < 0.02*float64(1+m) }, []string{backtest.FrailtyModel, backtest.ExponentialModel}},
	} {
		a, err := backtest.Choose(context.Background(), &backtest.ChoiceQuestion{Hosts: drawn(6, 26, c.failed), Day: "weekday", Window: 4 * 3600})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(c.want, a.Model) || a.Windows < 500 || !(*a.Ahead >= 0) || a.Scores[0].Model != a.Model {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
	// A record too short to hold something out is not judged, and the answer says so.
	a, err := backtest.Choose(context.Background(),
		&backtest.ChoiceQuestion{Hosts: drawn(2, 1, func(int, int) bool { return false }), Day: "weekday", Window: 3600})
	if err != nil || a.Model != backtest.FrailtyModel || a.Reason == "" || a.Ahead != nil {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := backtest.Choose(context.Background(), &backtest.ChoiceQuestion{Day: "weekday", Window: 3600}); err == nil {
		t.Error("no trace is no error")
	}
}

// Held-out days without a failure make the surest model look best: machines that failed
// often before are not then told that they never will.
func TestChooseAfterQuietDays(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	fleet := drawn(3, 26, func(m, i int) bool { return i < 12*24 && rng.Float64() < 0.05 })
	a, err := backtest.Choose(context.Background(), &backtest.ChoiceQuestion{Hosts: fleet, Day: "weekday", Window: 4 * 3600})
	if err != nil {
		t.Fatal(err)
	}
	if a.Model != backtest.FrailtyModel || a.Reason == "" || a.Windows < 100 {
		t.Errorf("%+v", a)
	}
	// One failure among them does not make it certain that there will be none.
	once := func(m, i int) bool { return m == 1 && i == 21*24+7 }
	rng = rand.New(rand.NewPCG(5, 7))
	fleet = drawn(3, 26, func(m, i int) bool { return i < 12*24 && rng.Float64() < 0.05 || once(m, i) })
	if a, err = backtest.Choose(context.Background(), &backtest.ChoiceQuestion{Hosts: fleet, Day: "weekday", Window: 4 * 3600}); err != nil {
		t.Fatal(err)
	}
	if a.Model == backtest.AlwaysModel || a.Reason != "" {
		t.Errorf("%+v", a)
	}
}
