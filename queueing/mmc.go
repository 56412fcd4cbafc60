package queueing

import (
	"math"

	"github.com/capplan/capplan/queueing/internal/erlang"
)

// ErlangC returns the probability that an arrival finds all servers busy and
// has to wait, in an M/M/n queue with unlimited waiting room:
//
//	C(n, a) = n·B(n, a) / (n − a(1 − B(n, a)))
//
// where n > a is the number of servers, real by the continuation of [ErlangB],
// and a = λ·E[S] ≥ 0 the offered load in erlangs. It is not the probability of
// loss; see [ErlangB]. C(n, 0) = 0. Time is independent of n; relative error
// about 1e-13, also as n − a → 0.
//
// n ≤ a (with a > 0) is an *UnstableError; other arguments outside the domain
// a *DomainError.
func ErlangC(servers, load float64) (float64, error) {
	if err := checkErlang("ErlangC", servers, load); err != nil {
		return 0, err
	}
	if err := checkStable("ErlangC", servers, load); err != nil {
		return 0, err
	}
	return erlang.C(servers, load), nil
}

func checkStable(fn string, servers, load float64) error {
	if load > 0 && servers <= load {
		return &UnstableError{fn, load / servers}
	}
	return nil
}

// MMC is the M/M/c queue: Poisson arrivals, exponential service, unlimited
// waiting room, served in order of arrival.
type MMC struct {
	ArrivalRate float64 // λ ≥ 0, per s
	ServiceTime float64 // E[S] > 0, s
}

// At returns the figures with real servers c > a:
//
//	P(W > t) = C(c, a)·exp(−(c − a)t/E[S]),   E[W] = C(c, a)·E[S]/(c − a)
//
// where C is [ErlangC]. Errors: *DomainError, and *UnstableError for c ≤ a.
func (m MMC) At(servers float64) (Figures, error) {
	return GGC{m.ArrivalRate, m.ServiceTime, 1, 1}.at("MMC", servers)
}

// Floor returns the offered load a, which the servers must exceed.
func (m MMC) Floor() float64 { return m.ArrivalRate * m.ServiceTime }

// ResponseTail returns P(T > t), T = wait + service, for real servers c > a
// and t ≥ 0 seconds:
//
//	P(T > t) = e^(−μt) [1 + C·μ·(1 − e^(−(δ−μ)t))/(δ−μ)],   δ = (c − a)μ
//
// with μ = 1/E[S]; at δ = μ (c = a + 1) the fraction has the limit t.
func (m MMC) ResponseTail(servers, t float64) (float64, error) {
	f, err := m.At(servers)
	if err != nil {
		return 0, err
	}
	if !(t >= 0) {
		return 0, &DomainError{"MMC.ResponseTail", "t", t, "t >= 0"}
	}
	x := t / m.ServiceTime
	gap := servers - f.OfferedLoad - 1 // (δ − μ)/μ
	share := x
	if math.Abs(gap*x) > 1e-300 {
		share = -math.Expm1(-gap*x) / gap
	}
	if -gap*x > 1 {
		// e^(−x)·(e^(|gap|x) − 1) without overflow.
		return math.Exp(-x) + f.WaitProbability*(math.Exp(-x*(1+gap))-math.Exp(-x))/-gap, nil
	}
	return math.Exp(-x) * (1 + f.WaitProbability*share), nil
}
