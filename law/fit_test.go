package law

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
)

var fitters = map[string]func(Observations) (Fit, error){
	"exponential": FitExponential, "weibull": FitWeibull, "lognormal": FitLogNormal, "gamma": FitGamma,
}

func lifetimes(t testing.TB) map[string]Observations {
	sets := map[string]Observations{}
	for _, r := range numtest.Table(t, "testdata/lifetimes.csv") {
		o := sets[r.Text("set")]
		o.Durations = append(o.Durations, r.Float("duration"))
		o.Censored = append(o.Censored, r.Text("censored") == "1")
		sets[r.Text("set")] = o
	}
	return sets
}

func TestFits(t *testing.T) {
	sets := lifetimes(t)
	for _, r := range numtest.Table(t, "testdata/fits.csv") {
		name, law := r.Text("set"), r.Text("law")
		f, err := fitters[law](sets[name])
		if err != nil {
			t.Errorf("%s %s: %v", name, law, err)
			continue
		}
		if f.Law.Name() != law {
			t.Errorf("%s: law %q, want %q", name, f.Law.Name(), law)
		}
		// The mean of log t and the shape are found to about the root of the
		// rounding of the durations; the sets with equal digits lose those.
		tol := 1e-9
		if name == "same_but_digits" {
			tol = 1e-7
		}
		for i, p := range f.Params {
			numtest.Close(t, fmt.Sprintf("%s %s %s", name, law, p.Name), p.Value, r.Float(fmt.Sprintf("p%d", i+1)), tol)
			numtest.Close(t, fmt.Sprintf("%s %s se(%s)", name, law, p.Name), p.StdErr, r.Float(fmt.Sprintf("se%d", i+1)), 100*tol)
		}
		numtest.Close(t, fmt.Sprintf("%s %s loglik", name, law), f.LogLik, r.Float("loglik"), 1e-11)
		// The log-likelihood is that of the law, term by term.
		sum := 0.0
		for i, x := range sets[name].Durations {
			if sets[name].Censored[i] {
				sum += f.Law.LogSurvival(x)
			} else {
				sum += f.Law.LogDensity(x)
			}
		}
		numtest.Close(t, fmt.Sprintf("%s %s sum of logs", name, law), sum, r.Float("loglik"), 1e-8)
		if want := 2*float64(len(f.Params)) - 2*f.LogLik; f.AIC != want {
			t.Errorf("AIC = %v, want %v", f.AIC, want)
		}
	}
}

func TestFitDegenerate(t *testing.T) {
	equal := Observations{[]float64{3, 3, 2, 3}, []bool{false, false, true, true}}
	none := Observations{[]float64{1, 2}, []bool{true, true}}
	zero := Observations{[]float64{0, 2}, nil}
	for name, fit := range fitters {
		if _, err := fit(none); !errors.Is(err, ErrNoEvents) {
			t.Errorf("%s of censored durations: %v", name, err)
		}
		_, err := fit(Observations{[]float64{1, math.NaN()}, nil})
		wantDomain(t, err, "Durations[1]")
		_, err = fit(Observations{[]float64{1}, []bool{true, true}})
		wantDomain(t, err, "Censored")
		_, err = fit(Observations{})
		wantDomain(t, err, "Durations")
		if name == "exponential" {
			if _, err := fit(Observations{[]float64{0, 0}, nil}); !errors.Is(err, ErrDegenerate) {
				t.Errorf("%s of zeros: %v", name, err)
			}
			continue
		}
		if _, err := fit(equal); !errors.Is(err, ErrDegenerate) {
			t.Errorf("%s of equal durations: %v", name, err)
		}
		_, err = fit(zero)
		wantDomain(t, err, "Durations[0]")
	}
	fits, failures, err := FitLaws(context.Background(), equal)
	if err != nil || len(fits) != 1 || len(failures) != 3 {
		t.Errorf("FitLaws of equal durations: %d fits, %v, %v", len(fits), failures, err)
	}
	if _, _, err := FitLaws(context.Background(), none); !errors.Is(err, ErrNoEvents) {
		t.Errorf("FitLaws of censored durations: %v", err)
	}
}

// From any data: the fit ends at a maximum (its neighbours are no better) or
// with a typed error.
func TestFitsFromAnyData(t *testing.T) {
	for name, fit := range fitters {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(1, 30).Draw(t, "n")
				spread := rapid.SampledFrom([]float64{1e-6, 0.01, 1, 10, 100}).Draw(t, "spread")
				centre := rapid.Float64Range(-500, 500).Draw(t, "centre")
				o := Observations{}
				for range n {
					x := centre + spread*rapid.Float64Range(-1, 1).Draw(t, "log t")
					o.Durations = append(o.Durations, math.Exp(x))
					o.Censored = append(o.Censored, rapid.IntRange(0, 2).Draw(t, "censored") == 0)
				}
				f, err := fit(o)
				if err != nil {
					var d *DomainError
					if !errors.Is(err, ErrNoEvents) && !errors.Is(err, ErrDegenerate) && !errors.As(err, &d) {
						t.Fatal(err)
					}
					return
				}
				values := make([]float64, len(f.Params))
				for i, p := range f.Params {
					if !(p.StdErr > 0) || math.IsInf(p.StdErr, 0) || math.IsNaN(p.Value) {
						t.Fatalf("%+v", f)
					}
					values[i] = p.Value
				}
				if slices.Max(o.Durations)/slices.Min(o.Durations) < 1.0001 {
					return // neighbours differ by rounding only
				}
				at := logLik(name, o, values)
				for i, p := range f.Params {
					for _, side := range []float64{-0.1, 0.1} {
						moved := append([]float64(nil), values...)
						moved[i] += side * p.StdErr
						if moved[i] <= 0 && p.Name != "Mu" {
							continue
						}
						if l := logLik(name, o, moved); l > at+1e-9*(1+math.Abs(at)) {
							t.Fatalf("%+v: moving %s to %v raises the log-likelihood from %v to %v", f, p.Name, moved[i], at, l)
						}
					}
				}
			})
		})
	}
}

func logLik(law string, o Observations, p []float64) float64 {
	var l Law
	switch law {
	case "exponential":
		l = Exponential{p[0]}
	case "weibull":
		l = Weibull{p[0], p[1]}
	case "lognormal":
		l = LogNormal{p[0], p[1]}
	case "gamma":
		l = Gamma{p[0], p[1]}
	}
	sum := 0.0
	for i, x := range o.Durations {
		if o.Censored[i] {
			sum += l.LogSurvival(x)
		} else {
			sum += l.LogDensity(x)
		}
	}
	return sum
}

func simulated(n int, seed uint64) Observations {
	rng := rand.New(rand.NewPCG(seed, 7))
	o := Observations{make([]float64, n), make([]bool, n)}
	for i := range n {
		life, watch := 100*math.Pow(rng.ExpFloat64(), 1/0.7), 300*rng.Float64()
		o.Durations[i], o.Censored[i] = math.Min(life, watch), watch < life
	}
	return o
}

// Many durations go through nodes, few through the durations themselves: a
// set repeated until it is large has the same answer and √m smaller errors.
func TestFitsOfManyDurations(t *testing.T) {
	base := simulated(1000, 3)
	const m = 20
	big := Observations{}
	for range m {
		big.Durations = append(big.Durations, base.Durations...)
		big.Censored = append(big.Censored, base.Censored...)
	}
	for name, fit := range fitters {
		small, err := fit(base)
		if err != nil {
			t.Fatal(err)
		}
		large, err := fit(big)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range small.Params {
			numtest.Close(t, name+" "+p.Name, large.Params[i].Value, p.Value, 1e-10)
			numtest.Close(t, name+" se "+p.Name, large.Params[i].StdErr, p.StdErr/math.Sqrt(m), 1e-7)
		}
		numtest.Close(t, name+" loglik", large.LogLik, m*small.LogLik, 1e-12)
	}
}

func TestFitsOfOtherUnits(t *testing.T) {
	o := simulated(200, 5)
	scaled := Observations{make([]float64, 200), o.Censored}
	for i, x := range o.Durations {
		scaled.Durations[i] = x * 0x1p900
	}
	for name, fit := range fitters {
		a, err := fit(o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := fit(scaled)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range a.Params {
			want := p.Value
			switch p.Name {
			case "Scale":
				want *= 0x1p900
			case "Mu":
				want += 900 * math.Ln2
			}
			numtest.Close(t, name+" "+p.Name, b.Params[i].Value, want, 1e-10)
		}
	}
}

func BenchmarkFit(b *testing.B) {
	o := simulated(1_000_000, 1)
	for _, name := range []string{"exponential", "weibull", "lognormal", "gamma"} {
		b.Run(name+"/durations=1e6", func(b *testing.B) {
			for b.Loop() {
				f, err := fitters[name](o)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(f.Iterations), "iterations")
			}
		})
	}
}

func BenchmarkKaplanMeier(b *testing.B) {
	o := simulated(1_000_000, 1)
	b.Run("durations=1e6", func(b *testing.B) {
		for b.Loop() {
			if _, err := KaplanMeier(o, 0.95); err != nil {
				b.Fatal(err)
			}
		}
	})
}
