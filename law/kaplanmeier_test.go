package law

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
)

func TestKaplanMeier(t *testing.T) {
	sets := lifetimes(t)
	next := map[string]int{}
	for _, r := range numtest.Table(t, "testdata/kaplanmeier.csv") {
		name := r.Text("set")
		c, err := KaplanMeier(sets[name], 0.95)
		if err != nil {
			t.Fatal(err)
		}
		s := c.Steps[next[name]]
		next[name]++
		if s.AtRisk != int(r.Float("at_risk")) || s.Events != int(r.Float("events")) || s.Time != r.Float("time") {
			t.Fatalf("line %d: %+v", r.Line, s)
		}
		numtest.Close(t, "survival", s.Survival, r.Float("survival"), 1e-13)
		numtest.Close(t, "stderr", s.StdErr, r.Float("stderr"), 1e-12)
		numtest.Close(t, "lower", s.Lower, r.Float("lower"), 1e-12)
		numtest.Close(t, "upper", s.Upper, r.Float("upper"), 1e-12)
		numtest.Close(t, "cumulative hazard", s.CumHazard, r.Float("cum_hazard"), 1e-13)
		numtest.Close(t, "its error", s.CumStdErr, r.Float("cum_stderr"), 1e-13)
	}
	for name, n := range next {
		if c, _ := KaplanMeier(sets[name], 0.95); len(c.Steps) != n {
			t.Errorf("%s: %d steps, want %d", name, len(c.Steps), n)
		}
	}
}

// 6-MP: figures of Kalbfleisch & Prentice, Lawless and R's survfit.
func TestKaplanMeier6MP(t *testing.T) {
	c, err := KaplanMeier(lifetimes(t)["6mp"], 0.95)
	if err != nil {
		t.Fatal(err)
	}
	s := c.At(10)
	for _, v := range [][2]float64{{s.Survival, 0.752941}, {s.Lower, 0.503200}, {s.Upper, 0.889362}} {
		if math.Abs(v[0]-v[1]) > 5e-7 {
			t.Errorf("S(10): %.6f, want %.6f", v[0], v[1])
		}
	}
	if c.At(5.999) != (SurvivalStep{Survival: 1, Lower: 1, Upper: 1}) {
		t.Errorf("before the first failure: %+v", c.At(5.999))
	}
	m, err := c.Quantile(0.5)
	if err != nil || m.Time != 23 || !math.IsInf(m.Upper, 1) || m.Lower != 13 {
		t.Errorf("median %+v, %v, want 23 from 13 on", m, err)
	}
	_, err = c.Quantile(0.9)
	wantDomain(t, err, "p")
	_, err = c.Quantile(0)
	wantDomain(t, err, "p")
	mean, err := c.RestrictedMean(100)
	if err != nil || mean.Until != 35 {
		t.Errorf("%+v, %v", mean, err)
	}
	// By hand: 6 + 1·18/21·1 + ...
	want, last, surv := 0.0, 0.0, 1.0
	for _, s := range c.Steps {
		want += surv * (s.Time - last)
		last, surv = s.Time, s.Survival
	}
	want += surv * (35 - last)
	numtest.Close(t, "restricted mean", mean.Mean, want, 1e-14)
	if math.Abs(mean.Mean-23.287) > 1e-3 || math.Abs(mean.StdErr-2.827) > 2e-3 {
		t.Errorf("restricted mean %+v, want 23.287 ± 2.827", mean)
	}
	_, err = c.RestrictedMean(0)
	wantDomain(t, err, "until")
}

func TestKaplanMeierLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "n")
		o := Observations{make([]float64, n), make([]bool, n)}
		censored := rapid.Bool().Draw(t, "some censored")
		for i := range n {
			o.Durations[i] = float64(rapid.IntRange(0, 12).Draw(t, "t"))
			o.Censored[i] = censored && rapid.Bool().Draw(t, "c")
		}
		c, err := KaplanMeier(o, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		before := SurvivalStep{Survival: 1, Lower: 1, Upper: 1}
		for _, s := range c.Steps {
			if s.Survival >= before.Survival || s.Lower > s.Survival || s.Upper < s.Survival || s.Upper > 1 || s.Lower < 0 ||
				s.CumHazard < -math.Log(math.Max(before.Survival, 1e-300))*0.1 || math.IsNaN(s.StdErr) {
				t.Fatalf("%+v after %+v", s, before)
			}
			if !censored { // the empirical survival
				alive := 0
				for _, d := range o.Durations {
					if d > s.Time {
						alive++
					}
				}
				if math.Abs(s.Survival-float64(alive)/float64(n)) > 1e-12 {
					t.Fatalf("uncensored: %+v, %d of %d alive", s, alive, n)
				}
			}
			before = s
		}
		if !censored && c.Last > 0 {
			m, err := c.RestrictedMean(1000)
			sum := 0.0
			for _, d := range o.Durations {
				sum += d
			}
			if err != nil || math.Abs(m.Mean-sum/float64(n)) > 1e-9 {
				t.Fatalf("uncensored mean %+v, %v, want %v", m, err, sum/float64(n))
			}
		}
	})
	_, err := KaplanMeier(Observations{[]float64{1}, nil}, 1)
	wantDomain(t, err, "level")
	_, err = KaplanMeier(Observations{[]float64{-1}, nil}, 0.9)
	wantDomain(t, err, "Durations[0]")
	none, err := KaplanMeier(Observations{[]float64{1, 2}, []bool{true, true}}, 0.9)
	if err != nil || len(none.Steps) != 0 || none.At(5).Survival != 1 || none.Last != 2 {
		t.Errorf("all censored: %+v, %v", none, err)
	}
}

func ExampleKaplanMeier() {
	o := Observations{
		Durations: []float64{6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35},
		Censored: []bool{false, false, false, true, false, true, false, true, true, false, false, true, true, true,
			false, false, true, true, true, true, true},
	}
	c, err := KaplanMeier(o, 0.95)
	s := c.At(10)
	fmt.Printf("S(10) = %.6f, %.6f to %.6f, %v\n", s.Survival, s.Lower, s.Upper, err)
	f, err := FitWeibull(o)
	fmt.Printf("Weibull shape %.6f, scale %.6f, %v\n", f.Params[0].Value, f.Params[1].Value, err)
	// Output:
	// S(10) = 0.752941, 0.503200 to 0.889362, <nil>
	// Weibull shape 1.353735, scale 33.765151, <nil>
}
