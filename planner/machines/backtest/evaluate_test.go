package backtest_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/smp"
)

// Days that are all alike are foretold without error by the process; with one
// training day and one test day the sample sizes are theirs.
func TestEvaluatePrediction(t *testing.T) {
	h := &machines.Trace{Name: "h"}
	for i := range 4*288 + 1 {
		load := 0.1
		if i%288 >= 150 && i%288 < 160 {
			load = 0.9
		}
		h.Samples = append(h.Samples, smp.Sample{Time: 1704067200 + 300*float64(i), Load: load, FreeMemory: math.NaN()})
	}
	q := &backtest.EvaluateQuestion{Hosts: []machines.Trace{*h}, Day: "weekday", Windows: []float64{3600, 7200}, Starts: []float64{9 * 3600, 12 * 3600}, Models: []string{"last"}}
	a, err := backtest.Evaluate(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	// From 9:00 nothing fails; from 12:00 every day does at 12:30, so that no
	// relative error is defined.
	for _, w := range a.Models[0].Windows {
		if w.Scores != 1 || w.Undefined != 1 || w.TestDays != 4 || w.TrainDays != 2 || *w.Mean != 0 {
			t.Errorf("%+v", w)
		}
	}
	if len(a.Models) != 2 || a.Models[1].Model != "LAST" || *a.Best != "SMP" {
		t.Errorf("%+v", a)
	}
	var input *ask.InputError
	q.Models = []string{"lst"}
	if _, err := backtest.Evaluate(context.Background(), q); !errors.As(err, &input) || input.Field != "baselines" {
		t.Error(err)
	}
	q.Models, q.Day = nil, "weekend"
	if _, err := backtest.Evaluate(context.Background(), q); !errors.As(err, &input) || input.Field != "day" {
		t.Error(err)
	}
}

// failing is a machine that fails every day from 12:00 to 13:00, and steady one
// that never does; both begin on a Monday.
func failing(name string, days int, fails bool) machines.Trace {
	h := machines.Trace{Name: name}
	for i := range days * 288 {
		load := 0.1
		if m := i % 288; fails && m >= 144 && m < 156 {
			load = 0.9
		}
		h.Samples = append(h.Samples, smp.Sample{Time: 1704067200 + 300*float64(i), Load: load, FreeMemory: math.NaN()})
	}
	return h
}

// The two machines together: pooled, the days of both count; by machine, the
// failing one has no error where no day is free.
func TestEvaluateFleet(t *testing.T) {
	q := &backtest.EvaluateQuestion{Hosts: []machines.Trace{failing("a", 5, true), failing("b", 5, false)}, Day: "weekday",
		Windows: []float64{3600, 3 * 3600}, Starts: []float64{10 * 3600}, Models: []string{"last", "share"}, Ratios: []float64{0.2, 0.6},
		Noise: &backtest.NoiseQuestion{Instances: []int{0, 8}, Repetitions: 3, Seed: 5}}
	a, err := backtest.Evaluate(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	w := a.Models[0].Windows
	if w[0].Scores != 2 || *w[0].PoolMean != 0 || w[1].Scores != 1 || w[1].Undefined != 1 || w[1].Pools != 1 || *w[1].PoolMean != 0 || *w[1].Observed != 0.5 || *w[1].Predicted != 0.5 {
		t.Errorf("SMP: %+v %+v", w[0], w[1])
	}
	// LAST says that both stay free through noon: 1 for 1/2.
	if last := a.Models[1].Windows[1]; *last.PoolMean != 1 || *last.Absolute != 0.5 || *last.Mean != 0 || *last.Brier != 0.5 {
		t.Errorf("LAST: %+v", last)
	}
	if len(a.Ratios) != 2 || a.Ratios[0].TrainDays != 1 || a.Ratios[1].TrainDays != 3 || *a.Ratios[1].GreatestMean != 0 {
		t.Errorf("ratios: %+v", a.Ratios)
	}
	for _, s := range a.Noise.Scores {
		if s.Instances == 0 && *s.Greatest != 0 || s.Instances == 8 && s.Window == 3600 && !(*s.Mean > 0.3) {
			t.Errorf("noise: %+v", s)
		}
	}
	if a.Hosts != 2 || a.LeftOut != 0 || *a.BestPool != "SMP" {
		t.Errorf("%+v", a)
	}
	// The same question again, and the machines in another order.
	b, err := backtest.Evaluate(context.Background(), q)
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("asked again: %+v, %v", b, err)
	}
	q.Hosts[1].Name = "a"
	var input *ask.InputError
	if _, err := backtest.Evaluate(context.Background(), q); !errors.As(err, &input) || input.Field != "trace" {
		t.Error(err)
	}
}

// An evaluation that is stopped answers for the machines that are done: as if
// asked of those alone.
func TestEvaluateStopped(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // one after another
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	q := &backtest.EvaluateQuestion{Hosts: []machines.Trace{failing("a", 5, true), failing("b", 5, false), failing("c", 5, false)}, Day: "weekday",
		Windows: []float64{3600}, Starts: []float64{10 * 3600, 12 * 3600}, Models: []string{"share"}, Ratios: []float64{0.2}}
	q.Done = func(n, _ int) {
		if n == 2 { // both starts of the first machine
			cancel()
		}
	}
	a, err := backtest.Evaluate(ctx, q)
	if err != nil || !a.Stopped || a.Hosts != 1 || len(a.Ratios) != 0 {
		t.Fatalf("%+v, %v", a, err)
	}
	q.Hosts, q.Done = q.Hosts[:1], nil
	b, err := backtest.Evaluate(context.Background(), q)
	if err != nil || b.Stopped || !reflect.DeepEqual(a.Models, b.Models) || !reflect.DeepEqual(a.Cells, b.Cells) {
		t.Errorf("%+v, %v; alone %+v", a.Models, err, b.Models)
	}
	q.Done = func(int, int) { cancel() }
	if _, err := backtest.Evaluate(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before the first: %v", err)
	}
}

// Jobs of two hours that come at 11:00 fail on the machine that fails at noon:
// the fastest is taken by one scheduler, and left by the two others.
func TestReplaySchedulers(t *testing.T) {
	from, to := 11*3600.0, 11*3600.0+300
	q := &backtest.ReplayQuestion{Hosts: []machines.Trace{failing("a", 5, true), failing("b", 5, false)}, Lengths: []float64{1800, 7200}, Times: 6, From: &from, To: &to, Rates: map[string]float64{"a": 1.1}}
	a, err := backtest.Replay(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]float64{"proactive": {0, 0}, "condor-like": {0, 1}, "omniscient": {0, 0}}
	for _, s := range a.Lengths {
		long := 0
		if *s.Length == 7200 {
			long = 1
		}
		if s.Jobs != 6 || *s.FailureRate != want[s.Scheduler][long] || s.Common != 6 {
			t.Errorf("%+v", s)
		}
		// Half an hour: 1800/(1.1·0.9) s = 6.06 steps of 300 s on a. Two hours
		// on b: 7200/0.9 = 8000 s, 26.7 steps.
		if span := []float64{2100, 8100}[long]; s.Scheduler != "condor-like" && *s.MeanMakespan != span {
			t.Errorf("makespan: %v, want %v", *s.MeanMakespan, span)
		}
	}
	b, err := backtest.Replay(context.Background(), q)
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("asked again: %+v, %v", b, err)
	}
	q.To = &from
	var input *ask.InputError
	if _, err := backtest.Replay(context.Background(), q); !errors.As(err, &input) || input.Field != "to" {
		t.Error(err)
	}
}
