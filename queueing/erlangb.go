package queueing

import "github.com/capplan/capplan/queueing/internal/erlang"

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
