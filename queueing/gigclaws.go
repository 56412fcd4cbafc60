package queueing

import (
	"math"
	"sync"
)

// FittedLaw returns the law that [GIGC] takes for a mean > 0 (s) and an SCV
// ≥ 0: constant for 0, gamma below 1 (Erlang for 1/SCV whole), exponential for
// 1, hyperexponential with balanced means above.
func FittedLaw(mean, scv float64) (Law, error) {
	c := Domain{Func: "FittedLaw"}
	c.Positive("mean", mean)
	c.AtLeastZero("SCV", scv)
	if c.Err != nil {
		return nil, c.Err
	}
	switch {
	case scv == 0:
		return Deterministic{mean}, nil
	case scv < 1:
		return Gamma{mean, scv}, nil
	case scv == 1:
		return Exponential{mean}, nil
	}
	return BalancedHyperexponential(mean, scv)
}

// twoExponentials is the law with P(W > t) = α·e^(−ηt) + (P − α)·e^(−βt).
type twoExponentials struct {
	lead, slow float64 // α, η in 1/s
	rest, fast float64 // P − α, β > η in 1/s
}

// newTwoExponentials returns the law with the given P(W > 0), mean and
// asymptote, or nil where these leave no falling tail.
func newTwoExponentials(wait, mean, eta, alpha float64) WaitLaw {
	l := twoExponentials{lead: alpha, slow: eta, rest: wait - alpha}
	l.fast = l.rest / (mean - alpha/eta)
	if !(l.fast > eta) || math.IsInf(l.fast, 1) || l.rest < 0 && -l.rest*l.fast > alpha*eta {
		return nil
	}
	return l
}

func (l twoExponentials) Tail(t float64) float64 {
	return l.lead*math.Exp(-l.slow*t) + l.rest*math.Exp(-l.fast*t)
}

func (l twoExponentials) Quantile(p float64) float64 { return quantileOf(l.Tail, p, 1/l.slow) }

// stretchedLaw is a law with its chance to wait and its time scaled.
type stretchedLaw struct {
	WaitLaw
	share, pace float64
}

func (l stretchedLaw) Tail(t float64) float64 {
	return math.Min(1, l.share*l.WaitLaw.Tail(t*l.pace))
}

func (l stretchedLaw) Quantile(p float64) float64 {
	q := 1 - (1-p)/l.share
	if q <= 0 {
		return 0
	}
	return l.WaitLaw.Quantile(q) / l.pace
}

// constantServiceLaw puts off the law of M/D/c until it is asked for; where
// that does not resolve, the other stands in.
type constantServiceLaw struct{ law func() WaitLaw }

func newConstantServiceLaw(m MDC, otherwise WaitLaw) WaitLaw {
	return constantServiceLaw{sync.OnceValue(func() WaitLaw {
		if f, err := m.Figures(); err == nil && f.law != nil {
			return f.law
		}
		return otherwise
	})}
}

func (l constantServiceLaw) Tail(t float64) float64     { return l.law().Tail(t) }
func (l constantServiceLaw) Quantile(p float64) float64 { return l.law().Quantile(p) }
