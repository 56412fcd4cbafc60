package queueing

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/capplan/capplan/internal/numeric"
)

// serviceKernel is P(S > v) piece by piece, in units of E[S]: what is left of
// the law of service in the equation of the wait.
type serviceKernel struct {
	pieces []kernelPiece
	atoms  []float64 // of a discrete law, ascending, and their weights
	shares []float64
}

// A kernelPiece is P(S > v) for from ≤ v ≤ to.
type kernelPiece struct {
	from, to float64
	sum      chebyshev
	flat     bool    // sum[0] alone
	high     float64 // P(S > from)
	area     float64 // ∫ P(S > v) dv
	beyond   float64 // the same from to on
}

func (p *kernelPiece) at(v float64) float64 {
	if p.flat {
		return p.sum[0]
	}
	return p.sum.at((2*v - p.from - p.to) / (p.to - p.from))
}

// toEnd returns the integral from v to the end of the piece.
func (p *kernelPiece) toEnd(v float64) float64 {
	if p.flat {
		return p.sum[0] * (p.to - v)
	}
	half := (p.to - p.from) / 2
	return half * p.sum.toEnd((v-p.from)/half-1)
}

// newServiceKernel cuts the law into pieces on which P(S > v) is a polynomial
// to rounding and falls by no more than e⁻⁶, down to 1e-305.
func newServiceKernel(service Law) *serviceKernel {
	switch service.(type) {
	case Gamma, ErlangK, Lognormal:
		if last := lastKernel.Load(); last != nil && last.law == service {
			return last.serviceKernel
		}
		k := makeServiceKernel(service)
		lastKernel.Store(&madeKernel{service, k})
		return k
	}
	return makeServiceKernel(service)
}

// lastKernel is the kernel that was made last. Whoever looks for a load or a number of servers
// solves the queues of one law of service, and its tail takes most of the time of a solution.
var lastKernel atomic.Pointer[madeKernel]

type madeKernel struct {
	law Law
	*serviceKernel
}

func makeServiceKernel(service Law) *serviceKernel {
	mean, _, _ := service.Moments()
	k := &serviceKernel{}
	if times, weights := service.atoms(); times != nil {
		k.discrete(times, weights, mean)
		k.sumUp()
		return k
	}
	tail := func(v float64) float64 { return service.above(v * mean)[0] }
	end := 1.0
	for tail(end) > 1e-305 {
		end *= 2
	}
	k.cut(tail, 0, end, math.Inf(1))
	k.sumUp()
	return k
}

// cut halves until a piece is resolved, or until halving no longer helps
// because what is left is the rounding of the tail itself: rest, relative, was
// that of the piece twice as long.
func (k *serviceKernel) cut(tail func(float64) float64, from, to, rest float64) {
	f := func(v float64) float64 {
		if v <= 0 {
			return 1
		}
		return tail(v)
	}
	high, low := f(from), f(to)
	if high < 1e-305 {
		return
	}
	if small := to-from <= 1e-19 || to-from <= 1e-14*to; small || low >= high*math.Exp(-6) {
		c := sampled(f, from, to)
		over := c.rest(panelOrder-2) / high
		// The tail is known to some last digits, more of them far out, and the
		// place of a point to its last one.
		lost := 6e-15 - 1e-15*math.Log(high) + 1e-15*to/(to-from)*(1-low/high)
		if small || over <= lost || over <= 1e-12 && over > rest/4 {
			p := kernelPiece{from: from, to: to, sum: c}
			if low > 1-1e-16 {
				p.sum, p.flat = chebyshev{1}, true
			}
			k.pieces = append(k.pieces, p)
			return
		}
		rest = over
	}
	mid := from + (to-from)/2
	k.cut(tail, from, mid, rest)
	k.cut(tail, mid, to, rest)
}

// ascending are the places of values in the order of the values: those of an observed law
// come as they were seen, each with a weight at the same place.
func ascending(values []float64) []int {
	order := numeric.Indices[int](len(values))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return order
}

// discrete makes the kernel of a law of single times, in units of its mean. Equal times are
// one atom of their weights together.
func (k *serviceKernel) discrete(times, weights []float64, mean float64) {
	for _, i := range ascending(times) {
		t := times[i] / mean
		if n := len(k.atoms); n > 0 && k.atoms[n-1] == t {
			k.shares[n-1] += weights[i]
		} else if weights[i] > 0 {
			k.atoms, k.shares = append(k.atoms, t), append(k.shares, weights[i])
		}
	}
	left := make([]float64, len(k.atoms)+1)
	for i := len(k.atoms) - 1; i >= 0; i-- {
		left[i] = left[i+1] + k.shares[i]
	}
	from := 0.0
	for i, t := range k.atoms {
		k.pieces = append(k.pieces, kernelPiece{from: from, to: t, sum: chebyshev{left[i]}, flat: true})
		from = t
	}
}

// sumUp fills in the areas, whose sum is E[S] = 1; what the pieces miss of it
// by rounding is shared out.
func (k *serviceKernel) sumUp() {
	total := 0.0
	for i := len(k.pieces) - 1; i >= 0; i-- {
		p := &k.pieces[i]
		p.area = p.toEnd(p.from)
		total += p.area
	}
	beyond := 0.0
	for i := len(k.pieces) - 1; i >= 0; i-- {
		p := &k.pieces[i]
		for j := range p.sum {
			p.sum[j] /= total
		}
		p.area /= total
		p.high = p.at(p.from)
		p.beyond = beyond
		beyond += p.area
	}
}

// piece returns the number of the piece that holds v, or len(pieces).
func (k *serviceKernel) piece(v float64) int {
	lo, hi := 0, len(k.pieces)
	for lo < hi {
		if mid := (lo + hi) / 2; k.pieces[mid].to > v {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// above returns P(S > v).
func (k *serviceKernel) above(v float64) float64 {
	i := k.piece(v)
	if i == len(k.pieces) {
		return 0
	}
	return k.pieces[i].at(v)
}

// area returns ∫ P(S > u) du from v on: P(equilibrium service > v).
func (k *serviceKernel) area(v float64) float64 {
	i := k.piece(v)
	if i == len(k.pieces) {
		return 0
	}
	p := &k.pieces[i]
	return p.toEnd(math.Max(v, p.from)) + p.beyond
}
