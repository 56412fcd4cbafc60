package reliability_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

func TestIntervalReliability(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/interval.csv") {
		s := reliability.ReplicaSet{reliability.Component{r.Float("mttf"), r.Float("mttr")},
			int(r.Float("k")), int(r.Float("m")), int(r.Float("c"))}
		got, err := reliability.IntervalReliability(context.Background(), s, r.Float("window"), reliability.Start(r.Float("start")))
		if err != nil {
			t.Fatalf("line %d: %v", r.Line, err)
		}
		ok := true
		for _, c := range []struct {
			column string
			got    float64
		}{
			{"survival", got.Survival}, {"survival", math.Exp(got.LogSurvival)}, {"failure", got.Failure},
			{"up_time", got.MeanUpTime}, {"mean_to_fail", got.MeanToFail},
		} {
			want := r.Float(c.column)
			tol := 1e-11
			numtest.Close(t, c.column, c.got, want, tol)
			ok = ok && numtest.RelErr(c.got, want) <= tol
		}
		if !ok {
			t.Errorf("at line %d: %+v, window %v", r.Line, s, r.Float("window"))
		}
	}
}

func TestIntervalReliabilityLaws(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 8).Draw(t, "k")
		s := reliability.ReplicaSet{
			Component: reliability.Component{
				math.Exp(rapid.Float64Range(-7, 7).Draw(t, "log mttf")),
				math.Exp(rapid.Float64Range(-7, 7).Draw(t, "log mttr")),
			},
			Replicas: k, Needed: rapid.IntRange(1, k).Draw(t, "m"), Crews: rapid.IntRange(0, k).Draw(t, "c"),
		}
		w := math.Exp(rapid.Float64Range(-20, 20).Draw(t, "log window"))
		var got [3]reliability.Interval
		for start := reliability.AllUp; start <= reliability.Steady; start++ {
			a, err := reliability.IntervalReliability(ctx, s, w, start)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := reliability.IntervalReliability(ctx, s, 2*w, start)
			if math.Abs(a.Survival+a.Failure-1) > 1e-12 {
				t.Fatalf("start %d: survival %v + failure %v is not 1", start, a.Survival, a.Failure)
			}
			if b.Failure < a.Failure*(1-1e-11) || b.MeanUpTime < a.MeanUpTime*(1-1e-11) {
				t.Fatalf("start %d: a longer window fails less: %v, %v", start, a.Failure, b.Failure)
			}
			if a.MeanUpTime > w*(1+1e-11) || a.MeanUpTime > a.MeanToFail*(1+1e-10) {
				t.Fatalf("start %d: up time %v exceeds window %v or mean %v", start, a.MeanUpTime, w, a.MeanToFail)
			}
			got[start] = a
		}
		if got[reliability.AllUp].Failure > got[reliability.SteadyUp].Failure*(1+1e-10) || got[reliability.SteadyUp].Failure > got[reliability.Steady].Failure*(1+1e-10) {
			t.Fatalf("starts out of order: %v", got)
		}
		point, _ := s.SteadyState()
		if got[reliability.Steady].Survival > point.Availability*(1+1e-12) {
			t.Fatalf("interval reliability %v exceeds point availability %v", got[reliability.Steady].Survival, point.Availability)
		}
		zero, _ := reliability.IntervalReliability(ctx, s, 0, reliability.Steady)
		if numtest.RelErr(zero.Survival, point.Availability) > 1e-12 || numtest.RelErr(zero.Failure, point.Unavailability) > 1e-12 {
			t.Fatalf("window 0: %v, point %v", zero, point)
		}
	})
}

func TestIntervalReliabilityLongWindows(t *testing.T) {
	// Window times rate of 1e6 and 1e15: the number of steps is bounded.
	for _, w := range []float64{1e3, 1e12, 1e300} {
		s := reliability.ReplicaSet{reliability.Component{1000, 1}, 1000, 900, 0}
		got, err := reliability.IntervalReliability(context.Background(), s, w, reliability.AllUp)
		if err != nil {
			t.Fatal(err)
		}
		if got.Steps > 200_000 {
			t.Errorf("window %g took %d steps", w, got.Steps)
		}
		// So rare an outage is exponential with its mean.
		numtest.Close(t, "failure", got.Failure, -math.Expm1(-w/got.MeanToFail), 0.1)
	}
	// One replica: e^(-T/MTTF) at any scale.
	for _, mttf := range []float64{1e-300, 1, 1e300} {
		for _, mttr := range []float64{1e-300, 1, 1e300} {
			for _, x := range []float64{1e-9, 1, 50} {
				got, err := reliability.IntervalReliability(context.Background(), reliability.ReplicaSet{reliability.Component{mttf, mttr}, 1, 1, 0}, x*mttf, reliability.AllUp)
				if err != nil {
					t.Fatal(err)
				}
				numtest.Close(t, "log survival", got.LogSurvival, -x, 1e-12)
				numtest.Close(t, "failure", got.Failure, -math.Expm1(-x), 1e-12)
				numtest.Close(t, "mean to fail", got.MeanToFail, mttf, 1e-12)
			}
		}
	}
	// Nothing overflows into NaN.
	for _, c := range []reliability.Component{{1e300, 1e-300}, {1e-300, 1e300}, {1e300, 1e300}, {math.MaxFloat64, 5e-324}} {
		for _, w := range []float64{0, 5e-324, 1, math.MaxFloat64} {
			for start := reliability.AllUp; start <= reliability.Steady; start++ {
				got, err := reliability.IntervalReliability(context.Background(), reliability.ReplicaSet{c, 5, 2, 2}, w, start)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range []float64{got.Survival, got.LogSurvival, got.Failure, got.MeanUpTime, got.MeanToFail} {
					if math.IsNaN(v) {
						t.Fatalf("%v, window %g, start %d: %+v", c, w, start, got)
					}
				}
			}
		}
	}
}

func TestIntervalReliabilityStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := reliability.IntervalReliability(ctx, reliability.ReplicaSet{reliability.Component{1, 1}, 10, 1, 1}, 5, reliability.AllUp)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func TestIntervalReliabilityDomain(t *testing.T) {
	ok := reliability.ReplicaSet{reliability.Component{5, 2}, 3, 1, 1}
	for _, c := range []struct {
		name   string
		set    reliability.ReplicaSet
		window float64
		start  reliability.Start
	}{
		{"MTTF", reliability.ReplicaSet{reliability.Component{0, 2}, 3, 1, 1}, 1, 0},
		{"MTTR", reliability.ReplicaSet{reliability.Component{5, math.NaN()}, 3, 1, 1}, 1, 0},
		{"Replicas", reliability.ReplicaSet{reliability.Component{5, 2}, 0, 1, 1}, 1, 0},
		{"Replicas", reliability.ReplicaSet{reliability.Component{5, 2}, min(1<<40, math.MaxInt), 1, 1}, 1, 0},
		{"Needed", reliability.ReplicaSet{reliability.Component{5, 2}, 3, 4, 1}, 1, 0},
		{"Crews", reliability.ReplicaSet{reliability.Component{5, 2}, 3, 1, -1}, 1, 0},
		{"window", ok, math.Inf(1), 0},
		{"start", ok, 1, 7},
	} {
		_, err := reliability.IntervalReliability(context.Background(), c.set, c.window, c.start)
		wantDomain(t, err, c.name)
	}
}

// wantDomain checks that err is a *DomainError on the named argument.
func wantDomain(t *testing.T, err error, arg string) {
	t.Helper()
	var d *reliability.DomainError
	if !errors.As(err, &d) || d.Arg != arg {
		t.Errorf("err = %v, want a *DomainError that names %s", err, arg)
	}
}

func BenchmarkIntervalReliability(b *testing.B) {
	for _, bc := range []struct {
		name   string
		set    reliability.ReplicaSet
		window float64
	}{
		{"replicas=1000/crews=1000/window=1e3", reliability.ReplicaSet{reliability.Component{100, 5}, 1000, 900, 1000}, 1e3},
		{"replicas=1000/crews=60/window=1e9", reliability.ReplicaSet{reliability.Component{100, 5}, 1000, 900, 60}, 1e9},
		{"replicas=1000/needed=1/window=1e6", reliability.ReplicaSet{reliability.Component{10, 1}, 1000, 1, 90}, 1e6},
	} {
		b.Run(bc.name, func(b *testing.B) {
			for b.Loop() {
				r, err := reliability.IntervalReliability(context.Background(), bc.set, bc.window, reliability.AllUp)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(r.Steps), "steps")
			}
		})
	}
}

// The work of a chain is bounded by what IntervalWork says, with crews that are short too.
func TestIntervalWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := reliability.ReplicaSet{
			Component: reliability.Component{
				MTTF: math.Pow(10, rapid.Float64Range(-2, 2).Draw(t, "log10 mttf")),
				MTTR: math.Pow(10, rapid.Float64Range(-2, 2).Draw(t, "log10 mttr")),
			},
			Replicas: rapid.IntRange(2, 80).Draw(t, "replicas"),
			Crews:    rapid.IntRange(0, 5).Draw(t, "crews"),
		}
		s.Needed = rapid.IntRange(1, s.Replicas).Draw(t, "needed")
		window := math.Pow(10, rapid.Float64Range(-2, 5).Draw(t, "log10 window"))
		start := rapid.SampledFrom([]reliability.Start{reliability.AllUp, reliability.SteadyUp, reliability.Steady}).Draw(t, "start")
		i, err := reliability.IntervalReliability(t.Context(), s, window, start)
		if err != nil {
			t.Fatal(err)
		}
		states := float64(s.Replicas - s.Needed + 1)
		// The tails of a Poisson number go down to 1e-300: of mean 100, the least part that fast decay
		// asks for after the first two, they are 660 steps long.
		if work := reliability.IntervalWork(s, window); float64(i.Steps)*states > 8*work+2000*states {
			t.Errorf("%+v, window %v: %d steps of %v states, said to be %v", s, window, i.Steps, states, work)
		}
	})
}
