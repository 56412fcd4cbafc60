package bags

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// No help does a task before it has arrived: the chance to be done by t is at most that
// all have come by then, however many workers there are, and grows with t. One start for
// 99 % of bag random by 18 min was in time in 1 of 150 simulated runs.
func TestHelpWaitsForArrivals(t *testing.T) {
	const n = 300
	c := Cloud{Speed: 6000, Boot: 60, Look: 60}
	file := make([]Task, n)
	for i := range file {
		file[i] = Task{Arrival: 3600 * float64(i) / (n - 1), Work: 6e4}
	}
	exp := law.Exponential{Scale: 600}
	for name, b := range map[string]Bag{
		"law":  {Size: Spread{n, 0}, Work: Spread{6e4, 0}, Arrival: exp},
		"file": {Tasks: file},
	} {
		for _, server := range []Server{XWHEP, BOINC, Checkpoint} {
			f, err := Finish(&Setup{Bag: b, Hosts: exponential(200), Server: server})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range []Help{{0, n}, {0.5, 100}, {0.9, 30}} {
				helped, before := f.With(h, c), 0.0
				for _, by := range []float64{1200, 2400, 3500, 4000, 5000, 9000} {
					come := math.Pow(-math.Expm1(-by/exp.Scale), n)
					if name == "file" {
						come = 0
						if by >= 3600 {
							come = 1
						}
					}
					got := helped.Chance(by)
					if got > come+0.02 || got < before-1e-9 {
						t.Errorf("%s, %v, %+v: chance %v by %v s, all have come with %v", name, server, h, got, by, come)
					}
					before = got
				}
			}
			if _, ok, err := f.Cheapest(context.Background(), Target{1500, 0.95}, c); ok || err != nil {
				t.Errorf("%s, %v: help by 1500 s, before the last tasks come: %v", name, server, err)
			}
		}
	}
}

// Machines of unlike speeds that begin one after the other do late tasks at their mean speed. Of 1500 simulated
// runs the median is 5308 s if speeds spread by .4, 5224 s if they do not. It was 5587 s where machines that had
// just come counted as slow ones.
func TestLateTasksOnUnlikeMachines(t *testing.T) {
	median := func(spread float64) float64 {
		f, err := Finish(&Setup{
			Bag: Bag{Size: Spread{7250, 0}, Work: Spread{23e3, 0}, Arrival: law.Weibull{Shape: 0.57, Scale: 2.4}},
			Hosts: &hosts.Platform{Count: 239, Up: law.Exponential{Scale: 22000}, Down: law.Exponential{Scale: 12},
				Speed: hosts.Speed{Mean: 1000, SD: 1000 * spread}},
			Server: BOINC, Rules: Rules{Results: 1, Quorum: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		return f.Quantile(0.5)
	}
	if unlike, alike := median(0.4), median(0); math.Abs(unlike/5308-1) > 0.02 || math.Abs(alike/5224-1) > 0.02 {
		t.Errorf("medians %v and %v, want 5308 and 5224", unlike, alike)
	}
}

// By 5000 s all tasks of bag random have come in 94.3 % of 20,000 drawn bags, 5138 s being
// the 95 % point; one worker from 99.9 % on was said to have it done in 96.
func TestHelpOfAnUncertainBagWaits(t *testing.T) {
	f, err := Finish(&Setup{Bag: Bags()[2], Hosts: exponential(200)})
	if err != nil {
		t.Fatal(err)
	}
	h := f.With(Help{0.999, 1}, Cloud{Speed: 3000, Boot: 120, Look: 60})
	if got := h.Chance(5000); got > 0.945 {
		t.Errorf("chance %v by 5000 s", got)
	}
	if got := h.Quantile(0.95); got < 5080 {
		t.Errorf("95%% by %v s", got)
	}
}

// A law of runs has their quantiles, and help makes them no later.
// Where no run is done before a time, the law may say that some are, by a cell.
func TestFromRunsInCells(t *testing.T) {
	var runs [][]float64
	for i := range 1000 {
		runs = append(runs, []float64{1000 + float64(i)/50})
	}
	for _, end := range []float64{1000, 3000, 7900, 8200, 31000, 1e5} {
		runs[999] = []float64{end}
		f, err := FromRuns(&Bag{Size: Spread{1, 0}, Work: Spread{1e6, 0}}, runs)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []float64{0.001, 0.05, 0.5} {
			if got, want := f.Quantile(p), 1000+20*p; math.Abs(got-want) > 1010./62 {
				t.Errorf("one run ends at %v: p = %v by %v, want %v within a cell", end, p, got, want)
			}
		}
	}
}

func TestFromRuns(t *testing.T) {
	b := &Bag{Size: Spread{4, 0}, Work: Spread{1e6, 0}}
	var runs [][]float64
	for i := range 1000 {
		end := 1000 * math.Pow(1-(float64(i)+0.5)/1000, -0.7) // a heavy tail, to 204,000 s
		runs = append(runs, []float64{0.2 * end, 0.3 * end, 0.5 * end, end})
	}
	for i := range 20 {
		runs[i*7%1000] = []float64{100, 200, 300, math.Inf(1)}
	}
	f, err := FromRuns(b, runs)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []float64{0.05, 0.5, 0.9, 0.95} {
		want := 1000 * math.Pow(1-p/0.98, -0.7)
		if got := f.Quantile(p); math.Abs(got/want-1) > 0.02 {
			t.Errorf("p = %v: %v s, want %v", p, got, want)
		}
		if got := f.Chance(f.Quantile(p)); math.Abs(got-p) > 2e-3 {
			t.Errorf("p = %v: chance %v by its quantile", p, got)
		}
	}
	if !math.IsInf(f.Quantile(0.99), 1) {
		t.Errorf("2 %% are never done: 99 %% by %v s", f.Quantile(0.99))
	}
	helped := f.With(Help{0.5, 2}, Cloud{Speed: 1000, Boot: 0, Look: 0})
	if helped.Quantile(0.95) > f.Quantile(0.95) || helped.Hours <= 0 {
		t.Errorf("with help 95 %% by %v s, without by %v; %v hours", helped.Quantile(0.95), f.Quantile(0.95), helped.Hours)
	}
	for name, bad := range map[string][][]float64{"none": nil, "empty": {{}}, "falling": {{2, 1}}, "NaN": {{math.NaN()}}, "past": {{-1}}} {
		if _, err := FromRuns(b, bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := FromRuns(nil, runs); err == nil {
		t.Error("no bag: no error")
	}
}

// Where cells of time are longer than tasks a machine does several before it asks again, and leaves during each as
// often as during one alone. Of 286 simulated runs the median is 16,530 s; it was 20,450 s where the absences of
// machines that leave counted in what a result takes, of which a machine then did fewer.
func TestLateTasksShorterThanCells(t *testing.T) {
	f, err := Finish(&Setup{
		Bag: Bag{Size: Spread{2823, 0}, Work: Spread{60e3, 0}, Arrival: law.LogNormal{Mu: math.Log(99) - 0.32, Sigma: 0.8}},
		Hosts: &hosts.Platform{Count: 228, Up: law.Exponential{Scale: 4700}, Down: law.Weibull{Shape: 0.5, Scale: 6700},
			Speed: hosts.Speed{Mean: 1000, SD: 100}},
		Server: BOINC, Rules: Rules{Results: 4, Quorum: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Quantile(0.5); math.Abs(got/16530-1) > 0.05 {
		t.Errorf("median %v, want 16530", got)
	}
}
