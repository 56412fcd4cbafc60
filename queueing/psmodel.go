package queueing

import (
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/erlang"
	"github.com/capplan/capplan/queueing/internal/sharing"
)

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
	f.response = sharedLaw{&sharing.Law{Service: m.ServiceTime, Mean: f.MeanResponse, Load: f.OfferedLoad, Servers: f.Servers}}
	return f, nil
}
