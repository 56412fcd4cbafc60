package survival

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/trace"
)

// leukaemia are the remission times under 6-MP in weeks, + censored
// (Kalbfleisch & Prentice 2002, table 1.1 has them).
func leukaemia(t *testing.T) (d []float64, censored []bool) {
	for _, s := range strings.Fields("6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+") {
		v := 0.0
		for _, c := range strings.TrimSuffix(s, "+") {
			v = 10*v + float64(c-'0')
		}
		d, censored = append(d, v), append(censored, strings.HasSuffix(s, "+"))
	}
	return d, censored
}

func lifetime(t *testing.T, q *LifetimeQuestion) *LifetimeAnswer {
	t.Helper()
	a, err := Lifetime(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func lawNamed(t *testing.T, a *LifetimeAnswer, name string) LawFit {
	t.Helper()
	for _, l := range a.Laws {
		if l.Law == name {
			return l
		}
	}
	t.Fatalf("no law %s", name)
	return LawFit{}
}

// S(10) = 0.752941 with the log-log band (0.503200, 0.889362); Weibull shape
// 1.353735 and scale 33.765151: the published figures of these data.
func TestLifetimeLeukaemia(t *testing.T) {
	d, censored := leukaemia(t)
	a := lifetime(t, &LifetimeQuestion{Durations: d, Censored: censored, Explain: true})
	found := false
	for _, s := range a.Survival {
		if s.Time == 10 {
			found = true
			numtest.Close(t, "S(10)", s.Survival, 0.752941, 1e-6)
			numtest.Close(t, "lower", s.Lower, 0.503200, 1e-6)
			numtest.Close(t, "upper", s.Upper, 0.889362, 1e-6)
		}
	}
	if !found || a.Durations != 21 || a.Events != 9 || a.Censored != 12 || a.Fleet != nil {
		t.Errorf("got %+v", a)
	}
	w := lawNamed(t, a, "weibull")
	for _, p := range w.Parameters {
		want := map[string]float64{"shape": 1.353735, "scale_s": 33.765151}[p.Name]
		numtest.Close(t, p.Name, p.Value, want, 1e-6)
	}
	e := lawNamed(t, a, "exponential")
	numtest.Close(t, "exponential", e.Parameters[0].Value, 359.0/9, 1e-14)
	numtest.Close(t, "its error", e.Parameters[0].StdErr, 359.0/9/3, 1e-14)
	numtest.Close(t, "its AIC", e.AIC, 2+2*9*(math.Log(359.0/9)+1), 1e-13)
	numtest.Close(t, "median", *a.Median, 23, 0)
	for i, l := range a.Laws {
		if i > 0 && l.AIC < a.Laws[i-1].AIC || l.DeltaAIC != l.AIC-a.Laws[0].AIC {
			t.Errorf("laws are not in order of AIC: %+v", a.Laws)
		}
	}
	// All failures and all time at risk are in the hazard.
	events, exposure := 0, 0.0
	for _, b := range a.Hazard {
		events += b.Events
		exposure += float64(b.Events) / b.Rate
	}
	if events != 9 {
		t.Errorf("%d failures in the hazard", events)
	}
	numtest.Close(t, "exposure", exposure, 359, 1e-12)
	plots, err := a.Plots(context.Background())
	if err != nil || len(plots) != 2 || len(plots[0].Curves) < 3 {
		t.Fatalf("plots %+v, %v", plots, err)
	}
	for _, c := range plots[0].Curves[1:] {
		if c.Y[0] > 1 || c.X[len(c.X)-1] != 35 {
			t.Errorf("curve of %s: %v", c.Name, c.X)
		}
	}
}

// Two machines by hand: up 10 and (cut) 4 and censored 6; down 2 and 3.
func TestLifetimeFleet(t *testing.T) {
	record := tally.NewUpDown(true)
	for _, i := range []trace.Interval{
		{Node: 0, Name: "a", Start: 0, End: 4, Up: true, Cut: true}, {Node: 0, Name: "a", Start: 4, End: 6},
		{Node: 0, Name: "a", Start: 6, End: 16, Up: true}, {Node: 1, Name: "b", Start: 0, End: 3, Cut: true},
		{Node: 1, Name: "b", Start: 3, End: 9, Up: true, Censored: true},
	} {
		if err := record.Add(i); err != nil {
			t.Fatal(err)
		}
	}
	a := lifetime(t, &LifetimeQuestion{Fleet: record, PerMachine: true, Explain: true})
	f := a.Fleet
	if f.Machines != 2 || f.Intervals != 5 || f.UpSpells != 3 || f.Failures != 2 || f.Repairs != 2 {
		t.Errorf("got %+v", f)
	}
	numtest.Close(t, "mean up", *f.MeanUp, 20.0/3, 1e-15)
	numtest.Close(t, "MTTF", *f.MTTF, 10, 1e-15)
	numtest.Close(t, "MTTR", *f.MTTR, 2.5, 1e-15)
	numtest.Close(t, "availability", *f.Availability, 0.8, 1e-15)
	if a.Durations != 2 || a.Events != 1 { // the cut one has no known age
		t.Errorf("%d durations, %d events", a.Durations, a.Events)
	}
	if len(a.Machines) != 2 || a.Machines[1].Machine != "b" || a.Machines[1].MTTF != nil || *a.Machines[1].Availability != 2.0/3 {
		t.Errorf("machines %+v", a.Machines)
	}
	err := record.Add(trace.Interval{Node: 1, Name: "b", Line: 7, Start: 8, End: 12})
	var input *ask.InputError
	if !errors.As(err, &input) || !strings.Contains(err.Error(), `node "b", line 7`) || !strings.Contains(err.Error(), "overlaps") {
		t.Errorf("overlap: %v", err)
	}
	if err := record.Add(trace.Interval{Node: 1, Name: "b", Line: 8, Start: 20, End: 12}); err == nil || !strings.Contains(err.Error(), "backward") {
		t.Errorf("backward: %v", err)
	}
}

func TestLifetimeEdges(t *testing.T) {
	// Zeros count as half the shortest other one in the fits only.
	a := lifetime(t, &LifetimeQuestion{Durations: []float64{0, 2, 4, 6}})
	if len(a.Laws) != 4 || a.Survival[0].Time != 0 || len(a.Warnings) != 1 {
		t.Errorf("zeros: %+v", a)
	}
	numtest.Close(t, "scale", lawNamed(t, a, "exponential").Parameters[0].Value, 13.0/4, 1e-14)
	// Nothing but censored ones: no law, no median, no NaN.
	a = lifetime(t, &LifetimeQuestion{Durations: []float64{1, 2}, Censored: []bool{true, true}})
	if a.BestLaw != nil || a.Median != nil || len(a.Survival) != 0 || len(a.Hazard) != 0 {
		t.Errorf("all censored: %+v", a)
	}
	// All alike: laws with two parameters have no maximum.
	a = lifetime(t, &LifetimeQuestion{Durations: []float64{3, 3, 3}})
	if len(a.Laws) != 1 || len(a.NotFitted) != 3 {
		t.Errorf("all alike: %+v", a)
	}
	// Thinned curves keep both ends.
	d := make([]float64, 5000)
	for i := range d {
		d[i] = float64(i + 1)
	}
	a = lifetime(t, &LifetimeQuestion{Durations: d, Steps: 7})
	if len(a.Survival) != 7 || a.Survival[0].Time != 1 || a.Survival[6].Time != 5000 || a.AllSteps != 5000 {
		t.Errorf("thinned: %d of %d", len(a.Survival), a.AllSteps)
	}
	for what, q := range map[string]*LifetimeQuestion{
		"level": {Durations: d, Level: 1}, "steps": {Durations: d, Steps: -1}, "per_machine": {Durations: d, PerMachine: true}, "": {},
	} {
		_, err := Lifetime(context.Background(), q)
		wantInput(t, what, err, what)
	}
	_, err := Lifetime(context.Background(), &LifetimeQuestion{Durations: []float64{1, -1}})
	var input *ask.InputError
	if !errors.As(err, &input) {
		t.Errorf("negative: %v", err)
	}
}

// About what a fleet of 1,288 machines sees in 548 days.
func BenchmarkLifetime(b *testing.B) {
	const n = 294000
	d, censored := make([]float64, n), make([]bool, n)
	for i := range d { // a Weibull law of shape 1/2 by its quantiles, shuffled
		u := (float64(i*7919%n) + 0.5) / n
		d[i], censored[i] = 3600*math.Log(u)*math.Log(u), i%300 == 0
	}
	b.Run("durations=294000", func(b *testing.B) {
		for b.Loop() {
			if _, err := Lifetime(context.Background(), &LifetimeQuestion{Durations: d, Censored: censored}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
