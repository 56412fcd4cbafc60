package sharing

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/numeric"
)

// mostRitz bounds the terms of the sum.
const mostRitz = 512

// A Law is the law of responses under processor sharing. With the weights
// wₙ ∝ (n + 1)·pₙ₊₁ the matrix A of PS.ResponseTail of package queueing, f' = −Af in
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
type Law struct {
	Service float64 // mean, s
	Mean    float64 // of the responses, s
	Load    float64 // erlangs, below Servers
	Servers float64

	mutex     sync.Mutex
	space     space // nil: not set up yet
	gamma     float64
	vector    []float64 // of Lanczos, and the one before
	last      []float64
	alpha     []float64 // Jacobi matrix so far
	beta      []float64
	exhausted bool
	rules     []gaussRule
}

// A space holds functions of the number present: state by state where the
// states are few ([chain]), as polynomials of it where they are many
// ([elements]).
type space interface {
	// times puts into out what makes of the vector g the inner product of A with it.
	times(g, out []float64)
	// solve puts (1 + γA)⁻¹·g into out.
	solve(g, out []float64)
	// one is the function 1.
	one() []float64
}

// A gaussRule has terms θ with their weights, which add up to 1.
type gaussRule struct{ rate, weight []float64 }

// extend continues Lanczos' recurrence up to a number of terms.
func (l *Law) extend(terms int) {
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
func (l *Law) begin() {
	w := newWeights(l.Load, l.Servers)
	l.gamma = l.Mean / l.Service
	if w.last-w.first < mostStates {
		l.from(newChain(w, l.gamma))
	} else {
		l.from(newElements(w, l.gamma))
	}
}

// from begins the recurrence with the function 1, at the length 1.
func (l *Law) from(all space) {
	l.space, l.vector = all, all.one()
	l.last = make([]float64, len(l.vector))
	all.times(l.vector, l.last)
	floats.Scale(1/math.Sqrt(floats.Dot(l.vector, l.last)), l.vector)
	clear(l.last)
}

// Tail returns P(T > t), t in s.
func (l *Law) Tail(t float64) float64 {
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
			share += r.weight[j] * math.Exp(-theta*t/l.Service)
		}
		if math.Abs(share-before) <= 1e-10*share+1e-17 || len(r.rate) < terms {
			break
		}
		before = share
	}
	return math.Min(1, share)
}

// rule returns the terms of the Jacobi matrix so far.
func (l *Law) rule() gaussRule {
	rate, weight := numeric.JacobiRule(l.alpha, l.beta[:len(l.alpha)-1])
	for i, x := range rate {
		rate[i] = math.Inf(1) // rounding
		if x > 0 {
			rate[i] = (1/x - 1) / l.gamma
		}
	}
	return gaussRule{rate, weight}
}
