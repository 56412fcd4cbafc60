package queueing

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestGIM1Reference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/gim1.csv") {
		f, err := GIM1{lawOf(t, r), r.Float("service")}.Figures()
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("line %d: ", r.Line)
		numtest.Close(t, at+"sigma", f.WaitProbability, r.Float("sigma"), 1e-11)
		numtest.Close(t, at+"mean wait", f.MeanWait, r.Float("wait_mean"), 1e-9)
		numtest.Close(t, at+"Little", f.MeanQueueLength, f.ArrivalRate*f.MeanWait, 1e-14)
	}
	// With Poisson arrivals it is M/M/1.
	f, err := GIM1{Exponential{1}, .7}.Figures()
	if err != nil {
		t.Fatal(err)
	}
	m, err := MG1{1, Exponential{.7}}.Figures()
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "variance of the wait", f.WaitVariance, m.WaitVariance, 1e-12)
	numtest.Close(t, "variance of the response", f.ResponseVariance, m.ResponseVariance, 1e-12)
	numtest.Close(t, "response percentile", f.ResponsePercentile(.9), m.ResponsePercentile(.9), 1e-8)
	for _, q := range []GIM1{{Deterministic{1}, 1}, {Exponential{1}, 2}} {
		if _, err := q.Figures(); !errors.Is(err, ErrUnstable) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	var domain *DomainError
	for _, q := range []GIM1{{nil, 1}, {Deterministic{1}, 0}, {Gamma{-1, 1}, 1}} {
		if _, err := q.Figures(); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

func TestMDCReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/mdc.csv") {
		f, err := MDC{r.Float("rate"), 1, int(r.Float("servers"))}.Figures()
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("line %d: ", r.Line)
		numtest.Close(t, at+"mean wait", f.MeanWait, r.Float("wait_mean"), 1e-9)
		numtest.Close(t, at+"wait probability", f.WaitProbability, r.Float("wait_probability"), 1e-9)
		x := f.WaitPercentile(.999)
		if got := f.ServiceLevel(x); math.Abs(got-.999) > 1e-10 {
			t.Errorf("%sP(W <= %v) = %v", at, x, got)
		}
		sum, h := 0.0, f.MeanWait/200
		for i := 0.5; i < 20000; i++ {
			sum += h * f.WaitTail(i*h)
		}
		numtest.Close(t, at+"mean by the tail", sum, f.MeanWait, 1e-3)
	}
	// One server, and all the way to saturation: E[W] = ρ/(2(1−ρ)).
	for _, rho := range []float64{.01, .3, .9, .999, 1 - 1e-7} {
		f, err := MDC{rho, 1, 1}.Figures()
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "M/D/1", f.MeanWait, rho/(2*(1-rho)), 1e-9)
	}
	if _, err := (MDC{5, 1, 5}).Figures(); !errors.Is(err, ErrUnstable) {
		t.Errorf("saturated: %v", err)
	}
	var domain *DomainError
	if _, err := (MDC{5, 1, 0}).Figures(); !errors.As(err, &domain) {
		t.Errorf("0 servers: %v", err)
	}
}

func TestGGCByReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/ggc.csv") {
		m := r.Float("servers")
		q := GGC{r.Float("rho") * m, 1, r.Float("va"), r.Float("vs")}
		at := fmt.Sprintf("line %d: ", r.Line)
		waits := map[GGCMethod]float64{}
		for method, column := range map[GGCMethod]string{KingmanBound: "kingman_wait", KraemerLangenbachBelz: "klb_wait", Whitt1993: "whitt_wait"} {
			f, err := GGCBy{q, method}.At(m)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, at+method.String(), f.MeanWait, r.Float(column), 1e-11)
			waits[method] = f.MeanWait
			if method == Whitt1993 {
				numtest.Close(t, at+"wait probability", f.WaitProbability, r.Float("whitt_probability"), 1e-10)
			}
		}
		if q.ArrivalSCV == 1 && q.ServiceSCV == 1 {
			exact, err := MMC{q.ArrivalRate, 1}.At(m)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, at+"M/M/c", waits[Whitt1993], exact.MeanWait, 1e-13)
			numtest.Close(t, at+"M/M/c", waits[KraemerLangenbachBelz], exact.MeanWait, 1e-13)
		}
		if waits[KingmanBound] < waits[Whitt1993]*(1-1e-12) {
			t.Errorf("%sKingman's bound %v below %v", at, waits[KingmanBound], waits[Whitt1993])
		}
	}
}

// The approximations against the exact models of this package.
func TestGGCByExact(t *testing.T) {
	for _, c := range []int{1, 2, 10, 50} {
		for _, rho := range []float64{.7, .9} {
			rate := rho * float64(c)
			exact, err := MDC{rate, 1, c}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			f, err := GGCBy{GGC{rate, 1, 1, 0}, Whitt1993}.At(float64(c))
			if err != nil {
				t.Fatal(err)
			}
			if c < 50 || rho > .8 { // deep in light traffic the wait is below 1e-4 services
				numtest.Close(t, fmt.Sprintf("M/D/%d at %v", c, rho), f.MeanWait, exact.MeanWait, .05)
			}
		}
	}
	for _, rho := range []float64{.5, .8, .95} {
		exact, err := GIM1{ErlangK{1, 2}, rho}.Figures()
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []GGCMethod{KraemerLangenbachBelz, Whitt1993} {
			f, err := GGCBy{GGC{1, rho, .5, 1}, method}.At(1)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, fmt.Sprintf("E2/M/1 at %v by %v", rho, method), f.MeanWait, exact.MeanWait, .1)
		}
		bound, err := GGCBy{GGC{1, rho, .5, 1}, KingmanBound}.At(1)
		if err != nil {
			t.Fatal(err)
		}
		if bound.MeanWait < exact.MeanWait || bound.Warning() == nil {
			t.Errorf("bound %v, exact %v", bound.MeanWait, exact.MeanWait)
		}
	}
	var domain *DomainError
	if _, err := (GGCBy{GGC{1, 1, -1, 1}, Whitt1993}).At(2); !errors.As(err, &domain) {
		t.Errorf("negative SCV: %v", err)
	}
	if _, err := (GGCBy{GGC{1, 1, 1, 1}, 9}).At(2); !errors.As(err, &domain) {
		t.Errorf("no such method: %v", err)
	}
	// It is a Model: the least servers for a mean wait.
	r, err := LeastServers(GGCBy{GGC{50, 1, .5, 2}, Whitt1993}, Objective{Metric: MeanWait, Limit: .01})
	if err != nil || r.Servers < 51 {
		t.Errorf("least servers %v, %v", r.Servers, err)
	}
}

func TestDisciplinesReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/disciplines.csv") {
		for d := FCFS; d <= FB; d++ {
			if d.String() != r.Text("discipline") {
				continue
			}
			got, err := MG1{r.Float("rate"), lawOf(t, r)}.MeanResponseUnder(d)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, fmt.Sprintf("line %d: %v", r.Line, d), got, r.Float("response"), 1e-6)
		}
	}
}

// Gamma sizes that are nearly alike, whose density is a product of powers of 1e9.
func TestDisciplinesNearlyAlike(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/disciplinesnear.csv") {
		for d := SJF; d <= FB; d++ {
			if d.String() != r.Text("discipline") {
				continue
			}
			got, err := MG1{r.Float("rate"), lawOf(t, r)}.MeanResponseUnder(d)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, fmt.Sprintf("line %d: %v", r.Line, d), got, r.Float("response"), 2e-10)
		}
	}
}

func TestDisciplinesLaws(t *testing.T) {
	for _, l := range []Law{Exponential{1}, Deterministic{1}, ErlangK{1, 4}, Gamma{1, 6}, Lognormal{1, 3}, Empirical{Times: []float64{.5, 1, 1.5}}} {
		for _, rho := range []float64{.3, .9, .9999} {
			q := MG1{rho, l}
			v := map[Discipline]float64{}
			for d := FCFS; d <= FB; d++ {
				x, err := q.MeanResponseUnder(d)
				if err != nil {
					t.Fatal(err)
				}
				v[d] = x
			}
			for d, x := range v {
				if v[SRPT] > x*(1+1e-9) {
					t.Errorf("%T rho %v: SRPT %v above %v %v", l, rho, v[SRPT], d, x)
				}
			}
			if v[SJF] > v[FCFS]*(1+1e-9) {
				t.Errorf("%T rho %v: SJF %v above FCFS %v", l, rho, v[SJF], v[FCFS])
			}
			if _, ok := l.(Exponential); ok {
				numtest.Close(t, "FB of exponential sizes is PS", v[FB], v[Sharing], 1e-8)
			}
		}
	}
	if _, err := (MG1{1, Exponential{1}}).MeanResponseUnder(SRPT); !errors.Is(err, ErrUnstable) {
		t.Errorf("saturated: %v", err)
	}
	if _, err := (MG1{.1, Exponential{1}}).MeanResponseUnder(77); err == nil {
		t.Error("no such discipline")
	}
}
