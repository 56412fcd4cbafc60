package queueing

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/erlang"
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
// (TestSharingElements); time is then independent of the load.
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

// mostRitz bounds the terms of the sum.
const mostRitz = 512

// A sharingLaw is the law of responses under processor sharing. With the weights
// wₙ ∝ (n + 1)·pₙ₊₁ the matrix A of [PS.ResponseTail], f' = −Af in
// units of the mean service, is its own adjoint:
//
//	⟨f, Ag⟩ = Σ wₙkₙfₙgₙ + a Σ wₙ(fₙ₊₁ − fₙ)(gₙ₊₁ − gₙ),  ⟨f, g⟩ = Σ wₙfₙgₙ
//
// and the arrivals' chances pₙ ∝ wₙkₙ are A·1, so that in the inner product of A
//
//	P(T > t) = ⟨1, A e^(−At) 1⟩/⟨1, A 1⟩ = Σ τᵢ² e^(−θᵢt)
//
// with θ the eigenvalues and τ² the shares of 1 along their vectors. Some hundred
// terms of the Gauss rule that Lanczos' recurrence of (1 + γA)⁻¹ from 1 makes of it
// stand for all of them; γ is the mean response. Source: Golub, Meurant, Matrices,
// moments and quadrature, 2010; van den Eshof, Hochbruck, Preconditioning Lanczos
// approximations to the matrix exponential, SIAM J. Sci. Comput. 27, 2006.
type sharingLaw struct {
	service float64 // s
	load    float64
	servers float64

	mutex     sync.Mutex
	space     sharingSpace // nil: not set up yet
	gamma     float64
	vector    []float64 // of Lanczos, and the one before
	last      []float64
	alpha     []float64 // Jacobi matrix so far
	beta      []float64
	exhausted bool
	rules     []sharingRule
}

// A sharingSpace holds functions of the number present: state by state where the
// states are few ([sharingChain]), as polynomials of it where they are many
// ([sharingElements]).
type sharingSpace interface {
	// times puts into out what makes of the vector g the inner product of A with it.
	times(g, out []float64)
	// solve puts (1 + γA)⁻¹·g into out.
	solve(g, out []float64)
	// one is the function 1.
	one() []float64
}

// A sharingRule are terms θ with their weights, which add up to 1.
type sharingRule struct{ rate, weight []float64 }

// responses returns the law of the queue.
func (q PS) responses() (*sharingLaw, error) {
	f, err := q.load()
	if err != nil {
		return nil, err
	}
	f, err = MMCPS{q.ArrivalRate, q.ServiceTime}.shared(f)
	if err != nil {
		return nil, err
	}
	return f.response.(*sharingLaw), nil
}

// extend goes on with Lanczos' recurrence to so many terms.
func (l *sharingLaw) extend(terms int) {
	size := len(l.vector)
	next, image := make([]float64, size), make([]float64, size)
	for len(l.alpha) < terms && !l.exhausted {
		before := 0.0
		if k := len(l.beta); k > 0 {
			before = l.beta[k-1]
		}
		l.space.solve(l.vector, next)
		l.space.times(l.vector, image)
		alpha := floats.Dot(next, image)
		floats.AddScaled(next, -alpha, l.vector)
		floats.AddScaled(next, -before, l.last)
		l.space.times(next, image)
		norm := math.Sqrt(math.Max(0, floats.Dot(next, image)))
		l.alpha, l.beta = append(l.alpha, alpha), append(l.beta, norm)
		if norm <= 1e-14 || len(l.alpha) == size {
			l.exhausted = true
			break
		}
		floats.Scale(1/norm, next)
		l.last, l.vector, next = l.vector, next, l.last
	}
}

// begin sets up the recurrence where the number present is held best.
func (l *sharingLaw) begin() {
	w := newSharingWeights(l.load, l.servers)
	l.gamma = 1 + erlang.C(l.servers, l.load)/(l.servers-l.load)
	if w.last-w.first < mostStates {
		l.from(newSharingChain(w, l.gamma))
	} else {
		l.from(newSharingElements(w, l.gamma))
	}
}

// from begins the recurrence with the function 1, at the length 1.
func (l *sharingLaw) from(space sharingSpace) {
	l.space, l.vector = space, space.one()
	l.last = make([]float64, len(l.vector))
	space.times(l.vector, l.last)
	floats.Scale(1/math.Sqrt(floats.Dot(l.vector, l.last)), l.vector)
	clear(l.last)
}

// Tail is P(T > t).
func (l *sharingLaw) Tail(t float64) float64 {
	if !(t > 0) {
		return 1
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.space == nil {
		l.begin()
	}
	share, before := 0.0, math.NaN()
	for i, terms := 0, 8; terms <= mostRitz; i, terms = i+1, terms*2 {
		if i == len(l.rules) {
			l.extend(terms)
			l.rules = append(l.rules, l.rule())
		}
		r := &l.rules[i]
		share = 0
		for j, theta := range r.rate {
			share += r.weight[j] * math.Exp(-theta*t/l.service)
		}
		if math.Abs(share-before) <= 1e-10*share+1e-17 || len(r.rate) < terms {
			break
		}
		before = share
	}
	return math.Min(1, share)
}

func (l *sharingLaw) Quantile(p float64) float64 { return quantileOf(l.Tail, p, l.service) }

// rule returns the terms of the Jacobi matrix so far.
func (l *sharingLaw) rule() sharingRule {
	rate, weight := numeric.JacobiRule(l.alpha, l.beta[:len(l.alpha)-1])
	for i, x := range rate {
		rate[i] = math.Inf(1) // rounding
		if x > 0 {
			rate[i] = (1/x - 1) / l.gamma
		}
	}
	return sharingRule{rate, weight}
}
