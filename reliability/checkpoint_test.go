package reliability_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

func TestCheckpoint(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/checkpoint.csv") {
		a, err := reliability.Checkpoint(reliability.CheckpointParams{r.Float("mtbf"), r.Float("cost"), r.Float("restart"), r.Float("work")})
		if err != nil {
			t.Fatalf("line %d: %v", r.Line, err)
		}
		numtest.Close(t, "optimal", a.Optimal.Interval, r.Float("optimal"), 1e-13)
		numtest.Close(t, "optimal run", a.Optimal.ExpectedRun, r.Float("optimal_run"), 1e-13)
		numtest.Close(t, "young", a.Young.Interval, r.Float("young"), 1e-14)
		numtest.Close(t, "young run", a.Young.ExpectedRun, r.Float("young_run"), 1e-13)
		numtest.Close(t, "first", a.DalyFirst.Interval, r.Float("first"), 1e-13)
		numtest.Close(t, "higher", a.DalyHigher.Interval, r.Float("higher"), 1e-13)
		numtest.Close(t, "segments", a.Segments, r.Float("segments"), 1e-6) // 2 million and one more tie
		numtest.Close(t, "whole run", a.Whole.ExpectedRun, r.Float("whole_run"), 1e-13)
		numtest.Close(t, "no checkpoint", a.WithoutSaving.ExpectedRun, r.Float("none_run"), 1e-13)
		numtest.Close(t, "log slowdown", math.Exp(a.WithoutSaving.LogSlowdown), r.Float("none_run")/r.Float("work"), 1e-11)
		if t.Failed() {
			t.Fatalf("at line %d", r.Line)
		}
	}
}

func TestCheckpointLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) float64 { return math.Exp(rapid.Float64Range(-30, 30).Draw(t, name)) }
		p := reliability.CheckpointParams{draw("M"), draw("C"), draw("R"), draw("W")}
		a, err := reliability.Checkpoint(p)
		if err != nil {
			t.Fatal(err)
		}
		best := a.Optimal.LogSlowdown
		for _, other := range []reliability.CheckpointPlan{a.Young, a.DalyFirst, a.DalyHigher} {
			if other.LogSlowdown < best-1e-12*(1+math.Abs(best)) {
				t.Fatalf("%+v beats the optimum %+v", other, a.Optimal)
			}
		}
		if a.Whole.LogSlowdown < best-1e-12*(1+math.Abs(best)) || a.Optimal.Interval > p.MTBF {
			t.Fatalf("%+v", a)
		}
		for _, f := range []float64{0.99, 1.01} {
			near, err := reliability.CheckpointRun(p, a.Optimal.Interval*f)
			if err != nil || near.LogSlowdown < best-1e-12*(1+math.Abs(best)) {
				t.Fatalf("%+v beats the optimum %+v, %v", near, a.Optimal, err)
			}
		}
		if c := p.Cost / p.MTBF; c < 1e-6 && numtest.RelErr(a.Optimal.Interval, a.Young.Interval) > math.Sqrt(c) {
			t.Fatalf("optimum %v is far from Young's %v at C/M = %g", a.Optimal.Interval, a.Young.Interval, c)
		}
	})
}

// simulateRun plays the model of Checkpoint: segments of work and a
// checkpoint, failures at any time, restarts that may fail too.
func simulateRun(rng *rand.Rand, p reliability.CheckpointParams, segments int) float64 {
	clock := 0.0
	segment := p.Work/float64(segments) + p.Cost
	for range segments {
		for {
			if f := p.MTBF * rng.ExpFloat64(); f >= segment {
				clock += segment
				break
			} else {
				clock += f
			}
			for {
				f := p.MTBF * rng.ExpFloat64()
				clock += math.Min(f, p.Restart)
				if f >= p.Restart {
					break
				}
			}
		}
	}
	return clock
}

func TestCheckpointSimulated(t *testing.T) {
	p := reliability.CheckpointParams{MTBF: 100, Cost: 5, Restart: 20, Work: 300}
	a, err := reliability.Checkpoint(p)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(11, 12))
	const runs = 20_000
	sum, squares := 0.0, 0.0
	for range runs {
		x := simulateRun(rng, p, int(a.Segments))
		sum += x
		squares += x * x
	}
	mean := sum / runs
	se := math.Sqrt((squares/runs - mean*mean) / runs)
	if math.Abs(mean-a.Whole.ExpectedRun) > 4*se {
		t.Errorf("simulated %v ± %v, expected %v", mean, se, a.Whole.ExpectedRun)
	}
}

func TestCheckpointDomain(t *testing.T) {
	for arg, p := range map[string]reliability.CheckpointParams{
		"MTBF":                      {0, 1, 1, 1},
		"Cost":                      {1, 0, 1, 1},
		"Restart":                   {1, 1, -1, 1},
		"Work":                      {1, 1, 1, math.NaN()},
		"MTBF, Cost, Restart, Work": {1e-300, 1e300, 1, 1},
	} {
		_, err := reliability.Checkpoint(p)
		wantDomain(t, err, arg)
	}
	ok := reliability.CheckpointParams{1e300, 1e-300, 0, 1e300}
	a, err := reliability.Checkpoint(ok)
	if err != nil || math.IsNaN(a.Optimal.ExpectedRun) || math.IsNaN(a.WithoutSaving.LogSlowdown) {
		t.Errorf("%+v, %v", a, err)
	}
	short, err := reliability.Checkpoint(reliability.CheckpointParams{MTBF: 86400, Cost: 300, Restart: 1020, Work: 5e-324})
	if err != nil || math.IsInf(short.Whole.LogSlowdown, 0) {
		t.Errorf("the least work: %+v, %v", short.Whole, err)
	}
	_, err = reliability.CheckpointRun(ok, 0)
	wantDomain(t, err, "interval")
	long, err := reliability.Checkpoint(reliability.CheckpointParams{1, 1, 1, 1e6})
	if err != nil || !math.IsInf(long.WithoutSaving.ExpectedRun, 1) || math.IsInf(long.WithoutSaving.LogSlowdown, 1) {
		t.Errorf("a run that floats cannot hold: %+v, %v", long.WithoutSaving, err)
	}
}

func ExampleCheckpoint() {
	a, err := reliability.Checkpoint(reliability.CheckpointParams{MTBF: 86400, Cost: 300, Restart: 120, Work: 1e6})
	fmt.Printf("Young %.0f s, Daly %.0f and %.0f s, exact %.0f s; slowdown %.4f, %v\n",
		a.Young.Interval, a.DalyFirst.Interval, a.DalyHigher.Interval, a.Optimal.Interval, a.Optimal.Slowdown, err)
	// Output:
	// Young 7200 s, Daly 6905 and 7001 s, exact 7001 s; slowdown 1.0897, <nil>
}
