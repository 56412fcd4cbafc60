package queueing

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
)

// lawOf reads the law of a table row.
func lawOf(t *testing.T, r numtest.Row) Law {
	t.Helper()
	a, b := r.Float("a"), r.Float("b")
	switch name := r.Text("law"); name {
	case "exponential":
		return Exponential{a}
	case "deterministic":
		return Deterministic{a}
	case "erlang":
		return ErlangK{a, int(b)}
	case "gamma":
		return Gamma{a, b}
	case "lognormal":
		return Lognormal{a, b}
	case "hyper":
		return Hyperexponential{[]float64{18. / 19, 1. / 19}, []float64{a, b}}
	case "two", "offlattice":
		return Empirical{Times: []float64{b, a}}
	default:
		t.Fatalf("line %d: no law %q", r.Line, name)
		return nil
	}
}

func TestMG1Reference(t *testing.T) {
	worst := map[string]float64{}
	known := map[string]DelayFigures{}
	for _, r := range numtest.Table(t, "testdata/mg1.csv") {
		key := r.Text("law") + r.Text("a") + "/" + r.Text("b") + "/" + r.Text("rate")
		f, ok := known[key]
		if !ok {
			var err error
			if f, err = (MG1{r.Float("rate"), lawOf(t, r)}).Figures(); err != nil {
				t.Fatal(err)
			}
			known[key] = f
		}
		x := r.Float("t")
		for _, v := range []struct {
			what      string
			got, want float64
		}{
			{"wait", f.WaitTail(x), r.Float("wait_tail")},
			{"response", f.ResponseTail(x), r.Float("response_tail")},
		} {
			e := math.Abs(v.got-v.want) / v.want
			if !(e <= 2e-11) {
				t.Errorf("line %d: %s rate %v t %v: P(%s > t) = %.12g, want %.12g", r.Line, r.Text("law"), r.Text("rate"), x, v.what, v.got, v.want)
			}
			worst[r.Text("law")] = math.Max(worst[r.Text("law")], e)
		}
	}
	t.Logf("greatest error of a tail, relative: %v", worst)
}

// The far tails under lognormal service.
func TestMG1Lognormal(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/mg1lognormal.csv") {
		f, err := MG1{r.Float("rate"), Lognormal{1, r.Float("scv")}}.Figures()
		if err != nil {
			t.Fatal(err)
		}
		x := r.Float("t")
		numtest.Close(t, fmt.Sprintf("line %d: wait", r.Line), f.WaitTail(x), r.Float("wait_tail"), 2e-12)
		numtest.Close(t, fmt.Sprintf("line %d: response", r.Line), f.ResponseTail(x), r.Float("response_tail"), 2e-12)
	}
}

// Times far apart without a common unit, and more of them than fit a lattice:
// the mean by integrating the tail is Pollaczek and Khinchine's.
func TestMG1EmpiricalFarApart(t *testing.T) {
	many, values := Empirical{}, longtest.Of(100, 300)
	for i := range values {
		many.Times = append(many.Times, math.Exp(2*mathext.NormalQuantile((float64(i)+.5)/float64(values))))
	}
	for _, l := range []Empirical{{Times: []float64{1, 1e5}}, {Times: []float64{.231, 12.7, 3600.2}}, {Times: []float64{1e-300, 1}}, many} {
		m1, _, _ := l.Moments()
		for _, rho := range longtest.Of([]float64{.7}, []float64{.01, .7}) {
			f, err := MG1{rho / m1, l}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			// Simpson's rule between the times, where the tail is smooth.
			sum, h, last := 0., f.MeanWait/100, 1.
			if h > m1/100 {
				h = m1 / 100
			}
			for x := 0.; ; x += h {
				p := f.WaitTail(x)
				if !(p >= 0 && p <= last) {
					t.Fatalf("%v: P(W > %v) = %v after %v", rho, x, p, last)
				}
				if p < 1e-7*rho {
					break
				}
				sum += h * p
				last = p
				if x > f.MeanWait {
					h = math.Min(f.MeanWait, m1) / 10
				}
			}
			numtest.Close(t, fmt.Sprintf("%v values at %v: mean by the tail", len(l.Times), rho), sum, f.MeanWait, 3e-2)
		}
	}
}

// Laws near a constant behave as the constant does.
func TestMG1NearlyConstant(t *testing.T) {
	for _, rho := range []float64{.1, .8} {
		exact, err := MG1{rho, Deterministic{1}}.Figures()
		if err != nil {
			t.Fatal(err)
		}
		for _, scv := range []float64{1e-9, 1e-12, 1e-19, 1e-21, 1e-300} {
			for _, l := range []Law{Lognormal{1, scv}, Gamma{1, scv}} {
				f, err := MG1{rho, l}.Figures()
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range []float64{.3, 1.5, 4.25} {
					numtest.Close(t, fmt.Sprintf("%T %v: P(W > %v)", l, scv, x), f.WaitTail(x), exact.WaitTail(x), 40*scv+1e-11)
				}
				numtest.Close(t, "percentile", f.WaitPercentile(.999), exact.WaitPercentile(.999), 40*scv+1e-11)
			}
		}
	}
}

// Sizes that differ ever less are still served by their order: at ρ = ½ the
// formulas with ρ(x) = ρu over the rank u give, with E[S] = 1, SJF
// 1 + ¼∫(1−u/2)⁻²du = 3/2 and preemptive SJF ∫ ¼u(1−u/2)⁻² + (1−u/2)⁻¹ du =
// 1 + ln 2.
func TestMG1DisciplinesNearlyConstant(t *testing.T) {
	for _, scv := range []float64{1e-8, 2e-10, 0.9e-10, 1e-11, 1e-14, 1e-300} {
		for _, l := range []Law{Lognormal{1, scv}, Gamma{1, scv}} {
			for d, want := range map[Discipline]float64{SJF: 1.5, PSJF: 1 + math.Ln2, SRPT: 1.5, FB: 3} {
				got, err := MG1{.5, l}.MeanResponseUnder(d)
				if err != nil {
					t.Fatal(err)
				}
				numtest.Close(t, fmt.Sprintf("%T %v %v", l, scv, d), got, want, 3e-6+3*math.Sqrt(scv))
			}
		}
	}
}

func TestMG1Laws(t *testing.T) {
	bal, err := BalancedHyperexponential(2, 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []Law{Exponential{2}, Deterministic{2}, ErlangK{2, 7}, Gamma{2, 3}, bal, Lognormal{2, 1.5}, Lognormal{2, 0.05},
		Empirical{Times: []float64{1, 3, 2}}, Empirical{Times: []float64{1, 2, 5}, Weights: []float64{3, 0, 1}}} {
		m1, m2, _ := l.Moments()
		for _, s := range []float64{1e-9, 1e-3, 0.3, 2, 50} {
			// Two routes to one transform.
			a, b := real(l.Transform(complex(s, 0))), real(transform(l, complex(s, 0)))
			if math.Abs(a-b) > 1e-13 {
				t.Errorf("%T: transform at %v: %v and %v", l, s, a, b)
			}
		}
		// 1 − φₑ(s) ~ s·E[S²]/(2E[S]).
		numtest.Close(t, fmt.Sprintf("%T residual near 0", l), real(l.residual(1e-9))/1e-9, m2/(2*m1), 1e-7)
		all := l.above(0)
		numtest.Close(t, "E[S; S > 0]", all[1], m1, 1e-12)
		numtest.Close(t, "E[S²; S > 0]", all[2], m2, 1e-12)
		for _, rho := range []float64{0.2, 0.85} {
			f, err := MG1{rho / m1, l}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			last := 1.0
			for x := 0.0; x < 40; x += 3.7 {
				w, r := f.WaitTail(x), f.ResponseTail(x)
				if w > last+1e-9 || r < w-1e-9 {
					t.Errorf("%T rho %v: tail(%v) = %v after %v; response %v", l, rho, x, w, last, r)
				}
				last = w
			}
			for _, p := range []float64{0.5, 0.9, 0.999} {
				x := f.WaitPercentile(p)
				if got := f.ServiceLevel(x); got < p-1e-9 || x > 0 && math.Abs(got-p) > 1e-8 {
					t.Errorf("%T rho %v: P(W <= %v) = %v, want %v", l, rho, x, got, p)
				}
				if y := f.ResponsePercentile(p); f.ResponseTail(y) > 1-p+1e-9 || y < x {
					t.Errorf("%T rho %v: response percentile %v of %v", l, rho, y, p)
				}
			}
			numtest.Close(t, "Little", f.MeanQueueLength, f.ArrivalRate*f.MeanWait, 1e-14)
			// The mean by integrating the tail that was inverted.
			if _, heavy := l.(Lognormal); !heavy {
				sum, square, h := 0.0, 0.0, f.MeanWait/20
				for i := 0.5; i < 3000 && f.WaitTail(i*h) > 1e-6; i++ {
					p := f.WaitTail(i * h)
					sum += h * p
					square += 2 * i * h * h * p
				}
				numtest.Close(t, fmt.Sprintf("%T rho %v variance by the tail", l, rho), square-sum*sum, f.WaitVariance, 2e-2)
				numtest.Close(t, fmt.Sprintf("%T rho %v mean by the tail", l, rho), sum, f.MeanWait, 4e-3)
			}
		}
	}
}

func TestMG1Errors(t *testing.T) {
	for _, q := range []MG1{{-1, Exponential{1}}, {1, nil}, {1, Exponential{0}}, {1, Gamma{1, -2}}, {1, ErlangK{1, 0}}, {1, Lognormal{1, math.NaN()}},
		{1, Hyperexponential{[]float64{.5, .6}, []float64{1, 1}}}, {1, Hyperexponential{}}, {1, Empirical{}}, {1, Empirical{Times: []float64{-1}}},
		{1, Empirical{Times: []float64{1, 2}, Weights: []float64{1}}}, {1, Empirical{Times: []float64{1}, Weights: []float64{0}}}, {math.Inf(1), Exponential{1}}} {
		var domain *DomainError
		if _, err := q.Figures(); !errors.As(err, &domain) {
			t.Errorf("%+v: error %v, want a *DomainError", q, err)
		}
	}
	for _, rate := range []float64{1, 1.5} {
		var unstable *UnstableError
		if _, err := (MG1{rate, Deterministic{1}}).Figures(); !errors.As(err, &unstable) || !errors.Is(err, ErrUnstable) || unstable.Utilization != rate {
			t.Errorf("rate %v: error %v, want ErrUnstable", rate, err)
		}
	}
	f, err := MG1{0, Deterministic{1}}.Figures()
	if err != nil || f.WaitTail(0) != 0 || f.MeanResponse != 1 {
		t.Errorf("no arrivals: %+v, %v", f, err)
	}
	if _, err := BalancedHyperexponential(1, 0.5); err == nil {
		t.Error("SCV 0.5 accepted for a hyperexponential law")
	}
}

// M/M/1: both times have closed variances.
func TestMG1Variance(t *testing.T) {
	for _, rho := range []float64{.1, .9, 1 - 1e-7} {
		f, err := MG1{rho, Exponential{1}}.Figures()
		if err != nil {
			t.Fatal(err)
		}
		gap := 1 - rho
		numtest.Close(t, "wait", f.WaitVariance, rho*(2-rho)/(gap*gap), 1e-12)
		numtest.Close(t, "response", f.ResponseVariance, 1/(gap*gap), 1e-12)
	}
}

func ExampleMG1() {
	f, err := MG1{ArrivalRate: 0.8, Service: Deterministic{Time: 1}}.Figures()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean wait %.3f s, 99 %% wait no longer than %.3f s\n", f.MeanWait, f.WaitPercentile(0.99))
	// Output: mean wait 2.000 s, 99 % wait no longer than 10.356 s
}

// transform is Transform by way of residual: 1 − s·E[X]·(1 − residual).
func transform(l Law, s complex128) complex128 {
	m1, _, _ := l.Moments()
	return 1 - s*complex(m1, 0)*(1-l.residual(s))
}
