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
// the chain (TestSharingResponse). Nearer to
// saturation than the chain can be summed (for one server from 1 − ρ = 3e-5 on) it is
// the law of the limit, whose error is about 1 − ρ (TestSharingResponseNearSaturation).
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

// mostSharing bounds the states of the chain, mostRitz the terms of the sum.
const (
	mostSharing = 2_000_000
	mostRitz    = 512
)

// A sharingLaw is the law of responses under processor sharing. With the weights
// wₙ ∝ (n + 1)·pₙ₊₁ the chain of [PS.ResponseTail] is reversible, its matrix −Q
// similar to the symmetric A, and the arrivals' chances pₙ ∝ wₙkₙ are A·v for
// v = √w. So, in the inner product of A,
//
//	P(T > t) = ⟨v, e^(−At)v⟩/⟨v, v⟩ = Σ τᵢ² e^(−θᵢt)
//
// with θ the eigenvalues and τ² the shares of v along their vectors. Some hundred
// terms of the Gauss rule that Lanczos' recurrence of (1 + γA)⁻¹ from v makes of it
// stand for all of them; γ is the mean response. Source: Golub, Meurant, Matrices,
// moments and quadrature, 2010; van den Eshof, Hochbruck, Preconditioning Lanczos
// approximations to the matrix exponential, SIAM J. Sci. Comput. 27, 2006.
type sharingLaw struct {
	service float64 // s
	load    float64
	servers float64

	mutex     sync.Mutex
	begun     bool
	beyond    bool      // the chain has too many states
	diagonal  []float64 // of A; those beside it are off, with their signs turned
	off       []float64
	pivot     []float64 // of 1 + γA
	gamma     float64
	vector    []float64 // of Lanczos, and the one before
	last      []float64
	alpha     []float64 // Jacobi matrix so far
	beta      []float64
	exhausted bool
	rules     []sharingRule
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

// chain sets up A on the states that count: those whose weight is above e^−50 of
// the greatest. It is false where they are too many.
func (l *sharingLaw) chain() bool {
	a, c := l.load, l.servers
	l.gamma = 1 + erlang.C(c, a)/(c-a)
	if a == 0 {
		l.diagonal, l.off, l.pivot, l.vector = []float64{1}, []float64{0}, []float64{1 + l.gamma}, []float64{1}
		return true
	}
	// ln of wₙ/wₙ₋₁ falls with n: the greatest weight is where it crosses 0.
	step := func(n float64) float64 { return math.Log(a) + math.Log1p(1/n) - math.Log(math.Min(n+1, c)) }
	low, high := 0.0, 1.0
	for ; step(high) > 0; high *= 2 {
		low = high
	}
	for high-low > 1 {
		if middle := math.Floor((low + high) / 2); step(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	peak := low
	const least = -50
	var below, above []float64
	for n, w := peak, 0.0; n > 0; n-- {
		if w -= step(n); w < least || len(below) > mostSharing {
			break
		}
		below = append(below, w)
	}
	for n, w := peak+1, 0.0; ; n++ {
		if w += step(n); w < least && n > c {
			break
		}
		if above = append(above, w); len(above)+len(below) > mostSharing {
			return false
		}
	}
	first := peak - float64(len(below))
	size := len(below) + 1 + len(above)
	l.vector, l.diagonal, l.off = make([]float64, size), make([]float64, size), make([]float64, size)
	sum := 0.0
	for i := range size {
		w := 0.0
		switch j := i - len(below); {
		case j < 0:
			w = below[-j-1]
		case j > 0:
			w = above[j-1]
		}
		l.vector[i] = math.Exp(w / 2)
		sum += math.Exp(w) * math.Min(1, c/(first+float64(i)+1))
	}
	for i := range size {
		n := first + float64(i)
		rate := math.Min(1, c/(n+1))
		l.vector[i] /= math.Sqrt(sum)
		l.diagonal[i] = rate
		if i > 0 {
			l.diagonal[i] += n * rate
		}
		if i < size-1 {
			l.diagonal[i] += a
			l.off[i] = math.Sqrt(a * (n + 1) * math.Min(1, c/(n+2)))
		}
	}
	l.pivot = make([]float64, size)
	for i := range size {
		l.pivot[i] = 1 + l.gamma*l.diagonal[i]
		if i > 0 {
			e := l.gamma * l.off[i-1]
			l.pivot[i] -= e * e / l.pivot[i-1]
		}
	}
	return true
}

// times puts A·v into out.
func (l *sharingLaw) times(v, out []float64) {
	for i, x := range v {
		y := l.diagonal[i] * x
		if i > 0 {
			y -= l.off[i-1] * v[i-1]
		}
		if i < len(v)-1 {
			y -= l.off[i] * v[i+1]
		}
		out[i] = y
	}
}

// solve puts (1 + γA)⁻¹·v into out.
func (l *sharingLaw) solve(v, out []float64) {
	for i, x := range v {
		if out[i] = x; i > 0 {
			out[i] += l.gamma * l.off[i-1] / l.pivot[i-1] * out[i-1]
		}
	}
	for i := len(v) - 1; i >= 0; i-- {
		out[i] /= l.pivot[i]
		if i > 0 {
			out[i-1] += l.gamma * l.off[i-1] * out[i]
		}
	}
}

// extend goes on with Lanczos' recurrence to so many terms.
func (l *sharingLaw) extend(terms int) {
	size := len(l.vector)
	if l.last == nil {
		l.last = make([]float64, size)
	}
	next, image := make([]float64, size), make([]float64, size)
	for len(l.alpha) < terms && !l.exhausted {
		before := 0.0
		if k := len(l.beta); k > 0 {
			before = l.beta[k-1]
		}
		l.solve(l.vector, next)
		l.times(l.vector, image)
		alpha := floats.Dot(next, image)
		floats.AddScaled(next, -alpha, l.vector)
		floats.AddScaled(next, -before, l.last)
		l.times(next, image)
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

// share is P(T > t); ok is false where too many terms would be needed.
func (l *sharingLaw) share(t float64) (share float64, ok bool) {
	if !(t > 0) {
		return 1, true
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.begun {
		l.begun, l.beyond = true, !l.chain()
	}
	if l.beyond {
		return 0, false
	}
	before := math.NaN()
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
	return math.Min(1, share), true
}

func (l *sharingLaw) Tail(t float64) float64 {
	if share, ok := l.share(t); ok {
		return share
	}
	return l.limit(t)
}

// limit is the law near saturation, where the number present hardly changes while a
// customer is served. It is then served at its full rate, or by the chance C slower
// by a factor of 1 + y/(c − a), y exponential:
//
//	P(T > t) = (1 − C)·e^(−t) + C·∫₀^∞ e^(−y − t/(1 + y/(c − a))) dy
//
// by the trapezoidal rule in ln y.
func (l *sharingLaw) limit(t float64) float64 {
	t /= l.service
	busy, gap := erlang.C(l.servers, l.load), l.servers-l.load
	const step = 1. / 32
	sum := 0.0
	for u := -45.0; u <= 5; u += step {
		y := math.Exp(u)
		sum += math.Exp(u - y - t/(1+y/gap))
	}
	return math.Min(1, (1-busy)*math.Exp(-t)+busy*sum*step)
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
