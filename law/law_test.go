package law

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
)

func lawOf(name string, a, b float64) Law {
	switch name {
	case "exponential":
		return Exponential{a}
	case "weibull":
		return Weibull{a, b}
	case "lognormal":
		return LogNormal{a, b}
	}
	return Gamma{a, b}
}

func TestLaws(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/laws.csv") {
		l := lawOf(r.Text("law"), r.Float("a"), r.Float("b"))
		x := r.Float("t")
		numtest.Close(t, "log survival", l.LogSurvival(x), r.Float("log_survival"), 2e-12)
		numtest.Close(t, "log density", l.LogDensity(x), r.Float("log_density"), 2e-12)
		if r.Float("hazard") > 1e-300 {
			numtest.Close(t, "hazard", Hazard(l, x), r.Float("hazard"), 2e-10)
		}
		numtest.Close(t, "mean", l.Mean(), r.Float("mean"), 1e-13)
		if t.Failed() {
			t.Fatalf("at line %d", r.Line)
		}
	}
}

func TestLawLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"exponential", "weibull", "lognormal", "gamma"}).Draw(t, "law")
		l := lawOf(name, math.Exp(rapid.Float64Range(-2, 3).Draw(t, "a")), math.Exp(rapid.Float64Range(-1, 1).Draw(t, "b")))
		p := rapid.Float64Range(0, 0.999).Draw(t, "p")
		x, err := l.Quantile(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := -math.Expm1(l.LogSurvival(x)); math.Abs(got-p) > 1e-9 {
			t.Fatalf("%#v: quantile %v of %v has probability %v", l, x, p, got)
		}
		if l.Name() != name {
			t.Fatalf("name %q", l.Name())
		}
		// The hazard is the slope of -log S.
		if x > 0 && p > 1e-3 {
			h := 1e-5 * x
			slope := (l.LogSurvival(x-h) - l.LogSurvival(x+h)) / (2 * h)
			if numtest.RelErr(Hazard(l, x), slope) > 1e-5 {
				t.Fatalf("%#v at %v: hazard %v, slope %v", l, x, Hazard(l, x), slope)
			}
		}
		for _, t0 := range []float64{-1, 0} {
			if Survival(l, t0) != 1 {
				t.Fatalf("%#v: survival %v at %v", l, Survival(l, t0), t0)
			}
		}
		for _, far := range []float64{1e-300, 1e10, 1e300, math.MaxFloat64} {
			for _, v := range []float64{l.LogSurvival(far), l.LogDensity(far)} {
				if math.IsNaN(v) {
					t.Fatalf("%#v: NaN at %g", l, far)
				}
			}
		}
		for _, bad := range []float64{-0.1, 1, math.NaN()} {
			if q, err := l.Quantile(bad); err == nil || q != 0 {
				t.Fatalf("quantile %v: %v, %v", bad, q, err)
			}
		}
	})
}

// E[X] = ∫ S dt.
func TestLawMeans(t *testing.T) {
	for _, l := range []Law{Exponential{3}, Weibull{1.5, 2}, LogNormal{0.2, 0.5}, Gamma{2.5, 0.7}} {
		area := quad.Fixed(func(t float64) float64 { return Survival(l, t) }, 0, 100, 400, nil, 0)
		numtest.Close(t, l.Name(), area, l.Mean(), 1e-8)
	}
}

func wantDomain(t *testing.T, err error, arg string) {
	t.Helper()
	var d *DomainError
	if !errors.As(err, &d) || d.Arg != arg {
		t.Errorf("err = %v, want a *DomainError that names %s", err, arg)
	}
}
