package queueing

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
)

func referenceGap(t *testing.T, r numtest.Row) Law {
	mean := 1 / (r.Float("rho") * r.Float("servers"))
	switch r.Text("law") {
	case "deterministic":
		return Deterministic{mean}
	case "erlang":
		return ErlangK{mean, int(r.Float("a"))}
	}
	h, err := BalancedHyperexponential(mean, r.Float("a"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestGIMCByReference(t *testing.T) {
	for file, tolerance := range map[string]float64{"testdata/gimc.csv": 1e-9, "testdata/gimclarge.csv": 1e-8} {
		for _, r := range numtest.Table(t, file) {
			f, err := GIMC{referenceGap(t, r), 1, int(r.Float("servers"))}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			at := fmt.Sprintf("%s:%d: ", file, r.Line)
			numtest.Close(t, at+"wait probability", f.WaitProbability, r.Float("wait_probability"), tolerance)
			numtest.Close(t, at+"mean wait", f.MeanWait, r.Float("wait_mean"), tolerance)
		}
	}
}

// Exponential gaps are Erlang C, one server is GI/M/1, also at saturation's
// edge.
func TestGIMCSpecialCases(t *testing.T) {
	h, err := BalancedHyperexponential(1, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, rho := range []float64{1e-3, 0.5, 0.99, 1 - 1e-6} {
		for _, c := range []int{1, 2, 30, 10000} {
			n := float64(c)
			exact, err := MMC{ArrivalRate: rho * n, ServiceTime: 1}.At(n)
			if err != nil {
				t.Fatal(err)
			}
			f, err := GIMC{Exponential{1 / (rho * n)}, 1, c}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			at := fmt.Sprintf("c = %d, rho = %v: ", c, rho)
			// The spare capacity is what is left of 1 after rounding.
			tolerance := 1e-10 + 1e-15/(1-rho)
			if exact.WaitProbability > 1e-290 {
				numtest.Close(t, at+"wait probability", f.WaitProbability, exact.WaitProbability, tolerance)
				numtest.Close(t, at+"mean wait", f.MeanWait, exact.MeanWait, tolerance)
			}
		}
		for _, gap := range []Law{Deterministic{1}, Gamma{1, 0.3}, h, Lognormal{1, 2}} {
			exact, err := GIM1{gap, rho}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			f, err := GIMC{gap, rho, 1}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			at := fmt.Sprintf("%T/M/1, rho = %v: ", gap, rho)
			if exact.WaitProbability > 1e-290 {
				numtest.Close(t, at+"wait probability", f.WaitProbability, exact.WaitProbability, 1e-6)
				numtest.Close(t, at+"percentile", f.WaitPercentile(0.9999), exact.WaitPercentile(0.9999), 1e-6)
			}
		}
	}
}

// Where c(1−σ) is a whole number one term of the sum is 0/0: the figures are
// those of a load next to it.
func TestGIMCRemovableSingularity(t *testing.T) {
	// M/M/4 at ρ = 1/2: c(1−σ) = 2.
	f, err := GIMC{Exponential{0.5}, 1, 4}.Figures()
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "P(W > 0)", f.WaitProbability, 4.0/23, 1e-12)
}

func TestGIMCRefuses(t *testing.T) {
	if _, err := (GIMC{Deterministic{0.5}, 1, 2}).Figures(); !errors.Is(err, ErrUnstable) {
		t.Errorf("saturated: %v", err)
	}
	var domain *DomainError
	for _, q := range []GIMC{{nil, 1, 1}, {Deterministic{1}, 1, 0}, {Deterministic{1}, 1, 1e6 + 1}, {Deterministic{1}, math.NaN(), 1}} {
		if _, err := q.Figures(); !errors.As(err, &domain) {
			t.Errorf("%v: %v", q, err)
		}
	}
	// So little load that a gap without a service never happens.
	if f, err := (GIMC{Deterministic{1000}, 1, 3}).Figures(); err != nil || f.WaitProbability > 1e-300 {
		t.Errorf("idle: %v, %v", f, err)
	}
}

// Takács' sum to its end is the same to the last digit: what is left out is below
// half a unit in the last place.
func TestTakacsStops(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	for range longtest.Of(60, 3000) {
		scv := []float64{0.001, 0.1, 0.5, 0.9, 1.2, 4, 30, 900}[r.IntN(8)]
		c := math.Ceil(math.Exp(r.Float64() * math.Log(5000)))
		rho := 1 - 0.999*math.Exp(-14*r.Float64())
		if r.IntN(4) == 0 {
			rho = r.Float64()
		}
		mean := 1 / (rho * c)
		gap, err := FittedLaw(mean, scv)
		if err != nil {
			t.Fatal(err)
		}
		rest := gim1Rest(gap, 1/c, 1-rho)
		got, want := takacs(gap, 1, c, mean, 1-rho, rest, whollySmall), takacs(gap, 1, c, mean, 1-rho, rest, 0)
		if got != want {
			t.Errorf("SCV %v, %v servers, utilization %v: P(W > 0) = %v, by the whole sum %v", scv, c, rho, got, want)
		}
	}
}
