package joblog

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/internal/source"
)

// refSamples reads the samples that testdata/laws.py fitted.
func refSamples(t testing.TB) map[string][]float64 {
	t.Helper()
	m := make(map[string][]float64)
	for _, r := range numtest.Table(t, "testdata/samples.csv") {
		m[r.Text("sample")] = append(m[r.Text("sample")], r.Float("value"))
	}
	return m
}

func toSizes(x []float64) []int {
	s := make([]int, len(x))
	for i, v := range x {
		s[i] = int(v)
	}
	return s
}

func TestContinuousFitsReference(t *testing.T) {
	samples := refSamples(t)
	seen := map[string]int{}
	for _, r := range numtest.Table(t, "testdata/laws.csv") {
		kind, name := r.Text("law"), r.Text("sample")
		x := samples[name]
		// "near" has a spread of 1e-5: its logarithms hold 11 of 16 digits.
		tol := 1e-10
		if name == "near" {
			tol = 1e-5
		}
		var got [6]float64
		var ks float64
		switch kind {
		case "weibull":
			f, err := FitWeibull(x)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, ks = [6]float64{f.Scale, f.Shape, f.ScaleSE, f.ShapeSE, f.LogLikelihood, f.LawMean}, f.KS
			numtest.Close(t, "AIC", f.AIC, 4-2*f.LogLikelihood, 1e-15)
		case "lognormal":
			f, err := FitLogNormal(x)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, ks = [6]float64{f.A, f.B, f.ASE, f.BSE, f.LogLikelihood, f.LawMean}, f.KS
		case "exponential":
			f, err := FitExponential(x)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, ks = [6]float64{f.Mean, 0, f.MeanSE, 0, f.LogLikelihood, f.Mean}, f.KS
			numtest.Close(t, "AIC", f.AIC, 2-2*f.LogLikelihood, 1e-15)
		}
		for i, c := range []string{"p1", "p2", "se1", "se2", "log_likelihood", "mean"} {
			numtest.Close(t, kind+" "+name+" "+c, got[i], r.Float(c), tol)
		}
		numtest.Close(t, kind+" "+name+" ks", ks, r.Float("ks"), max(tol, 1e-9))
		seen[kind]++
	}
	if seen["weibull"] < 5 || seen["lognormal"] < 5 || seen["exponential"] < 5 {
		t.Errorf("rows per law: %v", seen)
	}
}

// Scaling the data scales the Weibull scale and leaves the shape; it shifts a
// and leaves b.
func TestFitsScale(t *testing.T) {
	x := refSamples(t)["bursty"]
	w, _ := FitWeibull(x)
	l, _ := FitLogNormal(x)
	for _, c := range []float64{1e-6, 60, 1e9} {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = c * x[i]
		}
		wc, err := FitWeibull(y)
		if err != nil {
			t.Fatal(err)
		}
		lc, err := FitLogNormal(y)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "scale", wc.Scale, c*w.Scale, 1e-11)
		numtest.Close(t, "shape", wc.Shape, w.Shape, 1e-11)
		numtest.Close(t, "a", lc.A, l.A+math.Log(c), 1e-11)
		numtest.Close(t, "b", lc.B, l.B, 1e-11)
	}
}

func TestFitsRefuse(t *testing.T) {
	fits := map[string]func([]float64) error{
		"Weibull":     func(x []float64) error { _, err := FitWeibull(x); return err },
		"LogNormal":   func(x []float64) error { _, err := FitLogNormal(x); return err },
		"Exponential": func(x []float64) error { _, err := FitExponential(x); return err },
	}
	for name, fit := range fits {
		for _, x := range [][]float64{nil, {1}} {
			if err := fit(x); !errors.Is(err, ErrTooFew) {
				t.Errorf("%s(%v): %v, want ErrTooFew", name, x, err)
			}
		}
		for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			var d *source.DomainError
			if err := fit([]float64{1, bad}); !errors.As(err, &d) || d.Arg != "x[1]" {
				t.Errorf("%s(1, %v): %v, want a DomainError of x[1]", name, bad, err)
			}
		}
		if name == "Exponential" {
			continue
		}
		if err := fit([]float64{7, 7, 7}); !errors.Is(err, ErrDegenerate) {
			t.Errorf("%s of equal values: %v, want ErrDegenerate", name, err)
		}
		if err := fit([]float64{1e-300, 1e300}); !errors.Is(err, ErrDegenerate) {
			t.Errorf("%s over 600 decades: %v, want ErrDegenerate", name, err)
		}
	}
}

// No fit gives NaN or an infinity, whatever positive values come in.
func FuzzFits(f *testing.F) {
	f.Add(uint64(1), 5, 0.0)
	f.Add(uint64(2), 2, 300.0)
	f.Add(uint64(3), 50, 1e-9)
	f.Fuzz(func(t *testing.T, seed uint64, n int, spread float64) {
		if n < 2 || n > 200 || !(spread >= 0 && spread < 700) {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		x := make([]float64, n)
		for i := range x {
			x[i] = max(math.Exp(spread*(rng.Float64()-0.5)), math.SmallestNonzeroFloat64)
		}
		if w, err := FitWeibull(x); err == nil &&
			!finite(w.Scale, w.Shape, w.ScaleSE, w.ShapeSE, w.LawMean, w.LawSCV, w.LogLikelihood, w.AIC, w.KS) {
			t.Errorf("Weibull of %v: %+v", x, w)
		}
		if l, err := FitLogNormal(x); err == nil && !finite(l.A, l.B, l.LawMean, l.LawSCV, l.LogLikelihood, l.KS) {
			t.Errorf("lognormal of %v: %+v", x, l)
		}
		if e, err := FitExponential(x); err == nil && !finite(e.Mean, e.LogLikelihood, e.KS) {
			t.Errorf("exponential of %v: %+v", x, e)
		}
	})
}

func TestResolution(t *testing.T) {
	minutes := make([]float64, 150)
	for i := range minutes {
		minutes[i] = 60 * float64(i%7)
	}
	for _, c := range []struct {
		name  string
		times []float64
		want  float64
	}{
		{"none", nil, 1},
		{"zeros", []float64{0, 0}, 1},
		{"seconds", []float64{0, 3, 7}, 1},
		{"few with a common divisor", []float64{0, 100, 200}, 1},
		{"minutes", minutes, 60},
		{"decimals", []float64{0, 0.25, 3.5}, 0.25},
	} {
		if got := Resolution(c.times); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestFitLawsLiftsZeros(t *testing.T) {
	s := Samples{Gaps: []float64{0, 3, 1, 0, 8}, Runs: []float64{5, 0, 9}, Sizes: []int{1, 2, 4}}
	l, err := FitLaws(s)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := FitWeibull([]float64{0.5, 3, 1, 0.5, 8})
	numtest.Close(t, "shape", l.Gaps.Shape, want.Shape, 1e-13)
	if l.ZeroGaps != 2 || l.ZeroRuns != 1 || l.GapTick != 1 || len(l.Warnings) != 2 {
		t.Errorf("zeros %d and %d, tick %v, warnings %q", l.ZeroGaps, l.ZeroRuns, l.GapTick, l.Warnings)
	}
	if s.Gaps[0] != 0 || s.Gaps[1] != 3 {
		t.Errorf("samples were changed: %v", s.Gaps)
	}
	l, err = FitLaws(Samples{Gaps: []float64{5, 5, 5}, Runs: []float64{1, 2}, Sizes: []int{1, 1}})
	if err != nil || l.Gaps != nil || l.GapsExponential == nil || l.Runs == nil || l.Sizes.Parallel != nil || len(l.Warnings) != 2 {
		t.Errorf("equal gaps, serial jobs: %+v, %v", l, err)
	}
	var d *source.DomainError
	if _, err := FitLaws(Samples{Gaps: []float64{1, math.NaN()}}); !errors.As(err, &d) {
		t.Errorf("NaN gap: %v, want a DomainError", err)
	}
}

// What is not fitted is said in words of the reader, without the function that found it.
func TestFitLawsSaysWhatIsMissing(t *testing.T) {
	l, err := FitLaws(Samples{Gaps: []float64{7, 7, 7}, Runs: []float64{5}, Sizes: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range l.Warnings {
		if strings.Contains(w, "Fit") {
			t.Error(w)
		}
	}
	if !slices.Contains(l.Warnings, "no Weibull law of gaps: all values are equal") {
		t.Errorf("%q", l.Warnings)
	}
}
