package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// mg1Laws returns the laws of wait and response, 0 < rho = 1 − gap < 1.
func mg1Laws(service Law, rate, rho, gap float64) [2]waitLaw {
	if times, weights := service.atoms(); times != nil {
		if wait, ok := newLatticeWait(times, weights, rate, rho, gap); ok {
			return [2]waitLaw{wait, latticeResponse{wait, times, weights}}
		}
	}
	m1, m2, _ := service.Moments()
	p := complex(rho, 0)
	// E[e^(−sW)] = gap/(gap + ρ·residual), free of cancellation.
	waitTail := func(s complex128) complex128 {
		r := service.residual(s)
		return p * r / ((complex(gap, 0) + p*r) * s)
	}
	responseTail := func(s complex128) complex128 {
		r := service.residual(s)
		below := complex(gap, 0) + p*r
		// (1 − φ(s))/s, the transform of P(S > t), by the form that keeps its
		// digits.
		lasting := complex(m1, 0) * (1 - r)
		if real(s)*m1 > 0.5 {
			lasting = (1 - service.Transform(s)) / s
		}
		return (p*r/s + complex(gap, 0)*lasting) / below
	}
	wait := invertedLaw{transform: waitTail, atZero: rho}
	response := invertedLaw{transform: responseTail, atZero: 1}
	scale := math.Max(m1, m2/m1)
	if eta, alpha, ok := mg1Pole(service, rho, gap); ok {
		wait.pole, response.pole = eta, eta
		wait.weight = alpha
		response.weight = alpha * real(transform(service, complex(-eta, 0)))
		wait.findCutoff(scale)
		response.findCutoff(scale)
	} else {
		heavy := func(t float64) float64 {
			a := service.above(t)
			return (a[1] - t*a[0]) / m1
		}
		wait.findHeavy(heavy, scale/gap)
		response.findHeavy(heavy, scale/gap)
	}
	return [2]waitLaw{wait, response}
}

// mg1Pole returns η > 0 with ρφₑ(−η) = 1 and α such that
// P(W > t) ~ α·e^(−ηt), α = (1−ρ)/(−ρη φₑ′(−η)); ok is false for a law
// without exponential moments.
func mg1Pole(service Law, rho, gap float64) (eta, alpha float64, ok bool) {
	end := service.abscissa()
	if end == 0 {
		return 0, 0, false
	}
	over := func(x float64) float64 { return gap + rho*real(service.residual(complex(-x, 0))) }
	var hi float64
	if math.IsInf(end, 1) {
		m1, _, _ := service.Moments()
		for hi = gap / m1; over(hi) >= 0; hi *= 2 {
		}
	} else {
		hi = end * (1 - 1e-12)
		if over(hi) >= 0 {
			return 0, 0, false
		}
	}
	eta = numeric.Root(over, 0, gap, hi, over(hi))
	// The derivative by a step along the imaginary axis, free of cancellation.
	step := eta * 1e-30
	slope := imag(service.residual(complex(-eta, step))) / step
	return eta, gap / (rho * eta * slope), true
}

// invertedLaw is a law given by the transform of its tail.
type invertedLaw struct {
	transform func(s complex128) complex128
	atZero    float64

	pole, weight float64 // the exponential part weight·e^(−pole·t), where there is one
	cutoff       float64 // from here on nothing else is left, or the heavy tail rules

	heavy     func(t float64) float64
	heavyUnit float64
}

func (l invertedLaw) tail(t float64) float64 {
	switch {
	case t <= 0:
		return l.atZero
	case l.heavy != nil && t > l.cutoff:
		return l.heavyUnit * l.heavy(t)
	case l.heavy != nil:
		return l.invert(t)
	case t > l.cutoff:
		return l.weight * math.Exp(-l.pole*t)
	}
	// The error of an inversion is relative to the greatest value inverted.
	lead := l.weight * math.Exp(-l.pole*t)
	if math.Abs(lead) > 1 {
		v, _ := numeric.InvertLaplace(l.transform, t)
		return v
	}
	return lead + l.invert(t)
}

func (l invertedLaw) quantile(p float64) float64 { return quantileOf(l.tail, p, 1) }

// invert returns the part of the tail beside the exponential.
func (l invertedLaw) invert(t float64) float64 {
	v, _ := numeric.InvertLaplace(func(s complex128) complex128 {
		f := l.transform(s)
		if l.weight != 0 {
			f -= complex(l.weight, 0) / (s + complex(l.pole, 0))
		}
		return f
	}, t)
	return v
}

// findCutoff looks for where the rest is lost in the error of the inversion.
func (l *invertedLaw) findCutoff(scale float64) {
	const lost = 3e-10
	for l.cutoff = 4 * scale; l.cutoff < 1e4*scale; l.cutoff *= 1.5 {
		if math.Abs(l.invert(l.cutoff)) < lost && math.Abs(l.invert(1.3*l.cutoff)) < lost {
			return
		}
	}
}

// findHeavy looks for where the tail falls to 1e-8 and joins the asymptote
// there.
func (l *invertedLaw) findHeavy(heavy func(float64) float64, scale float64) {
	l.cutoff = scale
	for l.invert(l.cutoff) > 1e-8 && l.cutoff < 1e12*scale {
		l.cutoff *= 1.25
	}
	l.heavy = heavy
	if h := heavy(l.cutoff); h > 0 {
		l.heavyUnit = math.Max(0, l.invert(l.cutoff)) / h
	}
}
