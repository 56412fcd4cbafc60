package machines_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// exampleKernel is the kernel file of the documentation.
func exampleKernel() *machines.Kernel {
	return &machines.Kernel{
		Step: 6, States: []string{"S1", "S2", "S3"}, Failure: []string{"S3"}, Initial: "S1",
		Kernel: map[string]map[string][]float64{"S1": {"S2": {0.1, 0.2}, "S3": {0.05}}, "S2": {"S1": {0.5}, "S3": {0, 0.5}}},
	}
}

// Against exact rational arithmetic of the renewal equations: R(10) =
// 2448871/3200000, and 1162873/1360000 after one step in S1.
func TestSolve(t *testing.T) {
	for _, c := range []struct{ elapsed, reliability, up float64 }{
		{0, 2448871.0 / 3200000, 50.773948125},
		{6, 1162873.0 / 1360000, math.NaN()},
	} {
		a, err := machines.Solve(context.Background(), &machines.SolveQuestion{Kernel: exampleKernel(), Window: 60, Elapsed: c.elapsed, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "reliability", a.TemporalReliability, c.reliability, 1e-14)
		numtest.Close(t, "unreliability", a.FailureProbability["S3"], 1-c.reliability, 1e-14)
		if !math.IsNaN(c.up) {
			numtest.Close(t, "mean up", a.MeanUp, c.up, 1e-13)
		}
		if a.Horizon != 10 || a.Step != 6 || a.InitialState != "S1" || a.Elapsed != c.elapsed || a.MTTF != nil || a.Explanation == nil {
			t.Errorf("%+v", a)
		}
	}
	// Certain failure: MTTF = 59/21 steps, R(5) = 1/16, R(60) = 1.655e-14.
	k := exampleKernel()
	k.Kernel = map[string]map[string][]float64{"S1": {"S2": {1. / 3, 0, 1. / 6}, "S3": {0, 0.5}}, "S2": {"S1": {0, 0.25}, "S3": {0.75}}}
	a, err := machines.Solve(context.Background(), &machines.SolveQuestion{Kernel: k, Window: 360})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "MTTF", *a.MTTF, 59.0/21*6, 1e-13)
	numtest.Close(t, "R(60)", a.TemporalReliability, 1.655202206841575e-14, 1e-12)
	if a, err = machines.Solve(context.Background(), &machines.SolveQuestion{Kernel: k, Window: 35}); err != nil || math.Abs(a.TemporalReliability-1.0/16) > 1e-15 || a.Horizon != 5 || len(a.Warnings) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestSolveErrors(t *testing.T) {
	for field, edit := range map[string]func(*machines.SolveQuestion){
		"window":  func(q *machines.SolveQuestion) { q.Window = 5 },
		"elapsed": func(q *machines.SolveQuestion) { q.Elapsed = 60; q.State = "S2" },
		"state":   func(q *machines.SolveQuestion) { q.State = "S9" },
		"initial": func(q *machines.SolveQuestion) { q.Kernel.Initial = "S9" },
		"failure": func(q *machines.SolveQuestion) { q.Kernel.Failure = []string{"S9"} },
		"step_s":  func(q *machines.SolveQuestion) { q.Kernel.Step = 0 },
		"kernel":  func(q *machines.SolveQuestion) { q.Kernel.Kernel["S1"]["S2"][0] = 0.9 },
	} {
		q := &machines.SolveQuestion{Kernel: exampleKernel(), Window: 60}
		edit(q)
		_, err := machines.Solve(context.Background(), q)
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// twoDays is the record 1122213111 on a Monday and 1112113312 on the Tuesday
// from 9:00, a sample every five minutes.
func twoDays() *machines.Trace {
	h := &machines.Trace{Name: "h"}
	load := map[rune]float64{'1': 0.1, '2': 0.3, '3': 0.9}
	for day, path := range []string{"1122213111", "1112113312"} {
		for i, c := range path {
			h.Samples = append(h.Samples, smp.Sample{Time: 1704099600 + float64(86400*day+300*i), Load: load[c], FreeMemory: math.NaN()})
		}
	}
	return h
}

var nineToQuarterTo = machines.DayWindow{Day: "weekday", Start: 9 * 3600, Window: 2700, Days: 2}

// By testdata/machines.py, in exact rational arithmetic.
const (
	censoredNine   = 47711.0 / 124416   // R(9) from S1
	censoredFromS2 = 0.4604070216049383 // R(9) from S2
	// The same, what comes after a failure weighing as one stay.
	toFailureNine   = 245639.0 / 800000
	toFailureFromS2 = 0.3849

	censoredAged = 2.0 / 3 // R(4) from S1, one step old
	countsNine   = 0.28458 // R(9) from S1 by counts
)

// By hand: q12 = (1/6, 1/6, 1/3), q13 = (1/6, 1/6), q21 = (1/2, 0, 1/2), the
// last sojourns being censored; with those after a failure as one, q12 = (1/10,
// 1/5, 3/10), q13 = (1/5, 1/5), q21 as before; the figures by exact rational
// arithmetic.
func TestPredict(t *testing.T) {
	q := &machines.PredictQuestion{Host: twoDays(), DayWindow: nineToQuarterTo, Seed: 3}
	a, err := machines.Predict(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "reliability", a.TemporalReliability, toFailureNine, 1e-14)
	numtest.Close(t, "MTTF", *a.MTTF, 2400, 1e-13)
	if a.InitialState != "S1" || a.Horizon != 9 || a.Step != 300 || a.Days != 2 || a.StartStates["S1"] != 2 || a.Seed != 3 || *a.Observed != 0 || a.ObservedDays != 2 {
		t.Errorf("%+v", a)
	}
	if s := a.Samples[0]; s.Visits != 6 || s.Exits != 5 || s.Cut != 1 || s.Longest != 3 {
		t.Errorf("samples %+v", s)
	}
	if !(*a.Low <= a.TemporalReliability && a.TemporalReliability <= *a.High && *a.Low >= 0 && *a.High <= 1) {
		t.Errorf("band %v..%v", *a.Low, *a.High)
	}
	// The same seed gives the same band.
	b, err := machines.Predict(context.Background(), q)
	if err != nil || *b.Low != *a.Low || *b.High != *a.High {
		t.Errorf("%v, %v", b, err)
	}
	// From S2, and by the paper's counts q12 = (1/5, 1/5, 1/5).
	q.State = "S2"
	if a, err = machines.Predict(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "from S2", a.TemporalReliability, toFailureFromS2, 1e-14)
	q.Censored = true
	if a, err = machines.Predict(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "censored from S2", a.TemporalReliability, censoredFromS2, 1e-14)
	q.State = ""
	if a, err = machines.Predict(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "censored", a.TemporalReliability, censoredNine, 1e-14)
	numtest.Close(t, "censored MTTF", *a.MTTF, 3000, 1e-13)
	q.State, q.Counts = "S1", true
	if a, err = machines.Predict(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "counts", a.TemporalReliability, countsNine, 1e-14)
}

// What fit writes, solve answers as predict did; an elapsed time too.
func TestKernelRoundTrip(t *testing.T) {
	k, err := machines.EstimateKernel(&machines.KernelQuestion{Host: twoDays(), DayWindow: nineToQuarterTo})
	if err != nil {
		t.Fatal(err)
	}
	for l, want := range []float64{0.1, 0.2, 0.3} {
		numtest.Close(t, "q12 to failure", k.Kernel.Kernel["S1"]["S2"][l], want, 1e-14)
	}
	if a, err := machines.Solve(context.Background(), &machines.SolveQuestion{Kernel: &k.Kernel, Window: 2700}); err != nil || math.Abs(a.TemporalReliability-toFailureNine) > 1e-14 {
		t.Errorf("%+v, %v, want %v", a, err, toFailureNine)
	}
	if a, err := machines.Solve(context.Background(), &machines.SolveQuestion{Kernel: &k.Kernel, Window: 1200, Elapsed: 300}); err != nil || math.Abs(a.TemporalReliability-43.0/70) > 1e-14 {
		t.Errorf("%+v, %v, want 43/70", a, err)
	}
	if k, err = machines.EstimateKernel(&machines.KernelQuestion{Host: twoDays(), DayWindow: nineToQuarterTo, Censored: true}); err != nil {
		t.Fatal(err)
	}
	for l, want := range []float64{1. / 6, 1. / 6, 1. / 3} {
		numtest.Close(t, "q12", k.Kernel.Kernel["S1"]["S2"][l], want, 1e-15)
	}
	a, err := machines.Solve(context.Background(), &machines.SolveQuestion{Kernel: &k.Kernel, Window: 2700})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "reliability", a.TemporalReliability, censoredNine, 1e-14)
	numtest.Close(t, "MTTF", *a.MTTF, 3000, 1e-13)
	if len(a.Samples) != 5 || a.Samples[0].Visits != 6 {
		t.Errorf("samples %+v", a.Samples)
	}
	if a, err = machines.Solve(context.Background(), &machines.SolveQuestion{Kernel: &k.Kernel, Window: 1200, Elapsed: 300}); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "aged", a.TemporalReliability, censoredAged, 1e-14)
}

func TestPredictErrors(t *testing.T) {
	zero, many := 0.0, 1e9
	for field, edit := range map[string]func(*machines.PredictQuestion){
		"window": func(q *machines.PredictQuestion) { q.Window = 30 * 3600 },
		"day":    func(q *machines.PredictQuestion) { q.Day = "weekend" },
		"state":  func(q *machines.PredictQuestion) { q.State = "S3" },
		"period": func(q *machines.PredictQuestion) { q.Period = &zero },
		"light":  func(q *machines.PredictQuestion) { q.Light = &many },
		"level":  func(q *machines.PredictQuestion) { q.Level = 2 },
		"trace":  func(q *machines.PredictQuestion) { q.Host = &machines.Trace{} },
	} {
		q := &machines.PredictQuestion{Host: twoDays(), DayWindow: nineToQuarterTo}
		edit(q)
		_, err := machines.Predict(context.Background(), q)
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// The labels are the path the samples were made from, with the night as S5.
func TestLabelHost(t *testing.T) {
	a, err := machines.Label(&machines.LabelQuestion{Host: twoDays()})
	if err != nil {
		t.Fatal(err)
	}
	path := ""
	err = a.Each(context.Background(), func(_ float64, state string) error {
		path += state[1:]
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if n := len(path); n != 288+10 || path[:10] != "1122213111" || path[n-10:] != "1112113312" || path[10] != '5' {
		t.Errorf("%d steps: %s", n, path)
	}
	if s := a.States[4]; s.Stays != 1 || s.Time != 278*300 || a.Gaps != 1 {
		t.Errorf("%+v", a)
	}
	r, err := a.Ribbon("2024-01-02")
	if err != nil || len(r.Load) != 10 || r.From[0] != 0 || r.State[0] != 4 || r.To[0] != 9 {
		t.Errorf("%+v, %v", r, err)
	}
	var input *ask.InputError
	if _, err := a.Ribbon("2025-01-02"); !errors.As(err, &input) || input.Field != "date" {
		t.Error(err)
	}
}

// A machine that never fails comes before one that does; rates and the task
// change the order as the completion times say: without failures 600/(1−0.05).
func TestRank(t *testing.T) {
	calm := machines.Trace{Name: "calm"}
	for _, s := range twoDays().Samples {
		s.Load = 0.05
		calm.Samples = append(calm.Samples, s)
	}
	q := &machines.RankQuestion{Hosts: []machines.Trace{*twoDays(), calm}, DayWindow: nineToQuarterTo}
	a, err := machines.Rank(context.Background(), q)
	if err != nil || a.Choice != "calm" || *a.Hosts[0].TemporalReliability != 1 || a.Hosts[1].Rank != 2 {
		t.Fatalf("%+v, %v", a, err)
	}
	task := 600.0
	q.Task, q.Rates = &task, map[string]float64{"h": 20}
	if a, err = machines.Rank(context.Background(), q); err != nil || a.Choice != "h" {
		t.Fatalf("%+v, %v", a, err)
	}
	numtest.Close(t, "JCT", *a.Hosts[1].JCT, 600/0.95, 1e-12)
	numtest.Close(t, "JCTF of a machine that does not fail", *a.Hosts[1].JCTF, 600/0.95, 1e-12)
	q.Rates = map[string]float64{"x": 1}
	var input *ask.InputError
	if _, err = machines.Rank(context.Background(), q); !errors.As(err, &input) || input.Field != "rate" {
		t.Error(err)
	}
}

// A machine that is never free at the start says nothing of how long it would
// stay so: it is not predicted, and stands last. One that is free at the start on
// half of the days, and then stays so, is free throughout with probability 1/2.
func TestRankByTheStart(t *testing.T) {
	made := func(name string, load func(i int) float64) machines.Trace {
		h := machines.Trace{Name: name}
		for i, s := range twoDays().Samples {
			s.Load = load(i)
			h.Samples = append(h.Samples, s)
		}
		return h
	}
	n := len(twoDays().Samples)
	dead := made("dead", func(int) float64 { return 0.95 })
	half := made("half", func(i int) float64 {
		if i < n/2 {
			return 0.95
		}
		return 0.05
	})
	calm := made("calm", func(int) float64 { return 0.05 })
	q := &machines.RankQuestion{Hosts: []machines.Trace{dead, half, calm}, DayWindow: nineToQuarterTo}
	a, err := machines.Rank(context.Background(), q)
	if err != nil || a.Choice != "calm" || a.Hosts[1].Name != "half" || *a.Hosts[1].Free != 0.5 || a.Hosts[1].AtStart != 0.5 || *a.Hosts[1].TemporalReliability != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	if h := a.Hosts[2]; h.Name != "dead" || h.Rank != 3 || h.TemporalReliability != nil || h.Free != nil || h.MTTF != nil {
		t.Errorf("%+v", h)
	}
	task := 60.0
	q.Task = &task
	if a, err = machines.Rank(context.Background(), q); err != nil || a.Hosts[2].Name != "dead" || a.Hosts[2].JCT != nil {
		t.Errorf("%+v, %v", a, err)
	}
	var input *ask.InputError
	q.Hosts = q.Hosts[:1]
	if _, err = machines.Rank(context.Background(), q); !errors.As(err, &input) || input.Field != "trace" {
		t.Error(err)
	}
	if _, err = machines.Predict(context.Background(), &machines.PredictQuestion{Host: &dead, DayWindow: nineToQuarterTo}); !errors.As(err, &input) || input.Field != "start" {
		t.Error(err)
	}
	if _, err = machines.Predict(context.Background(), &machines.PredictQuestion{Host: &dead, DayWindow: nineToQuarterTo, State: "S2"}); !errors.As(err, &input) || input.Field != "state" {
		t.Error(err)
	}
	p, err := machines.Predict(context.Background(), &machines.PredictQuestion{Host: &half, DayWindow: nineToQuarterTo})
	if err != nil || *p.Free != 0.5 || p.TemporalReliability != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}
