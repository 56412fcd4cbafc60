package queueing

import (
	"math"

	"github.com/capplan/capplan/queueing/internal/sharing"
)

// ResponseTail returns P(T > t), the share of customers whose response takes
// longer than t seconds, for exponential services: alone it depends on the law of
// service beyond its mean. Who finds n others is served at the rate
// kₙ = min(1, c/(n + 1)) and the others together at n·kₙ, so that with fₙ(t) the
// chance to be still there and pₙ those of M/M/c
//
//	P(T > t) = Σ pₙ fₙ(t),  fₙ' = λ(fₙ₊₁ − fₙ) + μ n kₙ(fₙ₋₁ − fₙ) − μ kₙ fₙ,  fₙ(0) = 1
//
// Relative error below 1e-8 down to shares of 1e-7, for one server against the
// transform of Coffman, Muntz and Trotter inverted numerically, for more against
// the chain (TestSharingResponse). Where the chain has many states its functions are
// taken for polynomials piece by piece, which changes the shares by less than 1e-9
// (TestSharingElements); time is then independent of the load. Where 1 − ρ is below 1e-13
// the number present is taken not to change meanwhile (TestSharingResponseSaturated).
// Errors as [PS.Figures], and *DomainError for a t that is no number.
//
// Sources: Coffman, Muntz, Trotter, Waiting time distributions for
// processor-sharing systems, J. ACM 17, 1970; Sengupta, Jagerman, A conditional
// response time of the M/M/1 processor-sharing queue, AT&T Tech. J. 64, 1985;
// Morrison, Response-time distribution for a processor-sharing system, SIAM J.
// Appl. Math. 45, 1985.
func (q PS) ResponseTail(t float64) (float64, error) {
	l, err := q.responses()
	if err != nil {
		return 0, err
	}
	if math.IsNaN(t) {
		return 0, &DomainError{"PS.ResponseTail", "time", t, "a number"}
	}
	return l.Tail(t), nil
}

// ResponsePercentile returns the least t in seconds within which a share p of
// customers, 0 ≤ p < 1, is served, for exponential services; see [PS.ResponseTail],
// also for errors.
func (q PS) ResponsePercentile(p float64) (float64, error) {
	l, err := q.responses()
	if err != nil {
		return 0, err
	}
	if !(p >= 0 && p < 1) {
		return 0, &DomainError{"PS.ResponsePercentile", "share", p, "0 <= share < 1"}
	}
	return l.Quantile(p), nil
}

// responses returns the law of the queue.
func (q PS) responses() (WaitLaw, error) {
	f, err := q.load()
	if err != nil {
		return nil, err
	}
	f, err = MMCPS{q.ArrivalRate, q.ServiceTime}.shared(f)
	if err != nil {
		return nil, err
	}
	return f.response, nil
}

// sharedLaw is the law of responses under sharing as a [WaitLaw].
type sharedLaw struct{ *sharing.Law }

// Quantile returns the least t with P(T <= t) >= p.
func (l sharedLaw) Quantile(p float64) float64 { return quantileOf(l.Tail, p, l.Service) }

// nearestSaturation is the least 1 − ρ at which the law of responses under sharing is computed from
// its chain. Some 50/(1 − ρ) states count, and beyond 2⁵³ of them a float64 no longer distinguishes
// one from the next.
const nearestSaturation = 1e-13

// saturatedLaw is the law of responses under sharing next to saturation, where the
// number present does not change while a customer is served. It has its full rate, or
// by the chance C one that is slower by 1 + y/(c − a), y exponential:
//
//	P(T > t) = (1 − C)·e^(−t) + C·∫₀^∞ e^(−y − t/(1 + y/(c − a))) dy
//
// with t in services, but for about √c·(1 − ρ) of it.
type saturatedLaw struct {
	service float64 // mean, s
	delayed float64 // C
	gap     float64 // c − a > 0
}

// Tail returns P(T > t), t in s.
func (l saturatedLaw) Tail(t float64) float64 {
	if !(t > 0) {
		return 1
	}
	t /= l.service
	// The trapezoidal rule with y = e^u, whose error is below rounding at this step.
	const step = 0.25
	sum := 0.0
	for u := -45.0; u <= 6.5; u += step {
		y := math.Exp(u)
		sum += math.Exp(u - y - t/(1+y/l.gap))
	}
	return math.Min(1, (1-l.delayed)*math.Exp(-t)+l.delayed*step*sum)
}

// Quantile returns the least t with P(T <= t) >= p.
func (l saturatedLaw) Quantile(p float64) float64 { return quantileOf(l.Tail, p, l.service) }
