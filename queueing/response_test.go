package queueing

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// Shares of late responses against matrix-analytic chains, convolutions and
// inverted transforms of testdata/response.py.
func TestResponseLate(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/response.csv") {
		servers, at := r.Float("servers"), r.Float("t")
		of := map[string]ServiceLevelOf{"offered": Offered, "served": Served}[r.Text("of")]
		var m Model = GIGC{GGC{r.Float("rate"), r.Float("service_time"), 1, r.Float("service_scv")}}
		if r.Text("model") == "abandon" {
			m = ErlangA{ArrivalRate: r.Float("rate"), ServiceTime: r.Float("service_time"), Patience: r.Float("patience")}
		}
		for _, unit := range []float64{1, 60} {
			f, err := m.At(servers)
			if err != nil {
				t.Fatal(err)
			}
			share, ok := f.InUnits(unit).ResponseLate(of, at*unit)
			if !ok {
				t.Fatal("no law of responses")
			}
			numtest.Close(t, "share", share, r.Float("share"), r.Float("tolerance"))
			if p := 1 - share; p > 1e-9 && p < 1-1e-9 {
				back, ok := f.InUnits(unit).ResponsePercentile(of, p)
				if !ok {
					t.Fatal("no percentile")
				}
				numtest.Close(t, "percentile", back, at*unit, 1e-7)
			}
		}
	}
}

// The convolution by panels agrees with one by many midpoints, and the
// response that no wait delays is the service.
func TestResponseByPanels(t *testing.T) {
	for _, scv := range []float64{0, 0.02, 0.3, 0.7, 4} {
		for _, load := range []float64{0.5, 4, 4.9} {
			f, err := GIGC{GGC{load, 1, 0.5, scv}}.At(5)
			if err != nil {
				t.Fatal(err)
			}
			service, err := FittedLaw(1, scv)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range []float64{0.3, 1.1, 2.5, 9} {
				want := service.above(at)[0]
				const n = 50_000
				if scv == 0 {
					if at > 1 {
						want += f.WaitTail(at - 1)
					}
				} else {
					for i := range n {
						s := (float64(i) + 0.5) / n * at
						want += f.WaitTail(at-s) * service.density(s) * at / n
					}
				}
				got, ok := f.ResponseLate(Offered, at)
				if !ok {
					t.Fatal("no law of responses")
				}
				if math.Abs(got-want) > 1e-6*want {
					t.Errorf("SCV %v, load %v, t = %v: %v, want %v", scv, load, at, got, want)
				}
			}
		}
	}
	f, err := MMC{1e-9, 1}.At(50)
	if err != nil {
		t.Fatal(err)
	}
	share, _ := f.ResponseLate(Offered, 3)
	numtest.Close(t, "service alone", share, math.Exp(-3), 1e-12)
	if _, ok := (Figures{}).ResponseLate(Offered, 1); ok {
		t.Error("figures without laws have a law of responses")
	}
}

// The least fleet for a percentile of responses meets it, and one server fewer
// does not; what the service alone exceeds no fleet meets.
func TestLeastServersForResponses(t *testing.T) {
	for name, m := range map[string]Model{
		"M/M/c":     MMC{20, 0.5},
		"G/G/c":     GIGC{GGC{20, 0.5, 2, 0.5}},
		"hyper":     GIGC{GGC{20, 0.5, 1, 3}},
		"M/G/1":     GIGC{GGC{0.5, 0.5, 1, 0.5}},
		"M/M/n+M":   ErlangA{ArrivalRate: 20, ServiceTime: 0.5, Patience: 2},
		"in units":  InUnits{MMC{10, 1}, 0.5},
		"many":      MMC{1e6, 1},
		"constants": GIGC{GGC{20, 0.5, 1, 0}},
	} {
		for _, limit := range []float64{0.05, 0.01} {
			// What the service alone leaves over is a fifth of the limit.
			f, err := m.At(2*m.Floor() + 100)
			if err != nil {
				t.Fatal(name, err)
			}
			at, _ := f.ResponsePercentile(Offered, 1-limit/5)
			o := Objective{Metric: ResponseShare, Limit: limit, Wait: at}
			r, err := LeastServers(m, o)
			if err != nil {
				t.Errorf("%s, %v: %v", name, o, err)
				continue
			}
			if !o.Met(r.Figures) {
				t.Errorf("%s, %v: %v servers do not meet it", name, o, r.Servers)
			}
			if fewer, err := m.At(r.Servers - 1); err == nil && o.Met(fewer) {
				t.Errorf("%s, %v: %v servers meet it too", name, o, r.Servers-1)
			}
			var none *InfeasibleError
			short := Objective{Metric: ResponseShare, Limit: limit / 20, Wait: at * 0.7}
			if _, err := LeastServers(m, short); !errors.As(err, &none) {
				t.Errorf("%s, %v: %v, want an InfeasibleError", name, short, err)
			}
		}
	}
	var domain *DomainError
	if _, err := LeastServers(Loss{1, 1}, Objective{Metric: ResponseShare, Limit: 0.1, Wait: 1}); !errors.As(err, &domain) {
		t.Errorf("a loss system: %v", err)
	}
}

// A longer service may fail an objective that a shorter one meets: the greatest
// service time under a mean response below the first one tried.
func TestGreatestServiceTimeBelowFirst(t *testing.T) {
	o := Objective{Metric: MeanResponse, Limit: 0.3}
	x, err := Greatest(o, math.Inf(1), func(x float64) (Figures, error) { return MMC{1, x}.At(5) })
	if err != nil {
		t.Fatal(err)
	}
	f, err := MMC{1, x}.At(5)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "mean response", f.MeanResponse, 0.3, 1e-9)
}

func BenchmarkLeastServersForResponses(b *testing.B) {
	for b.Loop() {
		if _, err := LeastServers(MMC{1e6, 1}, Objective{Metric: ResponseShare, Limit: 0.01, Wait: 4.7}); err != nil {
			b.Fatal(err)
		}
	}
}
