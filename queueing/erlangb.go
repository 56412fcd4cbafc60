package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// ErlangB returns the probability that an arrival finds all servers busy and
// is lost, in an M/G/n/n loss system with the given number of servers and
// offered load in erlangs:
//
//	B(n, a) = (aⁿ/n!) / Σₖ₌₀ⁿ aᵏ/k!,    1/B(n, a) = a ∫₀^∞ e^(−at) (1+t)ⁿ dt
//
// where n ≥ 0 is the number of servers, real by the right-hand form, and
// a = λ·E[S] ≥ 0. It depends on the service law only through its mean. It is
// not the probability of waiting; see [ErlangC].
//
// B(0, a) = 1; B(n, 0) = 0 for n > 0. Time is independent of n. Below 1e-300
// use [LogErlangB]. Arguments outside the domain, or above 1e12, return a
// *DomainError. Source: PCU eq. 4.6 (throughput), with the sum from 0.
func ErlangB(servers, load float64) (float64, error) {
	if err := checkErlang("ErlangB", servers, load); err != nil {
		return 0, err
	}
	return erlang.B(servers, load), nil
}

// LogErlangB returns the natural logarithm of [ErlangB], which stays finite
// and accurate in tails where the probability itself is below the range of
// float64: ln B(1e6, 1e5) ≈ −1.4e6. LogErlangB(n, 0) = −Inf for n > 0.
// Divide by [math.Ln10] for the decimal exponent.
func LogErlangB(servers, load float64) (float64, error) {
	if err := checkErlang("LogErlangB", servers, load); err != nil {
		return 0, err
	}
	return erlang.LogB(servers, load), nil
}

func checkErlang(fn string, servers, load float64) error {
	c := Domain{Func: fn}
	c.AtLeastZero("servers", servers)
	c.Magnitude("servers", servers)
	c.AtLeastZero("load", load)
	c.Magnitude("load", load)
	return c.Err
}

// ErlangBServers returns the least whole number of servers n with
// B(n, load) ≤ blocking, and the least real one. Domain: load within 0..1e12,
// 0 < blocking ≤ 1; blocking 0 is an *InfeasibleError.
func ErlangBServers(load, blocking float64) (servers, real float64, err error) {
	r, err := LeastServers(Loss{ArrivalRate: load, ServiceTime: 1}, Objective{Metric: Blocking, Limit: blocking})
	return r.Servers, r.Real, err
}

// ErlangBLoad returns the greatest offered load in erlangs with
// B(servers, load) ≤ blocking, for real servers within 0..1e12 and
// 0 ≤ blocking < 1. It is 0 where no load above 0 meets the target.
func ErlangBLoad(servers, blocking float64) (float64, error) {
	if err := checkErlang("ErlangBLoad", servers, 0); err != nil {
		return 0, err
	}
	if !(blocking >= 0 && blocking < 1) {
		return 0, &DomainError{"ErlangBLoad", "blocking", blocking, "0 <= blocking < 1"}
	}
	if servers == 0 || blocking == 0 {
		return 0, nil
	}
	// ln B(n, a) rises in a; for a → 0 it is n ln a − ln Γ(n+1), so the
	// bracket is found in ln a.
	limit := math.Log(blocking)
	over := func(logLoad float64) float64 { return limit - erlang.LogB(servers, math.Exp(logLoad)) }
	yes, no, step := math.Log(servers), math.Log(servers), 0.5
	if over(yes) >= 0 {
		for over(no) >= 0 {
			yes, no, step = no, no+step, step*2
		}
	} else {
		for over(yes) < 0 {
			no, yes, step = yes, yes-step, step*2
			if yes < -700 {
				return 0, nil
			}
		}
	}
	yes, _ = numeric.Bracket(over, yes, over(yes), no, over(no))
	load := math.Exp(yes)
	// The exponential has rounded: step back inside by units in the last place.
	for ulp := 1e-16; load > 0 && erlang.LogB(servers, load) > limit && ulp < 1e-9; ulp *= 2 {
		load *= 1 - ulp
	}
	return load, nil
}
