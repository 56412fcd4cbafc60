package adversary

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/networks"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/baseline"
	"github.com/capplan/capplan/smp/ranking"
)

// What the hunt brought down, one call of each root: it panicked, ran on or
// asked for more memory than there is, where it now returns an error.
func TestFellOnce(t *testing.T) {
	ctx := context.Background()
	nan := math.NaN()
	far := time.Unix(1<<40, 0)
	one := &smp.History{Period: 60, Runs: []smp.Run{{State: 0, First: 0, Steps: 10}}}
	hosts := []ranking.Host{{Rate: 1, History: one}}
	jobs := []ranking.Submission{{Step: 0, Length: 60}}
	long := make([]float64, 1<<17)
	for i := range long {
		long[i] = float64(i % 7)
	}
	bad := lp.Model{Variables: make([]lp.Variable, 1), Rows: []lp.Row{{Terms: []lp.Term{{Variable: 4, Coefficient: 1}}}}}
	days := []smp.Day{{Parts: []smp.Sequence{{}}}, {Parts: []smp.Sequence{{{State: 9, Steps: 1}}}}}
	for name, call := range map[string]func() error{
		"alloc.New":                 func() error { _, err := alloc.New(nil); return err },
		"alloc.System.Allocate":     func() error { _, err := new(alloc.System).Allocate(ctx, alloc.Options{}); return err },
		"alloc.System.Backup":       func() error { _, err := new(alloc.System).Backup(ctx, nil, alloc.BackupOptions{}); return err },
		"alloc.System.Bounds":       func() error { _, err := new(alloc.System).Bounds(ctx, alloc.BoundOptions{}); return err },
		"alloc.System.Choices":      func() error { _, err := new(alloc.System).Choices(nil); return err },
		"alloc.System.Losses":       func() error { _, _, err := new(alloc.System).Losses(nil, nil, alloc.LossOptions{}); return err },
		"lp.Run without a solver":   func() error { _, err := lp.Run(ctx, nil, new(lp.Model), lp.Settings{}); return err },
		"lp.Run of a bad model":     func() error { _, err := lp.Run(ctx, lp.Go{}, &bad, lp.Settings{}); return err },
		"lp.WriteLP to nothing":     func() error { return lp.WriteLP(nil, new(lp.Model)) },
		"lp.WriteMPS of nothing":    func() error { return lp.WriteMPS(new(bytes.Buffer), nil, lp.FreeMPS) },
		"lp.ReadLP":                 func() error { _, err := lp.ReadLP(nil); return err },
		"lp.ReadMPS":                func() error { _, err := lp.ReadMPS(nil, lp.FreeMPS); return err },
		"queueing.Greatest":         func() error { _, err := queueing.Greatest(blocking, 1, nil); return err },
		"queueing.Greatest below 0": func() error { _, err := queueing.Greatest(blocking, -1, figures); return err },
		"queueing.LeastServers":     func() error { _, err := queueing.LeastServers(nil, blocking); return err },
		"queueing.LossMix":          func() error { _, err := new(unlike.LossMix).LogBlocking(nil); return err },
		"reliability.EpochCurve":    func() error { _, err := reliability.EpochCurve(epoch, math.MaxInt); return err },
		"law.Gamma.Quantile":        func() error { _, err := law.Gamma{Shape: nan, Scale: 1}.Quantile(0.5); return err },
		"routing.Uncertain.Draw":    func() error { _, err := uncertain.Draw(math.MaxInt, rand.New(rand.NewPCG(1, 1))); return err },
		"smp.AR.Fit":                func() error { _, _, err := baseline.AR{Order: math.MaxInt}.Fit(long); return err },
		"smp.ARMA.Fit": func() error {
			_, _, _, err := baseline.ARMA{AR: math.MaxInt, MA: math.MaxInt/2 + 1}.Fit(long)
			return err
		},
		"smp.ARMA.Fit of great values": func() error { _, _, _, err := baseline.ARMA{AR: 1}.Fit([]float64{1e300, -1e300, 1, 1e300}); return err },
		"smp.BestMean.Window":          func() error { _, err := baseline.BestMean{Order: math.MaxInt / 2}.Window(long); return err },
		"smp.Last.Forecast":            func() error { _, err := baseline.Last{}.Forecast(long, min(1<<40, math.MaxInt)); return err },
		"smp.ExpectedError":            func() error { _, err := smp.ExpectedError(0.5, math.MaxInt); return err },
		"smp.EvaluateShare": func() error {
			_, err := smp.EvaluateShare(smp.FiveStates(), nil, smp.Window{Steps: min(1<<40, math.MaxInt)}, nil)
			return err
		},
		"smp.SplitDays":             func() error { _, err := smp.SplitDays(smp.FiveStates(), days[:1], nil); return err },
		"smp.SplitDays of no state": func() error { _, err := smp.SplitDays(smp.FiveStates(), days[1:], nil); return err },
		"smp.Fastest.Choose":        func() error { _, err := ranking.Fastest{}.Choose(ctx, hosts, nil, 0, 1); return err },
		"smp.Omniscient.Choose":     func() error { _, err := ranking.Omniscient{}.Choose(ctx, hosts, []int{4}, 0, 1); return err },
		"smp.Proactive.Choose":      func() error { _, err := ranking.Proactive{}.Choose(ctx, hosts, []int{0}, 0, 1); return err },
		"smp.History.Days": func() error {
			_, _, err := one.Days(smp.Calendar{}, smp.Window{Steps: 1}, smp.Holiday, far, 1)
			return err
		},
		"smp.InjectNoise": func() error {
			_, _, err := smp.InjectNoise(nil, one, smp.Calendar{}, days, smp.Noise{Instances: 1})
			return err
		},
		"smp.Kernel.Limit":         func() error { _, err := new(smp.Kernel).Limit(); return err },
		"smp.Kernel.Reliability":   func() error { _, err := new(smp.Kernel).Complement().Reliability(ctx, 5, nil); return err },
		"smp.Reliability.From":     func() error { _, err := new(smp.Reliability).From(ctx, smp.Start{}); return err },
		"smp.ParametricFit.Kernel": func() error { _, err := new(smp.ParametricFit).Kernel(10); return err },
		"smp.NewLabeller":          func() error { _, err := smp.NewLabeller(smp.Thresholds{Period: 1}, nil); return err },
		"smp.Replay without history": func() error {
			_, err := ranking.Replay(ctx, make([]ranking.Host, 1), jobs, ranking.Fastest{})
			return err
		},
		"smp.Replay without scheduler": func() error { _, err := ranking.Replay(ctx, hosts, jobs, nil); return err },
	} {
		if call() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What ran for minutes ends: a chain that leaks at its far end only, many servers
// with gaps whose transform is a sum or an integral.
func TestFellOnceByTime(t *testing.T) {
	const stations = 6000
	next := make([]float64, 2*stations)
	next[stations] = 1
	chain := networks.Jackson{Stations: make([]networks.OpenStation, stations), Routing: make([][]float64, stations)}
	for i := range chain.Stations {
		chain.Stations[i].ServiceTime = 1
		chain.Routing[i] = next[stations-i-1 : 2*stations-i-1]
	}
	alone := make([]float64, stations)
	alone[0] = 1
	chain.Routing[0] = alone // nobody leaves the first: said before anything is solved
	for name, call := range map[string]func() error{
		"networks.Jackson.Figures": func() error { _, err := chain.Figures(); return err },
		"queueing.GIMC of lognormal gaps": func() error {
			_, err := queueing.GIMC{Gap: queueing.Lognormal{Mean: 1000, SCV: 10}, ServiceTime: 0.75, Servers: 1e6}.Figures()
			return err
		},
		"queueing.GIMC of many values": func() error {
			_, err := queueing.GIMC{Gap: queueing.Empirical{Times: slices.Repeat([]float64{1000}, 1000)}, ServiceTime: 0.75, Servers: 1e6}.Figures()
			return err
		},
	} {
		ended := make(chan error, 1)
		go func() { ended <- call() }()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s: no error", name)
			}
		case <-time.After(40 * time.Second):
			t.Errorf("%s: still runs", name)
		}
	}
}

func figures(float64) (queueing.Figures, error) { return queueing.Figures{}, nil }

var (
	blocking  = queueing.Objective{Metric: queueing.Blocking, Limit: 0.1}
	epoch     = reliability.EpochParams{Migrations: 5, MigrationTime: 1, FailureRate: 0.001}
	uncertain = routing.Uncertain{
		Clusters:   []routing.Cluster{{ServiceTime: 1, SecondMoment: 2}},
		LocalRates: []routing.Range{{}},
		Rate:       0.5,
		Rates:      routing.Range{Low: 0.4, High: 0.6},
	}
)

// The same for functions that return no error: they have nothing to say, or NaN.
func TestFellOnceWithoutAnError(t *testing.T) {
	mixed := queueing.Empirical{Times: []float64{1, 2}, Weights: []float64{1}}
	if m, _, _ := mixed.Moments(); !math.IsNaN(m) {
		t.Errorf("moments of a law of unlike lengths: %v", m)
	}
	if m, _, _ := (queueing.Hyperexponential{Shares: []float64{1, 0}}).Moments(); !math.IsNaN(m) {
		t.Errorf("moments of shares without means: %v", m)
	}
	for name, v := range map[string]float64{
		"law.TwoStage.CeilMoment":       law.TwoStage{L: -1, M: 1e300, H: math.NaN()}.CeilMoment(1),
		"law.TwoStage.Draw":             law.TwoStage{}.Draw(nil),
		"law.Survival":                  law.Survival(nil, 1),
		"law.Hazard":                    law.Hazard(nil, 1),
		"law.Gamma.LogDensity":          law.Gamma{Shape: math.NaN(), Scale: 1}.LogDensity(1),
		"law.Gamma.LogSurvival":         law.Gamma{Shape: -1, Scale: 1}.LogSurvival(1),
		"smp.DiscreteWeibull.Mean":      smp.DiscreteWeibull{Lambda: -1, Beta: 1}.Mean(),
		"smp.NegativeBinomial.Survival": smp.NegativeBinomial{R: -1, P: 0.5}.Survival(3),
		"lp.Model.Objective":            (&lp.Model{Variables: make([]lp.Variable, 2)}).Objective(nil),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s: %v, want NaN", name, v)
		}
	}
	if s := lp.Checked(&lp.Model{Rows: []lp.Row{{Terms: []lp.Term{{Variable: 3, Coefficient: 1}}}}}, &lp.Solution{Status: lp.Optimal}, nil); s.Status != lp.Unknown {
		t.Errorf("the answer to a model that means nothing is called %s", s.Status)
	}
	if levels, needed := new(alloc.Batch).LevelsOf(min(1<<40, math.MaxInt), -1); needed {
		t.Errorf("a job of no batch needs %v", levels)
	}
	if _, _, ok := (alloc.Curve{Capacity: []float64{1, 2}}).At(1.5); ok {
		t.Error("a curve without revenues has one")
	}
	if r := alloc.Verify(nil, nil, nil, true); r.Feasible {
		t.Error("an answer to no batch is feasible")
	}
	if _, ok := (routing.Performance{Draws: 3}).Quantile(0.5); ok {
		t.Error("a law without draws has a quantile")
	}
	if _, ok := (&smp.Curve{Density: make([]float64, 5)}).Hazard(3); ok {
		t.Error("a curve without a reliability has a hazard")
	}
	loads := baseline.Loads{Spans: []baseline.LoadSpan{{First: 0, Steps: 100, Values: []float64{1, 2}}}}
	if total, n := loads.Sum(0, 50); total != 3 || n != 2 {
		t.Errorf("sum %v of %d loads, want 3 of the 2 that are there", total, n)
	}
	if s := smp.Spells(smp.FiveStates(), []smp.Run{{State: -100, Steps: 3}, {State: 17, First: 3, Steps: 1}}); len(s) != 0 {
		t.Errorf("spells %v of runs in no state", s)
	}
	if s := smp.Summarize([]*smp.Score{nil}); len(s) != 0 {
		t.Errorf("summary %v of no score", s)
	}
	// A rise that a gap of 1e15 steps holds is one run, not as many steps.
	var runs []smp.Run
	l, err := smp.NewLabeller(smp.Thresholds{Period: 1e-3, Gap: 1e13}, func(r smp.Run) { runs = append(runs, r) })
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{0, 1e12} {
		if err := l.Add(smp.Sample{Time: at, Load: 0.9, FreeMemory: 1}); err != nil {
			t.Fatal(err)
		}
	}
	l.Flush()
	if len(runs) != 1 || runs[0].State != smp.S3 || runs[0].Steps != 1e15+1 {
		t.Errorf("runs %v, want one of 1e15+1 steps in S3", runs)
	}
}
