package machines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// What fit writes with ages, solve answers as predict does, to the last bit,
// for every age of the start; the file goes through its reader.
func TestSolveElapsedAsPredict(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	h := &Trace{Name: "h"}
	load := 0.1
	for k := range 6 * 288 {
		if rng.IntN(25) == 0 {
			load = []float64{0.1, 0.4, 0.9}[rng.IntN(3)]
		}
		h.Samples = append(h.Samples, smp.Sample{Time: 1704067200 + 300*float64(k), Load: load, FreeMemory: math.NaN()})
	}
	window := DayWindow{Day: "weekday", Start: 9 * 3600, Window: 7200, Days: 5}
	fit, err := EstimateKernel(&KernelQuestion{Host: h, DayWindow: window, Ages: true})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := json.NewEncoder(&file).Encode(&fit.Kernel); err != nil {
		t.Fatal(err)
	}
	read, err := ReadKernel(context.Background(), "k.json", &file)
	if err != nil {
		t.Fatal(err)
	}
	kernel := &Kernel{Step: read.Step, States: read.States, Failure: read.Failure, Initial: read.Initial, Kernel: read.Kernel, Tail: read.Tail, Hazard: map[string][]KernelHazard{}}
	for state, ages := range read.Hazard {
		for _, a := range ages {
			kernel.Hazard[state] = append(kernel.Hazard[state], KernelHazard(a))
		}
	}
	plain := *kernel
	plain.Hazard = nil
	differ := 0
	for _, state := range []string{"S1", "S2"} {
		for elapsed := 0.0; elapsed <= 14400; elapsed += 300 {
			want, err1 := Predict(context.Background(), &PredictQuestion{Host: h, DayWindow: window, State: state, Elapsed: &elapsed, Resamples: 20, Seed: 1})
			got, err2 := Solve(context.Background(), &SolveQuestion{Kernel: kernel, Window: 7200, Elapsed: elapsed, State: state})
			if (err1 == nil) != (err2 == nil) {
				t.Errorf("%s %v s: %v, predict %v", state, elapsed, err2, err1)
				continue
			}
			var input *ask.InputError
			if err1 != nil {
				if !errors.As(err1, &input) {
					t.Error(err1)
				}
				continue
			}
			if got.TemporalReliability != want.TemporalReliability || got.Unreliability != want.Unreliability {
				t.Errorf("%s %v s: %v, predict %v", state, elapsed, got.TemporalReliability, want.TemporalReliability)
			}
			if p, err := Solve(context.Background(), &SolveQuestion{Kernel: &plain, Window: 7200, Elapsed: elapsed, State: state}); err != nil || p.TemporalReliability != want.TemporalReliability {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("the ages never mattered: the test shows nothing")
	}
}

// A time that is no whole number of steps is cut, and of one step in the singular.
func TestOffGridIsRoundedDown(t *testing.T) {
	for n, want := range map[int]string{1: "rounded down to 1 whole step of", 2: "rounded down to 2 whole steps of"} {
		if w := offGrid(float64(n)*600+540, n, "window", 600); len(w) != 1 || !strings.Contains(w[0], want) {
			t.Errorf("%d steps: %q, want %q", n, w, want)
		}
	}
}
