package sizing

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
)

// greatestLoad varies the load with the service time held; without one it is 1, and waits are in
// service times.
func (q *CapacityQuestion) greatestLoad(ctx context.Context) (*CapacityAnswer, error) {
	s := Load{Service: 1, Clock: q.ServiceTime != nil}
	if s.Clock {
		s.Service = float64(q.ServiceTime.Nominal())
	}
	// LoadOf keeps the load to its last digit, which the search needs near
	// saturation.
	return q.greatest(ctx, s, SolveLoad, func(load float64) Load {
		at := LoadOf(load, s.Service)
		at.Clock = s.Clock
		return at
	})
}

// longestService varies the load by the service time, at the arrival rate that is given.
func (q *CapacityQuestion) longestService(ctx context.Context) (*CapacityAnswer, error) {
	rate := float64(q.Rate.Nominal())
	if !(rate > 0) {
		return nil, ask.Inputf("rate", "want a rate above 0 such as 5.4/s")
	}
	// The search varies the load, which is kept beside the service time: their quotient is rounded.
	return q.greatest(ctx, Load{Rate: rate, Service: 1, Clock: true}, SolveServiceTime, func(load float64) Load {
		return Load{Rate: rate, Service: load / rate, Clock: true, Erlangs: load}
	})
}

// greatest finds the greatest load for which every objective is met, with the
// scenario of a load given by at. Each limit has a greatest load of its own, and
// the least of these is the answer: all figures get worse with the load, so that
// below it all limits are kept.
func (q *CapacityQuestion) greatest(ctx context.Context, any Load, unknown Unknown,
	at func(load float64) Load) (*CapacityAnswer, error) {
	if err := q.Objectives.given(); err != nil {
		return nil, err
	}
	// The fleet of any load gives the limits and what the pool is worth, neither
	// of which depends on the load that is sought.
	f, err := q.fleetOf(any)
	if err != nil {
		return nil, err
	}
	servers := float64(q.Servers)
	if servers+f.worth == 0 {
		return nil, ask.Infeasiblef("servers", 1, 0, "a fleet without servers takes no load: give at least one server")
	}
	// A queue without end has no steady state at a load of as many erlangs as servers. A loss
	// system and one whose customers abandon take any load, and only the limits bound it.
	sup := math.Inf(1)
	if f.Kind == Wait || f.Kind == Sharing {
		sup = servers + f.worth
	}
	var load float64
	var binding string
	for _, l := range f.Limits {
		x, err := queueing.Greatest(l.Objective, sup, func(load float64) (queueing.Figures, error) {
			m, err := q.beside(f.Kind, at(load), f.pool)
			if err != nil {
				return queueing.Figures{}, err
			}
			return m.At(servers + f.others)
		})
		if err != nil {
			return nil, capacityError(l.Name, err)
		}
		if binding == "" || x < load {
			load, binding = x, l.Name
		}
	}
	// The search returns infinity if even the greatest load of the domain, 1e12 erl, keeps a limit.
	// For a limit on losses below 1 that only says that the domain has ended; for any other limit
	// it is the answer.
	if math.IsInf(load, 1) {
		reason := fmt.Sprintf("%s is met at any load: there is no greatest one", binding)
		if f.Kind == Loss && *q.MaxBlocking < 1 {
			return nil, ask.Inputf("servers", "%s still meet %s at 1e12 erl, the greatest load allowed: want fewer "+
				"servers",
				ask.Digits(servers), binding)
		}
		return nil, ask.Infeasiblef(binding, 0, 0, "%s", reason)
	}
	// The figures are those at the load that was found, for which the fleet is built anew.
	f, err = q.fleetOf(at(load))
	if err != nil {
		return nil, err
	}
	a, err := q.answer(ctx, f, unknown, binding)
	if err != nil {
		return nil, err
	}
	a.MaxLoad = ask.Figure(load)
	if s := at(load); s.Clock {
		a.MaxRate = ask.Figure(s.Rate)
		if unknown == SolveServiceTime {
			a.MaxServiceTime = ask.Figure(s.Service)
		}
	}
	return a, nil
}

// limitsKept reports the figures of a given load and fleet: each is the
// tightest limit that the fleet keeps. Nothing is searched for.
func (q *CapacityQuestion) limitsKept(ctx context.Context) (*CapacityAnswer, error) {
	f, err := q.fleetOf(q.Nominal())
	if err != nil {
		return nil, err
	}
	a, err := q.answer(ctx, f, SolveObjective, "")
	if err != nil {
		return nil, err
	}
	a.MaxLoad, a.MaxRate = ask.Figure(a.OfferedLoad), a.ArrivalRate
	return a, nil
}
