package survival

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// Young and Daly by hand; the optimum by mpmath, a root of the derivative of
// Daly's complete model.
func TestCheckpoint(t *testing.T) {
	q := &CheckpointQuestion{MTBF: new(86400.0), Cost: new(300.0), Restart: new(600.0), Work: new(604800.0), Explain: true}
	a, err := Checkpoint(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "young", a.Young, 7200, 1e-14)
	numtest.Close(t, "daly, first order", a.DalyFirst, math.Sqrt(600*87000)-300, 1e-14)
	numtest.Close(t, "daly, higher order", a.DalyHigher, 7200*(1+math.Sqrt(300.0/172800)/3+300.0/172800/9)-300, 1e-13)
	numtest.Close(t, "exact", a.Interval, 7001.40439959954, 1e-12)
	numtest.Close(t, "run", *a.ExpectedRun, 662717.804059899, 1e-12)
	numtest.Close(t, "without", *a.WithoutSaving, 95322372.6452666, 1e-12)
	if len(a.Rules) != 6 || len(a.Options) != 5 || a.Options[0].Name != "checkpoints" || *a.MTTR != 600 {
		t.Errorf("got %+v", a)
	}
	// 4 replicas lose the least time, at 4 machines each second: 28 days of
	// machine time against 7.67.
	if a.Fastest != "4 replicas" || a.Cheapest != "checkpoints" {
		t.Errorf("fastest %s, cheapest %s", a.Fastest, a.Cheapest)
	}
	// One replica without checkpoints is the machine without checkpoints.
	numtest.Close(t, "one replica", *a.Options[1].ExpectedRun, *a.WithoutSaving, 1e-11)
	plots, err := a.Plots(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// The rules of thumb lie so near the best interval that a dot there would hide them.
	if p := plots[0]; len(p.Marks) > 0 || len(p.Curves[1].X) != 3 || p.Upright[0].Value != a.Interval {
		t.Errorf("marks %v, rules of thumb %v, the best at %v", p.Marks, p.Curves[1], p.Upright)
	}
	c := plots[0].Curves[0]
	for i, run := range c.Y {
		if run < *a.ExpectedRun*(1-1e-12) {
			t.Errorf("interval %v runs in %v, less than the optimum", c.X[i], run)
		}
	}
}

// A month of work with failures every minute: no number holds the run time
// without checkpoints, which is null with a remark.
func TestCheckpointInfinite(t *testing.T) {
	a, err := Checkpoint(context.Background(), &CheckpointQuestion{MTBF: new(60.0), Cost: new(1.0), Restart: new(1.0), Work: new(30 * 86400.0)})
	if err != nil {
		t.Fatal(err)
	}
	if a.WithoutSaving != nil || len(a.Warnings) == 0 || a.ExpectedRun == nil {
		t.Errorf("got %+v", a)
	}
	if last := a.Rules[5]; last.ExpectedRun != nil || math.Abs(last.Log10Slowdown-(30*1440-math.Log(30*1440))/math.Ln10) > 1 {
		t.Errorf("without checkpoints %+v", last)
	}
	// A checkpoint that costs hours: not even that is a number.
	a, err = Checkpoint(context.Background(), &CheckpointQuestion{MTBF: new(1.0), Cost: new(3600.0), Work: new(60.0)})
	if err != nil {
		t.Fatal(err)
	}
	if a.ExpectedRun != nil || a.Log10Slowdown < 1500 || a.Options != nil {
		t.Errorf("got %+v", a)
	}
}

func TestCheckpointRefuses(t *testing.T) {
	for field, change := range map[string]func(*CheckpointQuestion){
		"mtbf":     func(q *CheckpointQuestion) { q.MTBF = new(0.0) },
		"cost":     func(q *CheckpointQuestion) { q.Cost = nil },
		"work":     func(q *CheckpointQuestion) { q.Work = new(-1.0) },
		"mttr":     func(q *CheckpointQuestion) { q.MTTR = new(0.0) },
		"replicas": func(q *CheckpointQuestion) { q.Replicas = 101 },
		"restart":  func(q *CheckpointQuestion) { q.Restart = new(-1.0) },
	} {
		q := &CheckpointQuestion{MTBF: new(100.0), Cost: new(1.0), Restart: new(1.0), Work: new(1000.0)}
		change(q)
		_, err := Checkpoint(context.Background(), q)
		wantInput(t, field, err, field)
	}
}
