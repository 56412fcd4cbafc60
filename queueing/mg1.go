package queueing

import (
	"math"
	"sync"

	"github.com/capplan/capplan/internal/numeric"
)

// MG1 is the M/G/1 queue: Poisson arrivals, one server, any law of service,
// unlimited waiting room, served in order of arrival.
type MG1 struct {
	ArrivalRate float64 // λ ≥ 0, per s
	Service     Law
}

// DelayFigures are [Figures] with the second moments of wait and response and
// the law of the response time.
type DelayFigures struct {
	Figures
	WaitVariance     float64 // s²
	ResponseVariance float64 // s²

	response WaitLaw
}

// ResponseTail returns P(T > t), T = wait + service, t in s; 1 for t < 0.
func (f DelayFigures) ResponseTail(t float64) float64 {
	return Figures{law: f.response}.WaitTail(t)
}

// ResponsePercentile returns the least t with P(T ≤ t) ≥ p in s, for
// 0 ≤ p < 1, and +Inf for p = 1.
func (f DelayFigures) ResponsePercentile(p float64) float64 {
	return Figures{law: f.response}.WaitPercentile(p)
}

// Figures returns the means by Pollaczek and Khinchine,
//
//	E[W] = λE[S²]/(2(1−ρ)),  Var W = E[W]² + λE[S³]/(3(1−ρ)),
//
// with P(W > 0) = ρ = λE[S], and the laws of W and T = W + S, whose tails and
// percentiles are computed when asked for:
//
//	P(W > t) = ρP(Sₑ > t) + ρ ∫₀ᵗ P(S > t−u)/E[S] · P(W > u) du
//
// with Sₑ of the equilibrium law of S. All terms are positive, so that a small
// tail keeps its digits: 2e-12 of itself down to 1e-23 under Lognormal service
// (testdata/mg1lognormal.csv), 6e-12 at worst under the laws of testdata/mg1.csv;
// smaller ones were not measured, and below 1e-300 a tail is 0. From where only the exponential α·e^(−ηt),
// ρφₑ(−η) = 1, is left that is used. Gamma and Lognormal service of SCV ≤ 1e-20
// counts as constant.
//
// Empirical service is good to 1e-11 for up to 16 values; from there on it is on the
// lattice of the service times, absolute error about 1e-13, where they are whole
// multiples of a common unit of at least 1/65536 of the greatest. Where not, up
// to 512 values are solved as above with an allowance of 1e-8 to 1e-7, more of
// them on a lattice of 8192 units; neither error was measured against another
// program.
//
// 1−ρ is computed to rounding: all of this holds at ρ = 1 − 1e-7. Errors:
// *DomainError, and *UnstableError for ρ ≥ 1. Source: Asmussen, Applied
// probability and queues, 2003, chapter X.
func (q MG1) Figures() (DelayFigures, error) {
	m1, m2, m3, err := checkLaw("MG1", q.Service, "service")
	if err != nil {
		return DelayFigures{}, err
	}
	f, err := figures("MG1", 1, q.ArrivalRate, m1)
	if err != nil {
		return DelayFigures{}, err
	}
	rho, gap := f.OfferedLoad, numeric.NewGapSum(1).Minus(q.ArrivalRate, m1).Value()
	if gap <= 0 {
		return DelayFigures{}, &UnstableError{"MG1", rho}
	}
	out := DelayFigures{Figures: f}
	out.Utilization, out.WaitProbability, out.Throughput = rho, rho, q.ArrivalRate
	out.MeanWait = q.ArrivalRate * m2 / (2 * gap)
	out.MeanResponse = out.MeanWait + m1
	out.MeanQueueLength = q.ArrivalRate * out.MeanWait
	out.WaitVariance = out.MeanWait*out.MeanWait + q.ArrivalRate*m3/(3*gap)
	out.ResponseVariance = out.WaitVariance + math.Max(0, m2-m1*m1)
	if math.IsInf(out.WaitVariance, 1) {
		return DelayFigures{}, &DomainError{"MG1", "service moments",
			m3, "variance of the wait within the range of numbers"}
	}
	laws := sync.OnceValue(func() [2]WaitLaw { return mg1Laws(q.Service, q.ArrivalRate, rho, gap) })
	out.law = lazyLaw{laws, 0, out.MeanWait}
	out.response = lazyLaw{laws, 1, out.MeanResponse}
	return out, nil
}

// checkLaw returns the moments of a law fit for use.
func checkLaw(fn string, l Law, role string) (m1, m2, m3 float64, err error) {
	c := Domain{Func: fn}
	if l == nil {
		c.Fail(role+" law", 0, "a law")
		return 0, 0, 0, c.Err
	}
	l.check(&c, " of "+role)
	if c.Err != nil {
		return 0, 0, 0, c.Err
	}
	m1, m2, m3 = l.Moments()
	c.Positive("mean of "+role, m1)
	c.Positive("second moment of "+role, m2)
	c.Positive("third moment of "+role, m3)
	return m1, m2, m3, c.Err
}

// lazyLaw puts off the work until a tail is asked for, and finds percentiles
// by a bracketed root of the log tail.
type lazyLaw struct {
	laws func() [2]WaitLaw
	pick int
	mean float64 // s, where to look first
}

func (l lazyLaw) Tail(t float64) float64 {
	if l.mean == 0 {
		return 0
	}
	return l.laws()[l.pick].Tail(t)
}

func (l lazyLaw) Quantile(p float64) float64 {
	return quantileOf(l.Tail, p, l.mean)
}

// quantileOf returns the least t ≥ 0 with tail(t) ≤ 1 − p, looking first
// around the mean.
func quantileOf(tail func(float64) float64, p, mean float64) float64 {
	limit := math.Log1p(-p)
	over := func(t float64) float64 { return math.Log(tail(t)) - limit }
	lo, flo := 0.0, over(0)
	if flo <= 0 || mean == 0 {
		return 0
	}
	hi := mean
	fhi := over(hi)
	for fhi > 0 && !math.IsInf(hi, 1) {
		lo, flo = hi, fhi
		hi *= 2
		fhi = over(hi)
	}
	return numeric.Root(over, lo, flo, hi, fhi)
}
