package queueing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// Whatever the arguments: an error or numbers in their range, never NaN.
func TestExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	wild := func() float64 { return math.Exp(r.NormFloat64() * 8) }
	law := func() Law {
		switch r.IntN(8) {
		case 0:
			return Exponential{wild()}
		case 1:
			return Deterministic{wild()}
		case 2:
			return ErlangK{wild(), 1 + r.IntN(60)}
		case 3:
			return Gamma{wild(), math.Exp(r.NormFloat64() * 3)}
		case 4:
			h, _ := BalancedHyperexponential(wild(), 1+math.Exp(r.NormFloat64()*3))
			return h
		case 5:
			return Lognormal{wild(), math.Exp(r.NormFloat64() * 2)}
		case 6:
			x := wild()
			return Empirical{Times: []float64{x, 2 * x, 5 * x}, Weights: []float64{r.Float64(), 0, 1}}
		}
		return Empirical{Times: []float64{1 + r.Float64(), 1 + r.Float64()}}
	}
	good := func(what any, f Figures, err error) {
		t.Helper()
		if err != nil {
			return
		}
		for _, p := range []float64{f.Blocking, f.WaitProbability, f.Utilization, f.Abandonment} {
			if !(p >= 0 && p <= 1+1e-12) {
				t.Errorf("%+v: a probability of %v: %+v", what, p, f)
			}
		}
		for _, x := range []float64{f.MeanWait, f.MeanResponse, f.MeanQueueLength, f.Throughput} {
			if !(x >= 0) || math.IsInf(x, 1) {
				t.Errorf("%+v: a mean of %v: %+v", what, x, f)
			}
		}
		for _, x := range []float64{0, f.MeanWait, 5 * f.MeanResponse} {
			if p := f.WaitTail(x); !(p >= -1e-9 && p <= 1+1e-9) {
				t.Errorf("%+v: P(W > %v) = %v", what, x, p)
			}
		}
		if x := f.WaitPercentile(.95); !(x >= 0) {
			t.Errorf("%+v: 95 %% wait no longer than %v", what, x)
		}
	}
	for range longtest.Of(25, 60) {
		l := law()
		m1, _, _ := l.Moments()
		rho := []float64{r.Float64(), math.Exp(-20 * r.Float64()), 1 - math.Exp(-20*r.Float64())}[r.IntN(3)]
		f, err := MG1{rho / m1, l}.Figures()
		if _, heavy := l.(Lognormal); heavy {
			f.law = nil // tested elsewhere; slow
		}
		good(fmt.Sprintf("M/G/1 rho %v %+v", rho, l), f.Figures, err)
		if rho < .999 {
			for d := FCFS; d <= FB; d++ {
				if v, err := (MG1{rho / m1, l}).MeanResponseUnder(d); err == nil && !(v >= m1*(1-1e-9)) {
					t.Errorf("%v rho %v %+v: mean response %v below the service %v", d, rho, l, v, m1)
				}
			}
		}
		f, err = GIM1{l, rho * m1}.Figures()
		good(fmt.Sprintf("GI/M/1 rho %v %+v", rho, l), f.Figures, err)
	}
	for range longtest.Of(400, 1000) {
		c := math.Ceil(math.Abs(r.NormFloat64()) * math.Pow(10, 4*r.Float64()))
		rate := c * []float64{r.Float64(), wild(), 1 - math.Exp(-30*r.Float64())}[r.IntN(3)]
		k := MMCK{rate, 1, int(math.Pow(10, 6*r.Float64()))}
		g, err := k.At(c)
		good(k, g, err)
		for _, m := range []GGCMethod{KingmanBound, KraemerLangenbachBelz, Whitt1993} {
			by := GGCBy{GGC{rate, 1, wild() - .1, wild() - .1}, m}
			g, err := by.At(c)
			good(by, g, err)
		}
		ps := PS{rate, 1, int(c)}
		g, err = ps.Figures()
		good(ps, g, err)
		fs := FiniteSource{r.IntN(2000), wild() - .01, wild(), 1 + r.IntN(500)}
		g, err = fs.Figures()
		good(fs, g, err)
	}
	for range longtest.Of(40, 100) {
		c := 1 + r.IntN(300)
		q := MDC{float64(c) * []float64{r.Float64(), math.Exp(-20 * r.Float64()), 1 - math.Exp(-16*r.Float64())}[r.IntN(3)], 1, c}
		f, err := q.Figures()
		good(q, f, err)
	}
}
