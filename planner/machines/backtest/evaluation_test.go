package backtest_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/smp"
)

// record feeds the samples of a machine to a recorder that keeps loads.
func record(l machines.Labelling, h *machines.Trace) *machines.Recorder {
	l.KeepLoads = true
	r := l.NewRecorder(h.Name)
	for _, s := range h.Samples {
		_ = r.Add(s)
	}
	return r
}

// Machines that come one by one, in any order, have the answer of all at once, to the
// last bit, warnings in their order and noise included.
func TestEvaluationIsEvaluate(t *testing.T) {
	hosts := []machines.Trace{failing("b", 6, true), failing("a", 6, false), failing("c", 5, true)}
	for i := range hosts { // unlike loads, some of them missing
		for j := range hosts[i].Samples {
			s := &hosts[i].Samples[j]
			s.Load = math.Min(1, s.Load+0.05*math.Abs(math.Sin(float64(j*(i+3)))))
		}
		hosts[i].Samples = append(hosts[i].Samples[:700:700], hosts[i].Samples[700+5*i:]...)
	}
	q := backtest.EvaluateQuestion{Day: "weekday", Windows: []float64{3600, 3 * 3600}, Starts: []float64{0, 10 * 3600},
		Ratios: []float64{0.3}, Explain: true, Noise: &backtest.NoiseQuestion{Instances: []int{2}, Repetitions: 3, Seed: 5}}
	all := q
	all.Hosts = hosts
	want, err := backtest.Evaluate(t.Context(), &all)
	if err != nil || len(want.Warnings) < 2 || len(want.Models) != 7 {
		t.Fatalf("%+v, %v", want, err)
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}} {
		v, err := backtest.NewEvaluation(&q)
		if err != nil || !v.NeedsLoads() {
			t.Fatal(err)
		}
		for _, i := range order {
			if err := v.Add(t.Context(), i/2, i%2, record(q.Labelling, &hosts[i])); err != nil {
				t.Fatal(err)
			}
		}
		got, err := v.Finish(t.Context())
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("in order %v: %+v, %v; want %+v", order, got, err, want)
		}
	}
}

// What stops an evaluation leaves the machines that were added.
func TestEvaluationStopped(t *testing.T) {
	q := backtest.EvaluateQuestion{Day: "weekday", Windows: []float64{3600}, Starts: []float64{10 * 3600}, Models: []string{"share"}}
	v, err := backtest.NewEvaluation(&q)
	if err != nil || v.NeedsLoads() {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	one, two := failing("a", 5, false), failing("b", 5, false)
	if err := v.Add(ctx, 0, 0, record(q.Labelling, &one)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := v.Add(ctx, 0, 1, record(q.Labelling, &two)); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v, want context.Canceled", err)
	}
	if a, err := v.Finish(ctx); err != nil || !a.Stopped || a.Hosts != 1 || a.Host != "a" || a.Models[0].TestDays == 0 {
		t.Errorf("stopped: %+v, %v", a, err)
	}
	none, err := backtest.NewEvaluation(&q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := none.Finish(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before the first machine: %v, want context.Canceled", err)
	}
	// Two periods, and two machines of one name.
	coarse := one
	coarse.Name, coarse.Samples = "c", nil
	for i := 0; i < len(one.Samples); i += 2 {
		coarse.Samples = append(coarse.Samples, one.Samples[i])
	}
	for field, other := range map[string]*machines.Trace{"period": &coarse, "trace": &one} {
		v, err := backtest.NewEvaluation(&q)
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range []*machines.Trace{&one, other} {
			if err := v.Add(t.Context(), i, 0, record(q.Labelling, h)); err != nil {
				t.Fatal(err)
			}
		}
		var input *ask.InputError
		if _, err := v.Finish(t.Context()); !errors.As(err, &input) || input.Field != field {
			t.Errorf("%v, want an error of %s", err, field)
		}
	}
}

// The loads that a recorder keeps are those of the samples.
func TestRecorderLoads(t *testing.T) {
	h := failing("a", 2, true)
	h.Samples = append(h.Samples[:100:100], h.Samples[140:]...)
	h.Samples[30].Down = true
	h.Samples = append(h.Samples, smp.Sample{Time: h.Samples[len(h.Samples)-1].Time + 1, Load: 0.4, FreeMemory: math.NaN()})
	var l machines.Labelling
	labelled, err := l.Label(&h)
	if err != nil {
		t.Fatal(err)
	}
	r := record(l, &h)
	again, err := r.Labelled()
	if err != nil {
		t.Fatal(err)
	}
	want, got := labelled.Loads(&h), r.Loads(again)
	runs := labelled.History.Runs
	for step := runs[0].First - 20; step < runs[len(runs)-1].End()+20; step++ {
		if a, b := want.At(step), got.At(step); a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
			t.Errorf("step %d: %v, want %v", step, b, a)
		}
	}
}
