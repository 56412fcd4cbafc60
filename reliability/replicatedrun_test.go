package reliability_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

func TestReplicatedRun(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/replicatedrun.csv") {
		p := reliability.RunParams{reliability.Component{r.Float("mttf"), r.Float("mttr")}, r.Float("work"), r.Float("restart"), 1}
		o, err := reliability.ReplicatedRun(context.Background(), p, int(r.Float("replicas")))
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "run", o.ExpectedRun, r.Float("run"), 1e-11)
		numtest.Close(t, "loss", o.Loss, r.Float("loss"), 1e-11)
		numtest.Close(t, "machine time", o.MachineTime, r.Float("run")*r.Float("replicas"), 1e-11)
	}
}

// untilLoss plays k replicas from a fresh start until all are down or limit.
func untilLoss(rng *rand.Rand, c reliability.Component, k int, limit float64) float64 {
	clock, down := 0.0, 0
	for {
		fail, repair := float64(k-down)/c.MTTF, float64(down)/c.MTTR
		clock += rng.ExpFloat64() / (fail + repair)
		if clock >= limit {
			return limit
		}
		if rng.Float64()*(fail+repair) < fail {
			down++
		} else {
			down--
		}
		if down == k {
			return clock
		}
	}
}

func TestReplicatedRunSimulated(t *testing.T) {
	p := reliability.RunParams{reliability.Component{10, 4}, 40, 5, 1}
	o, err := reliability.ReplicatedRun(context.Background(), p, 2)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	const runs = 20_000
	sum, squares := 0.0, 0.0
	for range runs {
		clock := 0.0
		for {
			d := untilLoss(rng, p.Component, 2, p.Work)
			clock += d
			if d == p.Work {
				break
			}
			for d = 0; d < p.Restart; {
				d = untilLoss(rng, p.Component, 2, p.Restart)
				clock += d
			}
		}
		sum += clock
		squares += clock * clock
	}
	mean := sum / runs
	se := math.Sqrt((squares/runs - mean*mean) / runs)
	if math.Abs(mean-o.ExpectedRun) > 4*se {
		t.Errorf("simulated %v ± %v, expected %v", mean, se, o.ExpectedRun)
	}
}

// A job that saves its state is rarely begun anew: only a failure before its
// first checkpoint is written takes it back to the start. Before, both chances
// were said to be the first.
func TestCheckpointLossSimulated(t *testing.T) {
	p := reliability.RunParams{reliability.Component{100, 10}, 300, 20, 5}
	r, err := reliability.CompareRuns(t.Context(), p, 1)
	if err != nil {
		t.Fatal(err)
	}
	segment := r.Checkpoint.Interval
	rng := rand.New(rand.NewPCG(7, 8))
	const runs = 50_000
	setback, anew := 0.0, 0.0
	for range runs {
		back, begun, saved := false, false, 0.0
		next := rng.ExpFloat64() * p.MTTF
		for clock := 0.0; saved < p.Work*(1-1e-9); {
			if clock += segment + p.Cost; clock <= next {
				saved += segment
				continue
			}
			back, begun = true, begun || saved == 0
			clock, next = next, next+rng.ExpFloat64()*p.MTTF
		}
		setback += map[bool]float64{true: 1. / runs}[back]
		anew += map[bool]float64{true: 1. / runs}[begun]
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"set back", r.Checkpoint.Setback, setback}, {"begun anew", r.Checkpoint.Loss, anew}} {
		if se := math.Sqrt(c.want * (1 - c.want) / runs); math.Abs(c.got-c.want) > 4*se {
			t.Errorf("%s at least once: %v, simulated %v ± %v", c.name, c.got, c.want, se)
		}
	}
}

func TestCompareRuns(t *testing.T) {
	ctx := context.Background()
	// One replica without checkpoints is the model of Checkpoint without them.
	p := reliability.RunParams{reliability.Component{100, 10}, 300, 20, 5}
	r, err := reliability.CompareRuns(ctx, p, 4)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "one replica", r.Replicated[0].ExpectedRun, 100*math.Exp(0.2)*math.Expm1(3), 1e-12)
	if r.Fastest < 1 || r.Cheapest != -1 {
		t.Errorf("%+v: want replication faster and checkpoints cheaper", r)
	}
	for k := 1; k < len(r.Replicated); k++ {
		if r.Replicated[k].ExpectedRun > r.Replicated[k-1].ExpectedRun {
			t.Errorf("%d replicas are slower than %d", k+1, k)
		}
	}
	// A job far shorter than the MTBF with a dear checkpoint: save nothing.
	r, err = reliability.CompareRuns(ctx, reliability.RunParams{reliability.Component{1e6, 10}, 10, 1, 1000}, 2)
	if err != nil || r.Checkpoint.Interval != 0 || r.Cheapest != -1 {
		t.Errorf("%+v, %v", r, err)
	}
	// Checkpoints that cost more than the work between failures: replicate.
	r, err = reliability.CompareRuns(ctx, reliability.RunParams{reliability.Component{10, 0.1}, 100, 1, 50}, 3)
	if err != nil || r.Fastest < 1 || r.Cheapest < 1 {
		t.Errorf("%+v, %v", r, err)
	}
	// Run times that floats cannot hold are +Inf, not NaN.
	r, err = reliability.CompareRuns(ctx, reliability.RunParams{reliability.Component{1, 1e6}, 1e6, 1e3, 1}, 2)
	if err != nil || math.IsNaN(r.Replicated[1].ExpectedRun) || !math.IsInf(r.Replicated[0].ExpectedRun, 1) {
		t.Errorf("%+v, %v", r, err)
	}
	_, err = reliability.CompareRuns(ctx, p, 0)
	wantDomain(t, err, "most")
	_, err = reliability.ReplicatedRun(ctx, p, 0)
	wantDomain(t, err, "replicas")
	p.Work = -1
	_, err = reliability.ReplicatedRun(ctx, p, 1)
	wantDomain(t, err, "Work")
}
