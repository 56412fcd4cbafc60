package queueing

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// dispatch is a model of another package: an M/M/1 queue whose jobs wait a constant
// time more, the figures of which are known in closed form.
type dispatch struct{ rate, service, delay float64 }

func (d dispatch) Floor() float64 { return 0 }

func (d dispatch) At(servers float64) (Figures, error) {
	rho := d.rate * d.service / servers
	if rho >= 1 {
		return Figures{}, &UnstableError{"dispatch.At", rho}
	}
	f := Figures{Servers: servers, ArrivalRate: d.rate, ServiceTime: d.service, OfferedLoad: d.rate * d.service}
	return f.With(Laws{Wait: delayed{d.delay, rho, servers * (1 - rho) / d.service}}), nil
}

// delayed is P(W > t) = 1 up to the delay, then ρ·e^(−rate·(t − delay)).
type delayed struct{ delay, rho, rate float64 }

func (l delayed) Tail(t float64) float64 {
	if t < l.delay {
		return 1
	}
	return l.rho * math.Exp(-l.rate*(t-l.delay))
}

func (l delayed) Quantile(p float64) float64 {
	return l.delay + math.Max(0, math.Log(l.rho/(1-p))/l.rate)
}

// A model from elsewhere has percentiles, and servers are counted for them.
func TestWithLaws(t *testing.T) {
	m := dispatch{0.5, 1, 2}
	f, err := m.At(1)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "90 % wait no longer", f.WaitPercentile(0.9), 2+2*math.Log(5), 1e-14)
	numtest.Close(t, "longer than 4 s", f.WaitTail(4), math.Exp(-1)/2, 1e-14)
	// ρ = 1/(2n), so that at 3 s ρ·e^(−n(1 − ρ)) is at most 1 % from 4 servers on:
	// 1/8·e^(−3.5) = .0038, and 1/6·e^(−2.5) = .0137 with three.
	r, err := LeastServers(m, Objective{Metric: WaitTail, Wait: 3, Limit: 0.01})
	if err != nil || r.Servers != 4 {
		t.Errorf("%v servers, %v, want 4", r.Servers, err)
	}
	if l := f.With(Laws{Service: Gamma{Mean: -1, SCV: 1}}).Laws(); l.Service != nil {
		t.Errorf("%+v is not a law of service", l.Service)
	}
}
