package queueing

import (
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/erlang"
	"github.com/capplan/capplan/queueing/internal/sharing"
)

// PS is a queue under processor sharing: c servers, each customer served at
// once at the rate min(1, c/n) of a server when n are there. One server is the
// classical M/G/1-PS.
type PS struct {
	ArrivalRate float64 // λ ≥ 0, per s, Poisson
	ServiceTime float64 // E[S] > 0, s; the law does not matter
	Servers     int     // c ≥ 1; 0 stands for 1
}

// Figures returns the means, which depend on the law of service only through
// its mean:
//
//	E[T] = E[S]·(1 + C(c, a)/(c − a)),  for c = 1: E[S]/(1 − ρ)
//
// MeanWait is E[T] − E[S], the delay by sharing; nobody waits outside.
// WaitProbability is the chance C(c, a) to be served at less than full rate
// on arrival. Errors: *DomainError, and *UnstableError for a ≥ c. Source:
// Cohen, The multiple phase service network with generalized processor
// sharing, Acta Informatica 12, 1979.
func (q PS) Figures() (Figures, error) {
	f, err := q.load()
	if err != nil {
		return Figures{}, err
	}
	f, err = MMCPS{q.ArrivalRate, q.ServiceTime}.shared(f)
	f.response = nil // of exponential services: [PS.ResponseTail]
	return f, err
}

// ResponseGiven returns the mean response in s of a customer that needs x ≥ 0
// seconds of a whole server: x·E[T]/E[S], for one server x/(1 − ρ). Errors as
// [PS.Figures].
func (q PS) ResponseGiven(x float64) (float64, error) {
	c := Domain{Func: "PS.ResponseGiven"}
	c.AtLeastZero("service need", x)
	if c.Err != nil {
		return 0, c.Err
	}
	f, err := q.Figures()
	if err != nil {
		return 0, err
	}
	return x * (f.MeanResponse / q.ServiceTime), nil
}

func (q PS) load() (Figures, error) {
	servers := q.Servers
	if servers == 0 {
		servers = 1
	}
	if servers < 1 {
		return Figures{}, &DomainError{"PS", "servers", float64(servers), "servers >= 1"}
	}
	return figures("PS", float64(servers), q.ArrivalRate, q.ServiceTime)
}

// MMCPS is M/M/c under processor sharing as a [Model]: all present share the
// servers, none gets more than one. Its means are those of [PS], and hold for any
// law of service; its responses those of [PS.ResponseTail], for exponential ones.
// With part of a server both go on between the whole numbers: the means by the
// continuation of Erlang's formula, the responses by the rate min(1, c/(n + 1)).
type MMCPS struct {
	ArrivalRate float64 // λ ≥ 0, per s, Poisson
	ServiceTime float64 // E[S] > 0, s
}

// At returns the figures: MeanWait is the delay by sharing, and WaitProbability the
// chance to be served at less than full rate on arrival. Errors as [PS.Figures].
func (m MMCPS) At(servers float64) (Figures, error) {
	f, err := figures("MMCPS", servers, m.ArrivalRate, m.ServiceTime)
	if err == nil {
		f.service.law, err = FittedLaw(m.ServiceTime, 1)
	}
	if err != nil {
		return Figures{}, err
	}
	return m.shared(f)
}

// Floor returns the offered load.
func (m MMCPS) Floor() float64 { return m.ArrivalRate * m.ServiceTime }

// shared fills in the figures of load and servers.
func (m MMCPS) shared(f Figures) (Figures, error) {
	if f.ArrivalRate == 0 && f.Servers == 0 { // nobody comes, and nobody need be there
		f.MeanResponse = m.ServiceTime
		return f, nil
	}
	gap := numeric.NewGapSum(f.Servers).Minus(m.ArrivalRate, m.ServiceTime).Value()
	if gap <= 0 {
		return Figures{}, &UnstableError{"PS", f.OfferedLoad / f.Servers}
	}
	f.Throughput = m.ArrivalRate
	f.Utilization = f.OfferedLoad / f.Servers
	f.WaitProbability = f.OfferedLoad
	if f.Servers != 1 {
		f.WaitProbability = erlang.C(f.Servers, f.OfferedLoad)
	}
	f.MeanWait = m.ServiceTime * (f.WaitProbability / gap)
	f.MeanResponse = m.ServiceTime + f.MeanWait
	f.MeanQueueLength = m.ArrivalRate * f.MeanWait
	if gap < nearestSaturation*f.Servers {
		f.response = saturatedLaw{m.ServiceTime, f.WaitProbability, gap}
		return f, nil
	}
	f.response = sharedLaw{&sharing.Law{
		Service: m.ServiceTime,
		Mean:    f.MeanResponse,
		Load:    f.OfferedLoad,
		Servers: f.Servers,
	}}
	return f, nil
}
