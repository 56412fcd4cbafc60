package law

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
)

// Two laws with a closed form of another kind: all mass between 1 and e is
// log-uniform, of mean e − 1 and second moment (e² − 1)/2.
func TestLogLinearOfOneSegmentIsLogUniform(t *testing.T) {
	l, err := NewLogLinear([]float64{0, 1}, []float64{1, math.E})
	if err != nil {
		t.Fatal(err)
	}
	m := math.E - 1
	numtest.Close(t, "mean", l.Mean(), m, 1e-14)
	numtest.Close(t, "SCV", l.SCV(), (math.E*math.E-1)/2/(m*m)-1, 1e-12)
	numtest.Close(t, "survival at √e", Survival(l, math.Sqrt(math.E)), 0.5, 1e-14)
	numtest.Close(t, "density at 2", math.Exp(l.LogDensity(2)), 0.5, 1e-14)
}

// Knots that lie one rounding apart have no logarithm to divide by.
func TestLogLinearMeanOfKnotsThatMeet(t *testing.T) {
	for _, last := range []float64{26562, math.Nextafter(26562, math.Inf(1)), 26562.0000001} {
		l, err := NewLogLinear([]float64{0, 0.5, 1}, []float64{26562, 26562, last})
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "mean", l.Mean(), 26562, 1e-9)
	}
}

func drawLogLinear(t *rapid.T) LogLinear {
	n := rapid.IntRange(1, 5).Draw(t, "segments")
	p, x := []float64{0}, []float64{math.Exp(rapid.Float64Range(-2, 2).Draw(t, "least"))}
	for i := range n {
		p = append(p, p[i]+rapid.Float64Range(0.05, 1).Draw(t, "share"))
		x = append(x, x[i]*math.Exp(rapid.Float64Range(0.01, 3).Draw(t, "step")))
	}
	for i := range p {
		p[i] /= p[n]
	}
	l, err := NewLogLinear(p, x)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLogLinearLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLogLinear(t)
		for i, p := range l.P[:len(l.P)-1] {
			if x, err := l.Quantile(p); err != nil || math.Abs(x/l.T[i]-1) > 1e-12 {
				t.Fatalf("%v: knot %d is %v, %v", l, i, x, err)
			}
		}
		p := rapid.Float64Range(0, 0.999).Draw(t, "p")
		x, err := l.Quantile(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := -math.Expm1(l.LogSurvival(x)); math.Abs(got-p) > 1e-9 {
			t.Fatalf("%v: quantile %v of %v has probability %v", l, x, p, got)
		}
		// The mean is the integral of the quantile function.
		mean := 0.0
		for i := range len(l.P) - 1 {
			mean += quad.Fixed(func(u float64) float64 { q, _ := l.Quantile(u); return q }, l.P[i], l.P[i+1], 30, nil, 0)
		}
		if math.Abs(mean/l.Mean()-1) > 1e-9 {
			t.Fatalf("%v: mean %v, by integration %v", l, l.Mean(), mean)
		}
	})
}

// The equilibrium law is the integral of the survival over the mean, and its
// draws are a share of a length-biased interval.
func TestEquilibrium(t *testing.T) {
	logLinear, err := NewLogLinear([]float64{0, 0.25, 0.5, 0.75, 0.99, 1}, []float64{1, 2, 5, 9, 40, 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []Law{Exponential{3}, Weibull{0.6, 2}, Weibull{2, 5}, LogNormal{0.4, 0.9}, Gamma{0.5, 4}, Gamma{3, 2}, logLinear} {
		for _, x := range []float64{0.3, 2, 7, 30} {
			want := 0.0
			for i := range 60 { // by substitution t = x v³, gentle at 0
				f := func(v float64) float64 { return Survival(l, x*v*v*v) * 3 * x * v * v }
				want += quad.Fixed(f, float64(i)/60, float64(i+1)/60, 8, nil, 0)
			}
			numtest.Close(t, l.Name(), Equilibrium(l, x), want/l.Mean(), 1e-6)
		}
		r := rand.New(rand.NewPCG(1, 2))
		const n, at = 8000, 4.0
		below := 0.0
		for range n {
			x, err := LengthBiasedQuantile(l, r.Float64())
			if err != nil {
				t.Fatal(err)
			}
			if r.Float64()*x <= at {
				below++
			}
		}
		p := Equilibrium(l, at)
		if z := (below/n - p) / math.Sqrt(p*(1-p)/n); math.Abs(z) > 4 {
			t.Errorf("%s: %v of the draws are at most %v, want %v: %.1f standard errors", l.Name(), below/n, at, p, z)
		}
	}
}

func TestLogLinearRefusesKnots(t *testing.T) {
	for _, k := range [][2][]float64{
		{{0}, {1}},
		{{0, 1}, {1}},
		{{0.1, 1}, {1, 2}},
		{{0, 0.9}, {1, 2}},
		{{0, 0.5, 0.5, 1}, {1, 2, 3, 4}},
		{{0, 1}, {2, 1}},
		{{0, 1}, {0, 1}},
		{{0, 1}, {1, math.Inf(1)}},
		{{0, 1}, {1, math.NaN()}},
	} {
		var domain *DomainError
		if _, err := NewLogLinear(k[0], k[1]); !errors.As(err, &domain) {
			t.Errorf("%v: error %v", k, err)
		}
	}
	var none LogLinear
	if _, err := none.Quantile(0.5); err == nil || !math.IsNaN(none.Mean()) || !math.IsNaN(none.LogSurvival(1)) {
		t.Error("a law without knots answers")
	}
}
