package forecast_test

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/smp"
)

// hourly makes a machine of hourly samples from Monday, 2024-01-01, failed at the
// hours named.
func hourly(name string, days int, failed func(hour int) bool) machines.Trace {
	h := machines.Trace{Name: name}
	for i := range days * 24 {
		load := 0.1
		if failed(i) {
			load = 0.9
		}
		h.Samples = append(h.Samples, smp.Sample{Time: 1704067200 + 3600*float64(i), Load: load, FreeMemory: math.NaN()})
	}
	return h
}

// The models that need no fit, by hand. Machine a is failed in hour 10 of its second
// day, b never, over five weekdays of 24 steps; c only one day, at noon.
func TestAskModel(t *testing.T) {
	fleet := []machines.Trace{
		hourly("a", 5, func(i int) bool { return i == 34 }),
		hourly("b", 5, func(int) bool { return false }),
	}
	w := machines.DayWindow{Day: "weekday", Start: 8 * 3600, Window: 4 * 3600}
	five := 5 * 3600.0
	// The record of a holds 118 steps that are survived, at whose end the state is
	// known, and one, of half weight, in which it fails.
	for _, c := range []struct {
		model   string
		elapsed *float64
		a, b    float64
	}{
		// a: 33 steps survived before the failure, then free from hour 35 to 119.
		{backtest.ExponentialModel, nil, math.Exp(-1.5 / 117.5 * 4), math.Exp(-0.5 / 119 * 4)},
		{backtest.ShareOfDaysModel, nil, 0.8, 1},
		{backtest.AlwaysModel, nil, 1, 1},
		// Only one age has a failure, 33, which lies beyond 5 + 4.
		{backtest.KMModel, &five, 1, 1},
	} {
		a, err := forecast.AskModel(context.Background(), &forecast.ModelQuestion{Hosts: fleet, DayWindow: w,
			Model: c.model, Elapsed: c.elapsed, Explain: true})
		if err != nil {
			t.Fatal(c.model, err)
		}
		got := map[string]forecast.Machine{}
		for _, m := range a.Machines {
			got[m.Name] = m
			if m.Low != nil && !(*m.Low <= m.Reliability && m.Reliability <= *m.High) {
				t.Errorf("%s %s: %v to %v around %v", c.model, m.Name, *m.Low, *m.High, m.Reliability)
			}
		}
		if math.Abs(got["a"].Reliability-c.a) > 1e-12 || math.Abs(got["b"].Reliability-c.b) > 1e-12 || a.Choice != "b" && c.a != c.b {
			t.Errorf("%s: %+v, want %v and %v", c.model, a.Machines, c.a, c.b)
		}
		if p, err := a.Plots(context.Background()); err != nil || len(p[0].Curves[0].X) < 4 || p[0].Curves[0].Y[0] != 1 {
			t.Errorf("%s: %+v, %v", c.model, p, err)
		}
	}
	// By age 30 of two machines at risk one fails within 4 steps.
	thirty := 30 * 3600.0
	a, err := forecast.AskModel(context.Background(), &forecast.ModelQuestion{Hosts: fleet, DayWindow: w,
		Model: backtest.KMModel, Elapsed: &thirty, Host: "new"})
	if err != nil || a.Machines[0].Known || !(a.Reliability > 0.3 && a.Reliability < 0.8) {
		t.Errorf("%+v, %v", a, err)
	}
	for _, q := range []*forecast.ModelQuestion{
		nil,
		{DayWindow: w, Model: backtest.KMModel},
		{Hosts: fleet, DayWindow: w, Model: backtest.AutoModel},
		{Hosts: fleet, DayWindow: w, Model: "cox"},
		{Hosts: fleet, DayWindow: machines.DayWindow{Day: "weekday"}, Model: backtest.KMModel},
		{Hosts: fleet, DayWindow: w, Model: backtest.ShareOfDaysModel, Host: "new"},
		{Hosts: []machines.Trace{fleet[0], fleet[0]}, DayWindow: w, Model: backtest.KMModel},
	} {
		if a, err := forecast.AskModel(context.Background(), q); err == nil {
			t.Errorf("%+v", a)
		}
	}
}

// By one of these models a longer window never gets a greater chance.
func TestLongerWindowsAreLessLikely(t *testing.T) {
	fleet := []machines.Trace{
		hourly("a", 12, func(i int) bool { return i%11 == 3 && i%24 > 8 }),
		hourly("b", 12, func(i int) bool { return i%37 == 9 }),
		hourly("c", 12, func(i int) bool { return i%24 == 13 }),
	}
	for _, model := range []string{backtest.FrailtyModel, backtest.KMModel, backtest.ExponentialModel} {
		for start := 0.0; start < 24; start += 8 {
			before := map[string]float64{}
			for window := 1.0; window <= 12; window += 1.5 {
				a, err := forecast.AskModel(context.Background(), &forecast.ModelQuestion{Hosts: fleet, Model: model,
					DayWindow: machines.DayWindow{Day: "weekday", Start: start * 3600, Window: window * 3600}})
				if err != nil {
					t.Fatal(model, err)
				}
				for _, m := range a.Machines {
					if p, ok := before[m.Name]; ok && m.Reliability > p+1e-9 {
						t.Errorf("%s: %s from %v: %v through %v h, %v through less", model, m.Name, start, m.Reliability, window, p)
					}
					before[m.Name] = m.Reliability
				}
			}
		}
	}
}
