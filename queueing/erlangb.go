package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
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
	return erlangB(servers, load), nil
}

// LogErlangB returns the natural logarithm of [ErlangB], which stays finite
// and accurate in tails where the probability itself is below the range of
// float64: ln B(1e6, 1e5) ≈ −1.4e6. LogErlangB(n, 0) = −Inf for n > 0.
// Divide by [math.Ln10] for the decimal exponent.
func LogErlangB(servers, load float64) (float64, error) {
	if err := checkErlang("LogErlangB", servers, load); err != nil {
		return 0, err
	}
	return logErlangB(servers, load), nil
}

func checkErlang(fn string, servers, load float64) error {
	c := check{fn: fn}
	c.atLeastZero("servers", servers)
	c.magnitude("servers", servers)
	c.atLeastZero("load", load)
	c.magnitude("load", load)
	return c.err
}

func erlangB(n, a float64) float64 {
	switch {
	case n == 0:
		return 1
	case a == 0:
		return 0
	}
	logU, excess := numeric.LogUpperRatio(n, a)
	if math.IsInf(excess, 1) {
		return math.Exp(-logU)
	}
	return 1 / (1 + excess)
}

func logErlangB(n, a float64) float64 {
	switch {
	case n == 0:
		return 0
	case a == 0:
		return math.Inf(-1)
	}
	logU, _ := numeric.LogUpperRatio(n, a)
	return -logU
}

// carriedShare returns 1 − B(n, a) without cancellation.
func carriedShare(n, a float64) float64 {
	switch {
	case n == 0:
		return 0
	case a == 0:
		return 1
	}
	_, excess := numeric.LogUpperRatio(n, a)
	if math.IsInf(excess, 1) {
		return 1
	}
	return excess / (1 + excess)
}
