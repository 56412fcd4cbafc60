package adversary

import (
	"context"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/traffic"
)

// What the hunt through questions and readers brought down, one call of each
// root.
func TestQuestionsFellOnce(t *testing.T) {
	ctx := context.Background()
	var none context.Context
	for name, call := range map[string]func() error{
		"sizing.Size of nothing":            func() error { _, err := sizing.Size(none, nil); return err },
		"queues.OpenNetwork of nothing":     func() error { _, err := queues.OpenNetwork(none, nil); return err },
		"planner.ReadScenario of nothing":   func() error { _, err := planner.ReadScenario(none, nil); return err },
		"queues.QueueAnswer.Plots":          func() error { _, err := new(queues.QueueAnswer).Plots(none); return err },
		"allocation.ReadBatch of nothing":   func() error { _, err := allocation.ReadBatch(none, "", nil); return err },
		"allocation.Solve without a solver": func() error { _, err := allocation.Solve(ctx, &allocation.ModelQuestion{}); return err },
		"allocation.NamedSolver.Solve":      func() error { _, err := new(allocation.NamedSolver).Solve(ctx, nil, lp.Settings{}); return err },
		"allocation.Verify of nothing":      func() error { _, err := allocation.Verify(nil, nil); return err },
		"allocation.BatchFile.CheckAt":      func() error { return new(allocation.BatchFile).CheckAt(nil) },
		"allocation.WriteBatch of no jobs":  func() error { return allocation.WriteBatch(io.Discard, new(allocation.BatchFile), nil, true) },
		"allocation.WriteBatch to nowhere": func() error {
			f := new(allocation.BatchFile)
			return allocation.WriteBatch(nil, f, f.AllJobs(), true)
		},
		"machines.EstimateKernel":     func() error { _, err := machines.EstimateKernel(&machines.KernelQuestion{}); return err },
		"machines.Recorder.Add":       func() error { return new(machines.Recorder).Add(smp.Sample{}) },
		"machines.LabelAnswer.Each":   func() error { return new(machines.LabelAnswer).Each(ctx, nil) },
		"machines.LabelAnswer.Ribbon": func() error { _, err := new(machines.LabelAnswer).Ribbon(""); return err },
		"machines.Laboratory.Hosts": func() error {
			_, err := (&machines.Laboratory{Machines: min(1<<40, math.MaxInt)}).Hosts(ctx)
			return err
		},
		"survival.LinkAnswer.Plots":    func() error { _, err := (&survival.LinkAnswer{PublicShare: new(0.5)}).Plots(none); return err },
		"machines.PredictAnswer.Plots": func() error { _, err := new(machines.PredictAnswer).Plots(none); return err },
		"allocation.Study over nothing": func() error {
			q := &allocation.StudyQuestion{Figure: "revenue", Jobs: 5, Resources: 2, Seeds: 1, Over: []float64{}}
			_, err := allocation.Study(ctx, q)
			return err
		},
		"traffic.Curve.RateAt":     func() error { _, err := (&traffic.Curve{Start: []float64{0, 1}, End: 2}).RateAt(1.5); return err },
		"trace.ReadFTA of nothing": func() error { _, err := trace.ReadFTA(none, "", nil, trace.FTAOptions{}, nil); return err },
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A history whose runs are in no order, at the ends of the integers.
var unordered = &smp.History{Period: 1, Runs: []smp.Run{
	{State: 1000, First: math.MinInt64, Steps: 17},
	{State: 7, Steps: 1 << 53},
	{State: 8, First: 1000000, Steps: math.MaxInt64},
	{State: 1, First: math.MaxInt64, Steps: 1 << 53},
}}

// What took for ever, or the square of what it was given, is done at once.
func TestQuestionsFellOnceByTime(t *testing.T) {
	within := func(name string, f func()) {
		t.Helper()
		ended := make(chan struct{})
		go func() { defer close(ended); f() }()
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
			t.Errorf("%s: still runs", name)
		}
	}
	zones := &sizing.Headroom{Spare: 1, Zones: 3, Survive: 1}
	within("sizing.Headroom.Covers", func() {
		for _, needed := range []float64{1e17, 1e20, 1e300} {
			if got := zones.Covers(needed); zones.Left(got) < needed {
				t.Errorf("%g servers of %g do not cover %g", zones.Left(got), got, needed)
			}
		}
	})
	within("sizing.Headroom.Ways", func() {
		if ways := zones.Ways(math.MaxInt); ways < 1e15 {
			t.Errorf("%g ways to lose one of all kinds", ways)
		}
	})
	within("plannerbags.Values", func() {
		r := &sim.Result{Replications: math.MaxInt, Figures: []sim.Estimate{{Figure: sim.Figure{Name: "x"}}}}
		if rows := bags.Values(r, "x"); len(rows) != 0 {
			t.Errorf("%d rows of no runs", len(rows))
		}
	})
	within("forecast.JointAnswer.Plots", func() {
		law := make([]float64, 1<<18)
		law[3] = 1
		plots, err := (&forecast.JointAnswer{Law: law}).Plots(t.Context())
		if err != nil || plots[0].Curves[0].Y[3] != 1 || plots[0].Curves[0].Y[4] != 0 || plots[0].Curves[0].X[4] != 4 {
			t.Errorf("%v, %v", plots, err)
		}
	})
}

// The same for what has nothing to say.
func TestQuestionsFellOnceWithoutAnError(t *testing.T) {
	if parts, known := unordered.Cut(math.MinInt64, 17); len(parts) > 1 && known == 0 {
		t.Errorf("%d parts of nothing known", len(parts))
	}
	if s := (&allocation.StudyAnswer{Seeds: 3}).Sums(5, "", ""); s != nil {
		t.Errorf("the sums of no study: %v", s)
	}
	if m := (&traffic.Curve{Rate: []float64{1}}).Mean(); m != 0 {
		t.Errorf("the mean of a curve without times: %v", m)
	}
	if at := new(machines.Labelled).Moment(3); !at.Equal(time.Unix(0, 0)) {
		t.Errorf("a moment of no history: %v", at)
	}
	u := tally.NewUpDown(true)
	if err := u.Add(trace.Interval{Node: math.MaxInt32, Name: "far", End: 1, Up: true}); err != nil {
		t.Error(err)
	}
	if m := u.PerMachine(); len(m) != 1 || m[0].Machine != "far" {
		t.Errorf("the machine of a great number: %v", m)
	}
}

// A reader whose rows nobody takes reads to the end.
func TestReaderWithoutTaker(t *testing.T) {
	text := ownTexts("trace.ReadFTA")[0]
	log, err := trace.ReadFTA(context.Background(), "events", strings.NewReader(text), trace.FTAOptions{}, nil)
	if err != nil || log.Rows == 0 {
		t.Errorf("%v rows, %v", log.Rows, err)
	}
}
