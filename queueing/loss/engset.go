package loss

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// Engset is a loss system with finitely many sources: each source, while
// idle, starts requests at a constant rate, and one that finds all servers
// busy is lost. The law of service counts only through its mean.
type Engset struct {
	Sources     float64 // N ≥ 0, whole or, by continuation, real
	IdleRate    float64 // requests per s of one idle source, ≥ 0
	ServiceTime float64 // E[S] > 0, s
}

// EngsetFigures are the steady-state figures of an [Engset] system.
type EngsetFigures struct {
	Servers        float64
	LoadPerSource  float64 // α = IdleRate·E[S], erlangs of one idle source
	TimeCongestion float64 // share of time that all servers are busy
	CallCongestion float64 // share of requests that are lost
	// LogTimeCongestion and LogCallCongestion are natural logarithms, of use
	// below 1e-300; −Inf for 0.
	LogTimeCongestion, LogCallCongestion float64

	OfferedLoad float64 // erlangs of all idle sources together, α(N − CarriedLoad)
	CarriedLoad float64 // mean busy servers
	Utilization float64 // of a server
	Throughput  float64 // served per s
}

// At returns the figures with real servers c ≥ 0:
//
//	time congestion  E(N, c, α) = C(N, c)αᶜ / Σ_{j≤c} C(N, j)αʲ
//	call congestion  E(N−1, c, α): a source sees the others
//	carried load     Y = Nα(1 − B)/(1 + α(1 − B)), B the call congestion
//
// where C(N, c) is the binomial coefficient. With c ≥ N nothing is lost; all
// N can then be busy only for c = N. As N → ∞ with Nα fixed both tend to
// [queueing.ErlangB]. O(√N) work, relative error about 1e-13 for N to 1e6. Errors:
// *DomainError. Source: Engset, ETZ 39, 1918; Syski, Introduction to
// congestion theory in telephone systems, 1986, section 5.4.
func (q Engset) At(servers float64) (EngsetFigures, error) {
	c := queueing.Domain{Func: "Engset"}
	c.AtLeastZero("servers", servers)
	c.Magnitude("servers", servers)
	c.AtLeastZero("sources", q.Sources)
	c.Magnitude("sources", q.Sources)
	c.AtLeastZero("idle rate", q.IdleRate)
	c.Positive("service time", q.ServiceTime)
	alpha := q.IdleRate * q.ServiceTime
	if c.Err == nil {
		c.AtLeastZero("load per idle source", alpha)
		c.Magnitude("load per idle source", alpha)
	}
	if c.Err != nil {
		return EngsetFigures{}, c.Err
	}
	f := EngsetFigures{Servers: servers, LoadPerSource: alpha}
	var pass float64 // 1 − call congestion
	f.LogTimeCongestion, f.TimeCongestion, _ = engset(q.Sources, servers, alpha)
	f.LogCallCongestion, f.CallCongestion, pass = engset(q.Sources-1, servers, alpha)
	f.CarriedLoad = q.Sources * (alpha * pass / (1 + alpha*pass))
	f.OfferedLoad = q.Sources * (alpha / (1 + alpha*pass))
	f.Throughput = f.CarriedLoad / q.ServiceTime
	if servers > 0 {
		f.Utilization = f.CarriedLoad / servers
	}
	return f, nil
}

// engset returns ln E, E and 1 − E.
func engset(n, c, alpha float64) (log, e, rest float64) {
	switch {
	case c == 0:
		return 0, 1, 0
	case alpha == 0 || n < c:
		return math.Inf(-1), 0, 1
	}
	logV, excess := numeric.LogBinomialRatio(n, c, alpha)
	if math.IsInf(excess, 1) {
		return -logV, math.Exp(-logV), 1
	}
	return -logV, 1 / (1 + excess), excess / (1 + excess)
}
