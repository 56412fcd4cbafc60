package queueing

import (
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// Loss is the M/G/n/n queue: an arrival that finds all servers busy is lost.
// Its figures depend on the service law only through the mean.
type Loss struct {
	ArrivalRate float64 // λ ≥ 0, per s
	ServiceTime float64 // E[S] > 0, s
}

// At returns the figures with real servers ≥ 0: blocking B(n, a) by [ErlangB],
// throughput λ(1 − B) and utilization a(1 − B)/n.
func (m Loss) At(servers float64) (Figures, error) {
	f, err := figures("Loss", servers, m.ArrivalRate, m.ServiceTime)
	if err != nil {
		return Figures{}, err
	}
	f.Blocking = erlang.B(servers, f.OfferedLoad)
	f.logBlocking = erlang.LogB(servers, f.OfferedLoad)
	carried := erlang.Carried(servers, f.OfferedLoad)
	f.Throughput = m.ArrivalRate * carried
	if servers > 0 {
		f.Utilization = erlang.Utilization(servers, f.OfferedLoad)
	}
	f.MeanResponse = m.ServiceTime
	return f, nil
}

// Floor returns 0: a loss system is always stable.
func (m Loss) Floor() float64 { return 0 }

// figures checks what all models share and fills in the load.
func figures(fn string, servers, rate, service float64) (Figures, error) {
	c := Domain{Func: fn}
	c.AtLeastZero("servers", servers)
	c.Magnitude("servers", servers)
	c.AtLeastZero("arrival rate", rate)
	c.Positive("service time", service)
	load := rate * service
	if c.Err == nil {
		c.AtLeastZero("load", load)
		c.Magnitude("load", load)
	}
	if c.Err != nil {
		return Figures{}, c.Err
	}
	return Figures{Servers: servers, ArrivalRate: rate, ServiceTime: service, OfferedLoad: load}, nil
}

// CarriedLoad returns a(1 − B(n, a)), the mean number of busy servers of a
// loss system in erlangs, without cancellation where nearly all is lost.
// Domain and errors as [ErlangB].
func CarriedLoad(servers, load float64) (float64, error) {
	if err := checkErlang("CarriedLoad", servers, load); err != nil {
		return 0, err
	}
	if servers == 0 {
		return 0, nil
	}
	return servers * erlang.Utilization(servers, load), nil
}

// LostLoad returns a·B(n, a), the load in erlangs that a loss system turns
// away. Domain and errors as [ErlangB].
func LostLoad(servers, load float64) (float64, error) {
	if err := checkErlang("LostLoad", servers, load); err != nil {
		return 0, err
	}
	return load * erlang.B(servers, load), nil
}

// Improvement returns Brockmeyer's improvement function
//
//	F(n, a) = a (B(n, a) − B(n+1, a))
//
// in erlangs: the load that one more server carries. Computed without
// cancellation as a·B(n)·B(n+1)·(1/B(n+1) − 1/B(n)), from
// 1/B(n+1) = 1 + (n+1)/(a·B(n)).
// Domain and errors as [ErlangB]. Source: Brockmeyer, Teleteknik 5, 1954.
func Improvement(servers, load float64) (float64, error) {
	if err := checkErlang("Improvement", servers, load); err != nil {
		return 0, err
	}
	if load == 0 {
		return 0, nil
	}
	next := erlang.B(servers+1, load)
	// 1/B(n+1) − 1/B(n) = (n + 1 − a(1 − B(n))) / (a B(n)).
	return next * (servers + 1 - load*erlang.Carried(servers, load)), nil
}

// ErlangBSlope returns dB/dn, the (negative) change of the loss probability
// per server at real n ≥ 0, and dB/da per erlang:
//
//	dB/dn = −B · ∫ ln(1+t) e^(−at)(1+t)ⁿ dt / ∫ e^(−at)(1+t)ⁿ dt
//	dB/da = B (n/a − 1 + B)
//
// for a > 0. Relative error about 1e-13. Errors as [ErlangB].
func ErlangBSlope(servers, load float64) (perServer, perErlang float64, err error) {
	if err := checkErlang("ErlangBSlope", servers, load); err != nil {
		return 0, 0, err
	}
	if load == 0 {
		return 0, 0, &DomainError{"ErlangBSlope", "load", load, "load > 0"}
	}
	b := erlang.B(servers, load)
	perServer = -b * numeric.MeanLog1p(servers, load)
	// n/a − 1 + B = (n − a(1 − B))/a; both forms lose nothing that matters
	// except deep in overload, where 1 − B is taken whole.
	perErlang = b * (servers - load*erlang.Carried(servers, load)) / load
	return perServer, perErlang, nil
}
